"""Marks of the names in formulas, by which editors colour them. Without the protocol."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from hoyle.checking.formulas.symbols import CheckTrace
from hoyle.diagnostics import Span
from hoyle.editor.analysis import resolve_path
from hoyle.editor.names.resolution import list_mentions
from hoyle.editor.names.symbols import Symbol

TOKENS = {
    "options": "parameter",
    "choices": "enumMember",
    "tables": "enum",
    "rows": "enumMember",
    "columns": "property",
    "pieces": "class",
    "attributes": "property",
    "piles": "namespace",
    "state": "variable",
    "terms": "function",
    "moves": "method",
    "obligations": "interface",
    "seats": "type",
    "words": "keyword",
    "locals": "variable",
}
"""The semantic token of each category of symbols that formulas name."""


class Mark(Struct, frozen=True):
    """The place of a name in a formula."""

    symbol: Symbol
    span: Span

    @property
    def token(self) -> str:
        return TOKENS[self.symbol.category]


def list_marks(trace: CheckTrace, file: str) -> list[Mark]:
    """Return the names in the formulas of the file with this real path, in order, one for each place."""
    real = cache(resolve_path)
    marks = {m.span.start: Mark(m.symbol, m.span) for m in list_mentions(trace) if real(m.span.source.name) == file}
    return [marks[start] for start in sorted(marks)]
