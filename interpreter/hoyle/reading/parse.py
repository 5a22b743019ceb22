"""Text of a formula → `Form`, with true places."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, get_args

from msgspec.structs import replace

from hoyle.diagnostics import Diagnostic, Refused, Source, Span
from hoyle.language.sentences import said
from hoyle.language.syntax import MOST_DIGITS, RESERVED, Form, Generator, Op, Signature, is_plain_name
from hoyle.reading.formula_errors import _body, _explain, _no_name, _too_large
from hoyle.reading.lalr import TooLarge, Unexpected, read_by, tables
from hoyle.reading.tree import Node


def formula(node: Node) -> Form:
    """The formula in a scalar. Raises Refused with its place in the file."""
    found: Form = _short(node) or _parse(node, "formula")
    return found


_PLAIN = re.compile(r"(?P<number>\d{1,9})|(?P<name>[^\W\d]\w*)|(?P<low>\d{1,9})\.\.(?P<high>\d{1,9})")


def _short(node: Node) -> Form | None:
    """Numbers, names and ranges of numbers, which are half of all formulas, need no grammar."""
    match = _PLAIN.fullmatch(node.raw) if node.style == "" else None
    if match is None or match.group("name") in RESERVED or not node.raw.isascii():
        return None
    if match.group("number"):
        return Form("number", node.span, number=int(match.group("number")))
    if match.group("name"):
        return Form("name", node.span, name=match.group("name"))
    source, start = node.span.source, node.span.start
    low, high = (
        Form("number", Span(source, start + match.start(g), start + match.end(g)), number=int(match.group(g)))
        for g in ("low", "high")
    )
    return Form("range", node.span, (low, high))


def generator(node: Node) -> Generator:
    """`x in xs where c` in a scalar."""
    name, source, where = _parse(node, "generator")
    return Generator(name, source, where, node.span)


def signature(node: Node) -> Signature:
    """`name(a, b)` in a key."""
    name, *parameters = _parse(node, "signature")
    return Signature(name, tuple(filter(None, parameters)), node.span)


def _parse(node: Node, start: str) -> Any:
    return _parsed(id(node.span.source), node.span, node.raw, node.style, start)


@lru_cache(maxsize=2048)
def _parsed(own: int, whole: Span, raw: str, style: str, start: str) -> Any:
    """What stands there; kept, because validating, loading with other options and using the same library read the same again.
    `own` tells the source from others that say the same: what is kept has the source of its own tree (and keeps it alive)."""
    same = _same(whole.text, raw, style, start)
    if not same:
        same.append((_read(whole, raw, style, start), whole.start))
        return same[0][0]
    found, stood = same[0]
    return _moved(found, whole.source, whole.start - stood)


@lru_cache(maxsize=4096)
def _same(text: str, raw: str, style: str, start: str) -> list[tuple[Any, int]]:
    """Where a formula of these words was read first, what it was, and where that stood: when a file is read again, most stand elsewhere and say
    the same."""
    return []


def _moved(found: Any, source: Source, by: int) -> Any:
    """What was read, at another place."""
    if isinstance(found, Form):
        span = Span(source, found.span.start + by, found.span.end + by)
        parts = tuple([part and _moved(part, source, by) for part in found.parts])
        return Form(found.op, span, parts, found.name, found.word, found.number, found.enclosed)
    return [_moved(part, source, by) for part in found] if isinstance(found, list) else found


def _read(whole: Span, raw: str, style: str, start: str) -> Any:
    body = _body(whole, raw, style)

    def build(made: str, parts: list[Any], begin: int, end: int) -> Any:
        span = body.span(begin, end)
        for part in parts:
            if isinstance(part, str) and part[:1].isalpha() and not is_plain_name(part):
                raise Refused([_no_name(part, span)])
        return _BUILDERS.get(made, _plain)(made, parts, span)

    try:
        return read_by(tables(), body.text, body.low, body.high, start, build)
    except Unexpected as error:
        raise Refused([_explain(error, body)]) from None
    except TooLarge as found:
        raise Refused([_too_large(body.span(found.start, found.end))]) from None


# ---- from what was read to `Form` ------------------------------------------------------------------------------------

Parts = list[Any]
"""Forms, texts of words, and None for what is left out."""


_OPS: dict[str, Op] = {op: op for op in get_args(Op)}


def _plain(made: str, parts: Parts, span: Span) -> Form:
    return Form(_OPS[made], span, tuple(parts))


def _kept(made: str, parts: Parts, span: Span) -> Any:
    """What the whole text is: the parts themselves."""
    return parts[0] if made == "formula" else parts


def _name(made: str, parts: Parts, span: Span) -> Form:
    return Form("name", span, name=parts[0])


def _number(made: str, parts: Parts, span: Span) -> Form:
    if len(parts[0]) > MOST_DIGITS:
        message = said("formula.digits", count=len(parts[0]))
        raise Refused([Diagnostic("R206", message, span, notes=(said("formula.most_digits", most=MOST_DIGITS),))])
    return Form("number", span, number=int(parts[0]))


def _operator(made: str, parts: Parts, span: Span) -> Form:
    left, word, right = parts
    return Form(_OPS[made], span, (left, right), word=word)


def _quantifier(made: str, parts: Parts, span: Span) -> Form:
    word, name, source, condition = parts
    return Form("quantifier", span, (source, condition), name=name, word=word)


def _extreme(made: str, parts: Parts, span: Span) -> Form:
    word, name, *others = parts
    return Form("extreme", span, tuple(others), name=name, word=word)


def _each(made: str, parts: Parts, span: Span) -> Form:
    item, name, source, where, by = parts
    return Form("collected", span, (source, where, item, by), name=name)


def _call(made: str, parts: Parts, span: Span) -> Form:
    name, arguments = parts
    return Form("call", span, tuple(arguments or ()), name=name)


def _attribute(made: str, parts: Parts, span: Span) -> Form:
    return Form("attribute", span, (parts[0],), name=parts[1])


def _cell(made: str, parts: Parts, span: Span) -> Form:
    owner, name, arguments = parts
    return Form("cell", span, (owner, *arguments), name=name)


def _is(made: str, parts: Parts, span: Span) -> Form:
    left, right = parts
    if right.op == "none":
        return Form("is_none" if made == "is_" else "is_not_none", span, (left,))
    return Form(_OPS[made], span, (left, right))


def _enclosed(made: str, parts: Parts, span: Span) -> Form:
    inner: Form = parts[0]
    return replace(inner, enclosed=True)


def _collected(made: str, parts: Parts, span: Span) -> Any:
    return parts[0]


_BUILDERS: dict[str, Any] = {
    "formula": _kept,
    "generator": _kept,
    "signature": _kept,
    "args": _kept,
    "name": _name,
    "number": _number,
    "compare": _operator,
    "multiply": _operator,
    "quantifier": _quantifier,
    "extreme": _extreme,
    "each": _each,
    "call": _call,
    "attribute": _attribute,
    "cell": _cell,
    "is_": _is,
    "is_not": _is,
    "collected": _collected,
    "enclosed": _enclosed,
}
