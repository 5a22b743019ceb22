"""What is written where formulas have other words or signs: the help for a formula that cannot be read."""

from __future__ import annotations

import re

from hoyle.diagnostics import UNSAID, Fix, Said, Span
from hoyle.language.sentences import said

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
        (
            rf"\b(?:{_MORE})",
            "than",
            "compare_than >",
        ),
        ("", _LESS, "compare <"),
        (
            rf"\b(?:{_LESS})",
            "than",
            "compare_than <",
        ),
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
