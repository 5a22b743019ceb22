"""Diagnostics and fixes for formulas that cannot be parsed: unknown signs, words of other languages, missing parentheses."""

from __future__ import annotations

import re
import unicodedata

from msgspec import Struct

from hoyle.diagnostics import NO_TEXT, Diagnostic, Fix, LocalizedText, Span, build_replacement
from hoyle.language.sentences import join_row, localize_integer, make_message
from hoyle.language.syntax import RESERVED, is_identifier
from hoyle.reading.lalr import MAX_DEPTH, MOST_WORDS, Unexpected
from hoyle.reading.tree import plain_offset, span_of_slice


class FormulaText(Struct):
    """The text of a formula: `text[low:high]`. `text` is the file itself if the formula is written there without escapes or folds."""

    whole: Span
    raw: str
    style: str
    text: str
    low: int
    high: int

    @classmethod
    def of(cls, span: Span, raw: str, style: str) -> FormulaText:
        """The text of a scalar: where it stands, its value as text, and its style in YAML."""
        text, low, high = span.source.text, span.start, span.end
        if style in ("'", '"'):
            offset = plain_offset(span, raw, style)
            if offset is None:
                return cls(span, raw, style, raw, 0, len(raw))
            low, high = low + offset, high - offset
        elif style in ("|", ">"):
            low = text.find("\n", low, high) + 1 or high
        return cls(span, raw, style, text, low, high)

    @property
    def is_file(self) -> bool:
        return self.text is self.whole.source.text

    def span(self, begin: int, end: int) -> Span:
        """The span in the file of a part of the text."""
        if self.is_file:
            return Span(self.whole.source, begin, end)
        return span_of_slice(self.whole, self.raw, self.style, begin, end)


def invalid_name(name: str, span: Span) -> Diagnostic:
    plain = unicodedata.normalize("NFKC", name)
    help = make_message("formula.write", code=plain) if is_identifier(plain) else make_message("formula.letters")
    fixes = build_replacement(span, name, plain) if is_identifier(plain) else ()
    return Diagnostic("R310", make_message("formula.no_name", name=name), span, help=help, fixes=fixes)


def too_large(span: Span) -> Diagnostic:
    message = make_message("formula.too_large", depth=MAX_DEPTH, words=localize_integer(MOST_WORDS))
    return Diagnostic("R205", message, span, help=make_message("formula.into_a_term"))


def diagnose(error: Unexpected, formula: FormulaText) -> Diagnostic:
    """The diagnostic for a token that cannot be parsed."""
    low, high = formula.low, formula.high
    at = high if error.at_end else error.at
    text = formula.text[low:high]
    missing = text.count("(") - text.count(")")
    if missing > 0:
        opening = low + _unclosed_parenthesis(text)
        span = formula.span(opening, opening + 1)
        return Diagnostic("R202", make_message("formula.never_closed"), span, help=make_message("formula.close_it"))
    if missing < 0 and at < high and formula.text[at] == ")":
        return Diagnostic("R202", make_message("formula.closes_nothing"), formula.span(at, at + 1))
    if not text.strip():
        return Diagnostic("R203", make_message("formula.missing"), formula.whole)
    if at < high:
        return _unexpected_token(error, formula, at)
    help = _help_at_end(text, error.expected)
    span = formula.span(max(low, high - 1), high)
    return Diagnostic("R201", make_message("formula.too_early"), span, notes=_expected_tokens(error), help=help)


