"""Parser of formulas: the text of a scalar → `Form` with places in the file. Names get their meaning in `checking`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, get_args

from msgspec.structs import replace

from hoyle.diagnostics import Diagnostic, Refused, Source, Span
from hoyle.language.sentences import make_message
from hoyle.language.syntax import MOST_DIGITS, RESERVED, Form, Generator, Op, Signature, is_plain_name
from hoyle.reading.formula_errors import FormulaText, diagnose, invalid_name, too_large
from hoyle.reading.lalr import TooLarge, Unexpected, load_tables, parse_by
from hoyle.reading.tree import Node


def formula(node: Node) -> Form:
    """Parse the formula in a scalar. Raises Refused."""
    form: Form = _parse_plain(node) or _parse(node, "formula")
    return form


_PLAIN = re.compile(r"(?P<number>\d{1,9})|(?P<name>[^\W\d]\w*)|(?P<low>\d{1,9})\.\.(?P<high>\d{1,9})")


def _parse_plain(node: Node) -> Form | None:
    """Parse a number, a name or a range of numbers without the grammar: half of all formulas are these."""
    match = _PLAIN.fullmatch(node.raw) if node.style == "" else None
    if match is None or match["name"] in RESERVED or not node.raw.isascii():
        return None
    if match["number"]:
        return Form("number", node.span, number=int(match["number"]))
    if match["name"]:
        return Form("name", node.span, name=match["name"])
    source, start = node.span.source, node.span.start
    low, high = (
        Form("number", Span(source, start + match.start(end), start + match.end(end)), number=int(match[end]))
        for end in ("low", "high")
    )
    return Form("range", node.span, (low, high))


def generator(node: Node) -> Generator:
    """Parse `x in xs where c` in a scalar. Raises Refused."""
    name, source, where = _parse(node, "generator")
    return Generator(name, source, where, node.span)


def signature(node: Node) -> Signature:
    """Parse `name(a, b)` in a key. Raises Refused."""
    name, *parameters = _parse(node, "signature")
    return Signature(name, tuple(filter(None, parameters)), node.span)


def _parse(node: Node, start: str) -> Any:
    return _parse_once(id(node.span.source), node.span, node.raw, node.style, start)


@lru_cache(maxsize=2048)
def _parse_once(source: int, whole: Span, raw: str, style: str, start: str) -> Any:
    """Parse a scalar, or move the result of an equal scalar to its place.

    Validating, loading with other options and using the same library parse the same text again. The identity of the source is part
    of the cache key, because spans must point into the source of their own tree, which the cache keeps alive."""
    first = _first_result(whole.text, raw, style, start)
    if not first:
        first.append((_parse_text(FormulaText.of(whole, raw, style), start), whole.start))
        return first[0][0]
    result, began = first[0]
    return _move(result, whole.source, whole.start - began)


@lru_cache(maxsize=4096)
def _first_result(text: str, raw: str, style: str, start: str) -> list[tuple[Any, int]]:
    """The first result for a text, and where the text began; empty before. A changed file moves most formulas and keeps their text."""
    return []


def _move(result: Any, source: Source, offset: int) -> Any:
    if isinstance(result, Form):
        span = Span(source, result.span.start + offset, result.span.end + offset)
        parts = tuple([part and _move(part, source, offset) for part in result.parts])
        return Form(result.op, span, parts, result.name, result.word, result.number, result.enclosed)
    return [_move(part, source, offset) for part in result] if isinstance(result, list) else result


def _parse_text(text: FormulaText, start: str) -> Any:
    def build(form: str, parts: Parts, begin: int, end: int) -> Any:
        span = text.span(begin, end)
        for part in parts:
            if isinstance(part, str) and part[:1].isalpha() and not is_plain_name(part):
                raise Refused([invalid_name(part, span)])
        builder = _BUILDERS.get(form)
        return builder(form, parts, span) if builder else Form(_OPS[form], span, tuple(parts))

    try:
        return parse_by(load_tables(), text.text, text.low, text.high, start, build)
    except Unexpected as error:
        raise Refused([diagnose(error, text)]) from None
    except TooLarge as error:
        raise Refused([too_large(text.span(error.start, error.end))]) from None


# ---- building forms --------------------------------------------------------------------------------------------------

Parts = list[Any]
"""Forms, texts of tokens, and None for what is left out."""
_OPS: dict[str, Op] = {op: op for op in get_args(Op)}


def _build_number(form: str, parts: Parts, span: Span) -> Form:
    if len(parts[0]) > MOST_DIGITS:
        message = make_message("formula.digits", count=len(parts[0]))
        raise Refused(
            [Diagnostic("R206", message, span, notes=(make_message("formula.most_digits", most=MOST_DIGITS),))]
        )
    return Form("number", span, number=int(parts[0]))


def _build_operator(form: str, parts: Parts, span: Span) -> Form:
    left, word, right = parts
    return Form(_OPS[form], span, (left, right), word=word)


def _build_choice(form: str, parts: Parts, span: Span) -> Form:
    """A quantifier, or `most` and `least`."""
    word, name, *operands = parts
    return Form(_OPS[form], span, tuple(operands), name=name, word=word)


def _build_each(form: str, parts: Parts, span: Span) -> Form:
    item, name, source, where, by = parts
    return Form("collected", span, (source, where, item, by), name=name)


def _build_cell(form: str, parts: Parts, span: Span) -> Form:
    owner, name, arguments = parts
    return Form("cell", span, (owner, *arguments), name=name)


def _build_is(form: str, parts: Parts, span: Span) -> Form:
    left, right = parts
    if right.op == "none":
        return Form("is_none" if form == "is_" else "is_not_none", span, (left,))
    return Form(_OPS[form], span, (left, right))


_BUILDERS: dict[str, Any] = {
    **dict.fromkeys(("formula", "collected"), lambda form, parts, span: parts[0]),
    **dict.fromkeys(("generator", "signature", "args"), lambda form, parts, span: parts),
    "name": lambda form, parts, span: Form("name", span, name=parts[0]),
    "number": _build_number,
    "compare": _build_operator,
    "multiply": _build_operator,
    "quantifier": _build_choice,
    "extreme": _build_choice,
    "each": _build_each,
    "call": lambda form, parts, span: Form("call", span, tuple(parts[1] or ()), name=parts[0]),
    "attribute": lambda form, parts, span: Form("attribute", span, (parts[0],), name=parts[1]),
    "cell": _build_cell,
    "is_": _build_is,
    "is_not": _build_is,
    "enclosed": lambda form, parts, span: replace(parts[0], enclosed=True),
}
