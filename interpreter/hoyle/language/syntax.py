"""The syntax of a formula: what `parse` makes and `check` gives a meaning."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from hoyle.diagnostics import Span

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
"""The forms, by their names in the grammar. `broken` is one that could not be read."""


class Form(Struct, frozen=True):
    """One form of a formula.

    name    the name, variable or attribute it introduces or mentions
    word    the operator where one op has several (`some`, `<=`, `div`, `most`)
    parts   its operands, None where an optional one is missing
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
        """Its text with the parentheses that it stands in, so that it can stand elsewhere."""
        return f"({self.span.text})" if self.enclosed or self.op == "collected" else self.span.text


class Signature(Struct, frozen=True):
    """The key of a term or column: its name and parameters."""

    name: str
    parameters: tuple[str, ...]
    span: Span


class Generator(Struct, frozen=True):
    """`x in xs where c`, as `for:` has it."""

    name: str
    source: Form
    where: Form | None
    span: Span
