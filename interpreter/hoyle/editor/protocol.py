"""From what is found to what the protocol says of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lsprotocol import types

from hoyle.diagnostics import Diagnostic, Fix, Refused, Span
from hoyle.editor.analysis import Analysis
from hoyle.editor.edits import Repair
from hoyle.editor.formula_completion import Offer
from hoyle.editor.hover import Signature
from hoyle.editor.names.resolution import mentions, stands_in
from hoyle.editor.names.symbols import Item
from hoyle.editor.positions import Position, lines_of, range_of, units
from hoyle.editor.wording import word

Uris = Callable[[str], str]
"""The name that an editor has for a file."""
Ends = Callable[[str, str], str]
"""A new text for the file of this name, with the line ends of the file."""
LONGEST = 60
"""Letters that are shown of what is replaced, and of what takes its place."""
Edits = dict[str, list[tuple[Span, str]]]
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


_KINDS = {
    "key": types.CompletionItemKind.Field,
    "choice": types.CompletionItemKind.EnumMember,
    "file": types.CompletionItemKind.File,
    "keyword": types.CompletionItemKind.Keyword,
    "words": types.CompletionItemKind.Operator,
    "locals": types.CompletionItemKind.Variable,
    "options": types.CompletionItemKind.Property,
    "choices": types.CompletionItemKind.EnumMember,
    "tables": types.CompletionItemKind.Enum,
    "rows": types.CompletionItemKind.EnumMember,
    "columns": types.CompletionItemKind.Property,
    "attributes": types.CompletionItemKind.Property,
    "piles": types.CompletionItemKind.Module,
    "state": types.CompletionItemKind.Variable,
    "terms": types.CompletionItemKind.Function,
    "moves": types.CompletionItemKind.Method,
}


def completion(offer: Offer, span: types.Range, has_colon: bool) -> types.CompletionItem:
    """`has_colon`: the key has its colon already."""
    text = offer.name if has_colon or not offer.text else offer.text
    return types.CompletionItem(
        label=offer.name,
        kind=_KINDS.get(offer.sort, types.CompletionItemKind.Value),
        detail=offer.detail or None,
        documentation=offer.meaning or None,
        sort_text=f"{offer.rank}{offer.name}",
        filter_text=offer.name,
        text_edit=types.TextEdit(range=span, new_text=text),
    )


def signature(found: Signature) -> types.SignatureHelp:
    parameters = [types.ParameterInformation(label=name) for name in found.parameters]
    active = min(found.active, max(0, len(parameters) - 1))
    said = types.SignatureInformation(label=found.label, documentation=found.meaning or None, parameters=parameters)
    return types.SignatureHelp(signatures=[said], active_signature=0, active_parameter=active)


def workspace_edit(edits: Edits, uris: Uris, ends: Ends) -> types.WorkspaceEdit:
    changes = {uris(place): [edit(Fix(span, text), ends) for span, text in several] for place, several in edits.items()}
    return types.WorkspaceEdit(changes=changes)


def edit(fix: Fix, ends: Ends) -> types.TextEdit:
    return types.TextEdit(range=whole_range(fix.span), new_text=ends(fix.span.source.name, fix.text))


def action(repair: Repair, uris: Uris, ends: Ends, lang: str) -> types.CodeAction:
    fix = repair.fix
    return types.CodeAction(
        title=word(lang, "fix.replace", old=_short(fix.span.text), new=_short(fix.text)),
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[diagnostic(repair.problem, lang, uris)],
        edit=types.WorkspaceEdit(changes={uris(fix.span.source.name): [edit(fix, ends)]}),
        is_preferred=len(repair.problem.fixes) == 1,
    )


def _short(text: str) -> str:
    """As it fits in a menu."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[:LONGEST] + "…"


def unreadable(refused: Refused, lang: str) -> str:
    """Why a text cannot be formatted, and where."""
    cause = refused.cause.in_language(lang)
    return word(lang, "format.unreadable", line=cause.span.line if cause.span is not None else 1, why=cause.message)


def touches(span: Span, place: types.Range) -> bool:
    """Do they share a line?"""
    start, end = range_of(span)
    return start[0] <= place.end.line and end[0] >= place.start.line


_TOKEN_TYPES = {
    "options": "parameter",
    "choices": "enumMember",
    "tables": "enum",
    "rows": "enumMember",
    "columns": "property",
    "attributes": "property",
    "pieces": "class",
    "piles": "namespace",
    "state": "variable",
    "terms": "function",
    "moves": "method",
    "obligations": "interface",
    "seats": "type",
    "words": "keyword",
    "locals": "variable",
}
_TYPES = sorted(set(_TOKEN_TYPES.values()))
_READ_ONLY = ("options", "choices", "rows", "words")
LEGEND = types.SemanticTokensLegend(token_types=_TYPES, token_modifiers=["readonly", "local"])


def semantic_tokens(analysis: Analysis, file: str) -> list[int]:
    """The names in the formulas of one file as the protocol counts them: each from the one before, in units of UTF-16."""
    found = {m.span.start: m for m in mentions(analysis.hearing) if stands_in(m.span, file)}
    data: list[int] = []
    line = column = 0
    for start in sorted(found):
        symbol, span = found[start].symbol, found[start].span
        at_line, at_column = lines_of(span.source.text).position(start)
        before = column if at_line == line else 0
        modifiers = int(symbol.sort in _READ_ONLY) + 2 * int(symbol.sort == "locals")
        kind = _TYPES.index(_TOKEN_TYPES[symbol.sort])
        data += [at_line - line, at_column - before, units(span.text), kind, modifiers]
        line, column = at_line, at_column
    return data
