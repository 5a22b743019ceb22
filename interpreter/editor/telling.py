"""From what is found to what the protocol says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lsprotocol import types

from interpreter.diagnostics import Diagnostic, Span
from interpreter.editor.outline import Item
from interpreter.editor.positions import Position, range_of

Uris = Callable[[str], str]
"""The name that an editor has for a file."""
_SYMBOLS = {
    "options": types.SymbolKind.Property,
    "tables": types.SymbolKind.Enum,
    "pieces": types.SymbolKind.Class,
    "piles": types.SymbolKind.Array,
    "state": types.SymbolKind.Variable,
    "terms": types.SymbolKind.Function,
    "moves": types.SymbolKind.Method,
    "obligations": types.SymbolKind.Interface,
    "flow": types.SymbolKind.Module,
    "whenever": types.SymbolKind.Event,
    "clauses": types.SymbolKind.String,
    "examples": types.SymbolKind.Object,
}


def position(place: Position) -> types.Position:
    return types.Position(line=place[0], character=place[1])


def whole_range(span: Span) -> types.Range:
    start, end = range_of(span)
    return types.Range(start=position(start), end=position(end))


def location(span: Span, uris: Uris) -> types.Location:
    return types.Location(uri=uris(span.source.name), range=whole_range(span))


def diagnostic(d: Diagnostic, lang: str, uris: Uris) -> types.Diagnostic:
    """A problem with all that is said of it; one without a place stands at the beginning."""
    said, start = d.in_language(lang), types.Position(line=0, character=0)
    return types.Diagnostic(
        range=whole_range(d.span) if d.span else types.Range(start=start, end=start),
        severity=types.DiagnosticSeverity.Error if d.severity == "error" else types.DiagnosticSeverity.Warning,
        code=d.code,
        source="hoyle",
        message="\n".join([said.message, *(note for note in said.notes if note), *([said.help] if said.help else [])]),
        related_information=[
            types.DiagnosticRelatedInformation(location=location(span, uris), message=label or said.message)
            for span, label in said.related
        ],
    )


def symbol(item: Item) -> types.DocumentSymbol:
    section = types.SymbolKind.Namespace if item.level == 1 else _SYMBOLS.get(item.section, types.SymbolKind.Field)
    return types.DocumentSymbol(
        name=item.name or "…",
        kind=section if item.level <= 2 else types.SymbolKind.Field,
        range=whole_range(item.whole),
        selection_range=whole_range(item.name_span),
        children=[symbol(inner) for inner in item.inside],
    )


def folding(spans: Iterable[Span]) -> list[types.FoldingRange]:
    ranges = (range_of(span) for span in spans)
    return [types.FoldingRange(start_line=start[0], end_line=end[0]) for start, end in ranges if end[0] > start[0]]
