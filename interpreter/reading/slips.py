"""What is written where formulas have other words or signs: the help for a formula that cannot be read."""

from __future__ import annotations

import re

_SIGNS = {
    "==": "write `is`",
    "!=": "write `is not`",
    "<>": "write `is not`",
    "≠": "write `is not`",
    "=<": "write `<=`",
    "≤": "write `<=`",
    "=>": "write `>=`",
    "≥": "write `>=`",
    "=": "write `is`",
    "&": "write `and`",
    "|": "write `or`",
    "!": "write `not`",
    "?": "write `if … then … else …`",
    "[": "write `(…)` for a list, `xs at n` for an item",
    "{": "write `(…)` for a list",
    "/": "write `div`: rules count in whole numbers",
    "%": "write `mod`",
    '"': "there is no text in formulas: use a row of a table or a choice of an option",
    "'": "there is no text in formulas: use a row of a table or a choice of an option",
    ":": "there is no `:` in formulas",
    ";": "separate arguments by `,`",
    ",": "a list stands in parentheses: `(a, b)`",
}
_MORE, _LESS = "higher|greater|more|larger|bigger|above|better", "lower|less|fewer|smaller|below|worse"
_WORDS = tuple(
    (re.compile(rf"(?:{before})\s*\Z"), re.compile(rf"(?:{here})\b"), help)
    for before, here, help in (
        ("", _MORE, "write `>`: numbers compare, and rows of one table by their order"),
        (
            rf"\b(?:{_MORE})",
            "than",
            "write `>` instead of `is … than`: numbers compare, and rows of one table by their order",
        ),
        ("", _LESS, "write `<`: numbers compare, and rows of one table by their order"),
        (
            rf"\b(?:{_LESS})",
            "than",
            "write `<` instead of `is … than`: numbers compare, and rows of one table by their order",
        ),
        (r"\bat", "least", "write `>=`"),
        (r"\bat", "most", "write `<=`"),
        ("", r"at\s+least", "write `>=` instead of `is at least`"),
        ("", r"at\s+most", "write `<=` instead of `is at most`"),
        ("", "equals?|the same", "write `is`"),
        (r"\bequal", "to", "write `is`"),
        (r"\bthe", "same", "write `is`"),
        (r"\bbetween", r"\w+", "write `in low..high`"),
        (r"\beither", r"\w+", "write `in (a, b)`"),
        (r"\b(?:any|exists)", r"\w+\s+in", "write `some x in xs has c`"),
        (r"\b(?:all|each)", r"\w+\s+in", "write `every x in xs has c`"),
        ("", r"for\s+(?:every|all|each|any)", "write `every x in xs has c`"),
        ("", "contains|includes", "write `x in xs`: what lies there stands first"),
        ("", "has", "write `some x in xs has c`"),
        (r"[\w)]", "if|when|unless", "write `if c then a else b`: the condition stands first"),
        ("", "plus", "write `+`"),
        ("", "minus", "write `-`"),
        ("", "times", "write `*`"),
        ("", "divided|over", "write `div`"),
        ("", "modulo", "write `mod`"),
    )
)
"""What stands before the word that cannot be read, that word, and what to write."""


def help_for(before: str, found: str, rest: str) -> str:
    """What to write instead of `found`, which begins `rest` and cannot stand after `before`; empty if nothing is known."""
    if before[-1:] + found == "<>":
        found = "<>"
    if found == "," and before.count("(") > before.count(")"):
        return ""
    sign = _SIGNS.get(found) or _SIGNS.get(found[:1], "")
    return sign or next((help for b, h, help in _WORDS if b.search(before) and h.match(rest)), "")