def _unexpected_token(error: Unexpected, formula: FormulaText, at: int) -> Diagnostic:
    before, rest = formula.text[formula.low : at], formula.text[at : formula.high]
    match = re.match(r"\w+|==|!=|<=|>=|=<|=>|&&|\|\||.", rest, re.S)
    token = match[0] if match else rest[:1]
    span = formula.span(at, at + len(token))
    number = re.search(r"\d+\Z", before)
    if number and token.isalpha():  # names begin with a letter; somebody wrote a piece as in a position: `7D`
        begin, end = at - len(number[0]), at + len(token)
        message = make_message("formula.cannot_stand", found=formula.text[begin:end])
        return Diagnostic("R201", message, formula.span(begin, end), help=make_message("formula.by_what_it_has"))
    help = help_for(before, token, rest)
    if token in ("and", "or") and re.search(r"\b(some|every|no)\b.*\bhas\b", before, re.S):
        return Diagnostic(
            "R204", make_message("formula.two_ways", found=token), span, help=make_message("formula.in_parentheses")
        )
    notes = () if help else _expected_tokens(error)
    fixes = fixes_for(span, formula.low, formula.high) if formula.is_file else ()
    return Diagnostic(
        "R201", make_message("formula.cannot_stand", found=token), span, notes=notes, help=help, fixes=fixes
    )


def _unclosed_parenthesis(text: str) -> int:
    opened: list[int] = []
    for at, letter in enumerate(text):
        if letter == "(":
            opened.append(at)
        elif letter == ")" and opened:
            opened.pop()
    return opened[-1]


def _help_at_end(text: str, expected: list[str]) -> LocalizedText:
    if expected == ["_ELSE"]:
        return make_message("formula.what_else")
    if text.strip() == "no":
        return make_message("formula.never_holds")
    last = text.split()[-1] if text.split() else ""
    return make_message("formula.must_follow", last=last) if last in RESERVED else NO_TEXT


def _expected_tokens(error: Unexpected) -> tuple[LocalizedText, ...]:
    words = {
        "NAME": make_message("formula.a_name"),
        "NUMBER": make_message("formula.a_number"),
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
    return (make_message("formula.could_stand", words=join_row(shown)),) if shown and len(shown) <= 12 else ()


# ---- signs and words of other languages ------------------------------------------------------------------------------

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
"""The help for each sign: the key of a sentence under `slip`, and behind a blank what to write."""
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
"""The text before a word, the word, and the help as in `_SIGNS`."""
_REPLACEMENTS = {
    **{
        sign: help.removeprefix("write ")
        for sign, help in _SIGNS.items()
        if re.fullmatch(r"write (?:\W+|\w+|is not)", help)
    },
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
"""Signs and words that can be replaced whatever stands beside them."""
_PHRASES = (
    (r"(?:\bis\s+)?\bat\s+least\b", ">="),
    (r"(?:\bis\s+)?\bat\s+most\b", "<="),
    (rf"(?:\bis\s+)?\b(?:{_MORE})\s+than\b", ">"),
    (rf"(?:\bis\s+)?\b(?:{_LESS})\s+than\b", "<"),
    (r"(?:\bis\s+)?\bequal\s+to\b", "is"),
    (r"(?:\bis\s+)?\bthe\s+same\s+as\b", "is"),
    ("<>", "is not"),
)
"""Phrases of several words that can be replaced."""


def fixes_for(span: Span, low: int, high: int) -> tuple[Fix, ...]:
    """The replacement of an unexpected word or sign in the formula `[low:high]`, where it is certain. It is set off by blanks."""
    place, instead, text = span, _REPLACEMENTS.get(span.text, ""), span.source.text
    for phrase, other in reversed(_PHRASES):
        for match in re.compile(phrase).finditer(text, low, high):
            if match.start() <= span.start < match.end():
                place, instead = Span(span.source, match.start(), match.end()), other
                break
    if not instead:
        return ()
    before = "" if text[place.start - 1 : place.start].isspace() else " "
    after = "" if text[place.end : place.end + 1].isspace() else " "
    return (Fix(place, f"{before}{instead}{after}"),)


def help_for(before: str, token: str, rest: str) -> LocalizedText:
    """The help for `token`, which begins `rest` and cannot follow `before`; NO_TEXT if none is known."""
    if before[-1:] + token == "<>":
        token = "<>"
    if token == "," and before.count("(") > before.count(")"):
        return NO_TEXT
    sign = _SIGNS.get(token) or _SIGNS.get(token[:1], "")
    help = sign or next((help for b, h, help in _WORDS if b.search(before) and h.match(rest)), "")
    key, _, code = help.partition(" ")
    return make_message(f"slip.{key}", code=code) if help else NO_TEXT
