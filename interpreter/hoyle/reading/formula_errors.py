"""What is written where formulas have other words or signs: the help for a formula that cannot be read."""

from __future__ import annotations

import re
import unicodedata

from msgspec import Struct

from hoyle.diagnostics import UNSAID, Diagnostic, Fix, Said, Span, replacing
from hoyle.language.sentences import in_figures, in_row, said
from hoyle.language.syntax import RESERVED, is_identifier
from hoyle.reading.lalr import MAX_DEPTH, MOST_WORDS, Unexpected
from hoyle.reading.tree import plain_shift, stretch_of

_SIGNS = {
    "==": "write is",
    "!=": "write is not",
    "<>": "write is not",
    "≠": "write is not",
    "=<": "write <=",
    "≤": "write <=",
    "=>": "write >=",
    "≥": "write >=",
    "=": "write is",
    "&": "write and",
    "|": "write or",
    "!": "write not",
    "?": "write if … then … else …",
    "[": "list_or_item",
    "{": "for_a_list",
    "/": "div",
    "%": "write mod",
    '"': "no_text",
    "'": "no_text",
    ":": "no_colon",
    ";": "arguments",
    ",": "parentheses",
}
"""What helps against a sign: the sentence by which it is told, and behind a blank what to write."""
_MORE, _LESS = "higher|greater|more|larger|bigger|above|better", "lower|less|fewer|smaller|below|worse"
_WORDS = tuple(
    (re.compile(rf"(?:{before})\s*\Z"), re.compile(rf"(?:{here})\b"), help)
    for before, here, help in (
        ("", _MORE, "compare >"),
        (rf"\b(?:{_MORE})", "than", "compare_than >"),
        ("", _LESS, "compare <"),
        (rf"\b(?:{_LESS})", "than", "compare_than <"),
        (r"\bat", "least", "write >="),
        (r"\bat", "most", "write <="),
        ("", r"at\s+least", "instead_least"),
        ("", r"at\s+most", "instead_most"),
        ("", "equals?|the same", "write is"),
        (r"\bequal", "to", "write is"),
        (r"\bthe", "same", "write is"),
        (r"\bbetween", r"\w+", "write in low..high"),
        (r"\beither", r"\w+", "write in (a, b)"),
        (r"\b(?:any|exists)", r"\w+\s+in", "write some x in xs has c"),
        (r"\b(?:all|each)", r"\w+\s+in", "write every x in xs has c"),
        ("", r"for\s+(?:every|all|each|any)", "write every x in xs has c"),
        ("", "contains|includes", "in_first"),
        ("", "has", "write some x in xs has c"),
        (r"[\w)]", "if|when|unless", "if_first"),
        ("", "plus", "write +"),
        ("", "minus", "write -"),
        ("", "times", "write *"),
        ("", "divided|over", "write div"),
        ("", "modulo", "write mod"),
    )
)
"""What stands before the word that cannot be read, that word, and what to write, as in `_SIGNS`."""


_INSTEAD = {
    found: help.removeprefix("write ")
    for found, help in _SIGNS.items()
    if re.fullmatch(r"write (?:\W+|\w+|is not)", help)
}
_INSTEAD |= {
    "&&": "and",
    "||": "or",
    "/": "div",
    "plus": "+",
    "minus": "-",
    "times": "*",
    "divided": "div",
    "modulo": "mod",
    "equals": "is",
}
"""What takes the place of a sign or word and means what was meant, whatever stands beside it."""


_PHRASES = (
    (r"(?:\bis\s+)?\bat\s+least\b", ">="),
    (r"(?:\bis\s+)?\bat\s+most\b", "<="),
    (rf"(?:\bis\s+)?\b(?:{_MORE})\s+than\b", ">"),
    (rf"(?:\bis\s+)?\b(?:{_LESS})\s+than\b", "<"),
    (r"(?:\bis\s+)?\bequal\s+to\b", "is"),
    (r"(?:\bis\s+)?\bthe\s+same\s+as\b", "is"),
    ("<>", "is not"),
)
"""The same of several words, of which the one that cannot be read is one."""


def fixes_for(span: Span, low: int, high: int) -> tuple[Fix, ...]:
    """What to write instead of the word or sign there, which cannot be read in the formula between `low` and `high`, where that is certain; with
    blanks around it, as words need them."""
    found = _instead(span, low, high)
    if found is None:
        return ()
    (place, instead), text = found, span.source.text
    before = "" if text[place.start - 1 : place.start].isspace() else " "
    after = "" if text[place.end : place.end + 1].isspace() else " "
    return (Fix(place, f"{before}{instead}{after}"),)


def _instead(span: Span, low: int, high: int) -> tuple[Span, str] | None:
    """The stretch to replace, and by what."""
    for phrase, instead in _PHRASES:
        for found in re.compile(phrase).finditer(span.source.text, low, high):
            if found.start() <= span.start < found.end():
                return Span(span.source, found.start(), found.end()), instead
    instead = _INSTEAD.get(span.text, "")
    return (span, instead) if instead else None


def help_for(before: str, found: str, rest: str) -> Said:
    """What to write instead of `found`, which begins `rest` and cannot stand after `before`; empty if nothing is known."""
    if before[-1:] + found == "<>":
        found = "<>"
    if found == "," and before.count("(") > before.count(")"):
        return UNSAID
    sign = _SIGNS.get(found) or _SIGNS.get(found[:1], "")
    help = sign or next((help for b, h, help in _WORDS if b.search(before) and h.match(rest)), "")
    key, _, code = help.partition(" ")
    return said(f"slip.{key}", code=code) if help else UNSAID


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
