"""Text of a formula → `Form`, with true places."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import replace

from hoyle.diagnostics import UNSAID, Diagnostic, Refused, Said, Source, Span, replacing
from hoyle.language.sentences import in_figures, in_row, said
from hoyle.language.syntax import Form, Generator, Op, Signature
from hoyle.reading.lalr import MAX_DEPTH, MOST_WORDS, TooLarge, Unexpected, read_by
from hoyle.reading.slips import fixes_for, help_for
from hoyle.reading.source_map import plain_shift, stretch_of
from hoyle.reading.tables import tables
from hoyle.reading.tree import Node

RESERVED = frozenset(
    [
        "and",
        "or",
        "not",
        "in",
        "is",
        "if",
        "then",
        "else",
        "has",
        "by",
        "for",
        "where",
        "of",
        "at",
        "otherwise",
        "without",
        "empty",
        "true",
        "false",
        "none",
        "some",
        "every",
        "no",
        "most",
        "least",
        "div",
        "mod",
    ]
)
IDENTIFIER = re.compile(r"[^\W\d]\w*\Z")

MOST_DIGITS = 18


def is_identifier(name: str) -> bool:
    """May formulas use this name?"""
    return _is_written(name) and name not in RESERVED


def usable(name: str) -> Said:
    """What a name that formulas cannot use should be like."""
    if name in RESERVED:
        return said("formula.word_of_language", name=name)
    return said("formula.letters_first")


def _is_written(name: str) -> bool:
    """Letters of any alphabet, digits and `_`, and nothing that only looks like one of them (`²`, `ﬁ`)."""
    return bool(IDENTIFIER.match(name)) and name.isidentifier() and unicodedata.normalize("NFKC", name) == name


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


class _Body(Struct):
    """A formula as it is read: `text[low:high]`, which is the file itself wherever the formula is written there as it reads."""

    whole: Span
    raw: str
    style: str
    text: str
    low: int
    high: int

    @property
    def is_file(self) -> bool:
        return self.text is self.whole.source.text

    def span(self, begin: int, end: int) -> Span:
        """Return the span of a part of the text in the file."""
        if self.is_file:
            return Span(self.whole.source, begin, end)
        return stretch_of(self.whole, self.raw, self.style, begin, end)


def _body(span: Span, raw: str, style: str) -> _Body:
    text, low, high = span.source.text, span.start, span.end
    if style in ("'", '"'):
        shift = plain_shift(span, raw, style)
        if shift is None:
            return _Body(span, raw, style, raw, 0, len(raw))
        low, high = low + shift, high - shift
    elif style in ("|", ">"):
        low = text.find("\n", low, high) + 1 or high
    return _Body(span, raw, style, text, low, high)


def _read(whole: Span, raw: str, style: str, start: str) -> Any:
    body = _body(whole, raw, style)

    def build(made: str, parts: list[Any], begin: int, end: int) -> Any:
        span = body.span(begin, end)
        for part in parts:
            if isinstance(part, str) and part[:1].isalpha() and not _is_written(part):
                raise Refused([_no_name(part, span)])
        return _BUILDERS.get(made, _plain)(made, parts, span)

    try:
        return read_by(tables(), body.text, body.low, body.high, start, build)
    except Unexpected as error:
        raise Refused([_explain(error, body)]) from None
    except TooLarge as found:
        raise Refused([_too_large(body.span(found.start, found.end))]) from None


def _no_name(name: str, span: Span) -> Diagnostic:
    plain = unicodedata.normalize("NFKC", name)
    help_ = said("formula.write", code=plain) if is_identifier(plain) else said("formula.letters")
    fixes = replacing(span, name, plain) if is_identifier(plain) else ()
    return Diagnostic("R310", said("formula.no_name", name=name), span, help=help_, fixes=fixes)


def _too_large(span: Span) -> Diagnostic:
    return Diagnostic(
        "R205",
        said("formula.too_large", depth=MAX_DEPTH, words=in_figures(MOST_WORDS)),
        span,
        help=said("formula.into_a_term"),
    )


def _explain(error: Unexpected, body: _Body) -> Diagnostic:
    low, high = body.low, body.high
    where = high if error.at_end else error.at
    text = body.text[low:high]
    missing = text.count("(") - text.count(")")
    if missing > 0:
        at = low + _unclosed(text)
        return Diagnostic("R202", said("formula.never_closed"), body.span(at, at + 1), help=said("formula.close_it"))
    if missing < 0 and where < high and body.text[where] == ")":
        return Diagnostic("R202", said("formula.closes_nothing"), body.span(where, where + 1))
    if not text.strip():
        return Diagnostic("R203", said("formula.missing"), body.whole)
    if where >= high:
        return Diagnostic(
            "R201",
            said("formula.too_early"),
            body.span(max(low, high - 1), high),
            notes=_expected(error),
            help=_tail_help(text, error.expected),
        )
    return _unexpected(error, body, where)


def _unexpected(error: Unexpected, body: _Body, where: int) -> Diagnostic:
    text, low, high = body.text, body.low, body.high
    rest = text[where:high]
    word = re.match(r"\w+|==|!=|<=|>=|=<|=>|&&|\|\||.", rest, re.S)
    found = word.group(0) if word else rest[:1]
    span = body.span(where, where + len(found))
    number = re.search(r"\d+\Z", text[low:where])
    if number and found.isalpha():
        return _number_with_letters(body, where - len(number.group()), where + len(found))
    help_ = help_for(text[low:where], found, rest)
    if found in ("and", "or") and re.search(r"\b(some|every|no)\b.*\bhas\b", text[low:where], re.S):
        return Diagnostic("R204", said("formula.two_ways", found=found), span, help=said("formula.in_parentheses"))
    return Diagnostic(
        "R201",
        said("formula.cannot_stand", found=found),
        span,
        notes=() if help_ else _expected(error),
        help=help_,
        fixes=fixes_for(span, low, high) if body.is_file else (),
    )


def _number_with_letters(body: _Body, begin: int, end: int) -> Diagnostic:
    """Names begin with a letter; so somebody will have meant a piece, as positions write it: `7D`."""
    return Diagnostic(
        "R201",
        said("formula.cannot_stand", found=body.text[begin:end]),
        body.span(begin, end),
        help=said("formula.by_what_it_has"),
    )


def _unclosed(body: str) -> int:
    opened: list[int] = []
    for place, letter in enumerate(body):
        if letter == "(":
            opened.append(place)
        elif letter == ")" and opened:
            opened.pop()
    return opened[-1]


def _tail_help(body: str, expected: list[str]) -> Said:
    if expected == ["_ELSE"]:
        return said("formula.what_else")
    if body.strip() == "no":
        return said("formula.never_holds")
    last = body.split()[-1] if body.split() else ""
    return said("formula.must_follow", last=last) if last in RESERVED else UNSAID


def _expected(error: Unexpected) -> tuple[Said, ...]:
    words = {
        "NAME": said("formula.a_name"),
        "NUMBER": said("formula.a_number"),
        "LPAR": "`(`",
        "RPAR": "`)`",
        "COMMA": "`,`",
        "MUL": "`*`, `div`, `mod`",
        "LESS": "`<`",
        "DOT": "`.`",
        "_PLUS": "`+`",
        "_MINUS": "`-`",
        "__ANON_0": "`..`",
        "QUANT": "`some`, `every`, `no`",
        "EXTREME": "`most`, `least`",
    }
    shown = sorted(words.get(n) or f"`{n.strip('_').lower()}`" for n in error.expected)
    return (said("formula.could_stand", words=in_row(shown)),) if shown and len(shown) <= 12 else ()


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
