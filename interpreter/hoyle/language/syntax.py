"""Syntax of formulas: the forms that `reading.parse` makes, the names they may use, and whole numbers."""

from __future__ import annotations

import re
import unicodedata
from typing import Literal

from msgspec import Struct

from hoyle.diagnostics import LocalizedText, Span
from hoyle.language.sentences import make_message

Op = Literal[
    "name",
    "number",
    "true",
    "false",
    "none",
    "broken",
    "call",
    "of",
    "at",
    "attribute",
    "cell",
    "if_",
    "otherwise",
    "quantifier",
    "extreme",
    "collected",
    "list",
    "range",
    "add",
    "subtract",
    "without",
    "multiply",
    "negate",
    "compare",
    "is_",
    "is_not",
    "is_none",
    "is_not_none",
    "is_empty",
    "is_not_empty",
    "in_",
    "not_in",
    "and_",
    "or_",
    "not_",
]
"""The forms, by their names in the grammar. `broken` is a formula that could not be parsed."""


class Form(Struct, frozen=True):
    """One form of a formula.

    op        its name in the grammar
    parts     its operands, None for a missing optional one
    name      the name, variable or attribute that it introduces or mentions
    word      the operator if the op has several (`some`, `<=`, `div`, `most`)
    enclosed  does it stand in parentheses?
    """

    op: Op
    span: Span
    parts: tuple[Form | None, ...] = ()
    name: str = ""
    word: str = ""
    number: int = 0
    enclosed: bool = False

    def part(self, index: int) -> Form:
        found = self.parts[index]
        assert found is not None
        return found

    @property
    def written(self) -> str:
        """The text, with parentheses if it was in parentheses."""
        return f"({self.span.text})" if self.enclosed or self.op == "collected" else self.span.text


class Signature(Struct, frozen=True):
    """The key of a term or column: its name and parameters."""

    name: str
    parameters: tuple[str, ...]
    span: Span


class Generator(Struct, frozen=True):
    """`x in xs where c`, as in `for:`."""

    name: str
    source: Form
    where: Form | None
    span: Span


MOST_DIGITS = 18
"""Longer numbers are a mistake, and slow to parse."""


def parse_integer(text: str) -> int | None:
    """Parse a whole number, with or without `-`; None if it is none or too long."""
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS else None


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


def is_identifier(name: str) -> bool:
    """May formulas use this name?"""
    return is_plain_name(name) and name not in RESERVED


def describe_valid_name(name: str) -> LocalizedText:
    """Describe what names formulas can use."""
    if name in RESERVED:
        return make_message("formula.word_of_language", name=name)
    return make_message("formula.letters_first")


def is_plain_name(name: str) -> bool:
    """Is it made of letters of any alphabet, digits and `_`, none of which looks like another (`²`, `ﬁ`)?"""
    return bool(IDENTIFIER.match(name)) and name.isidentifier() and unicodedata.normalize("NFKC", name) == name
