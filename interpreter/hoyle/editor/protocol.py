"""Converts results to types of the Language Server Protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lsprotocol import types

from hoyle.diagnostics import Diagnostic, Fix, Refused, Span
from hoyle.editor.analysis import Analysis
from hoyle.editor.edits import QuickFix, describe_fix
from hoyle.editor.formula_completion import Offer
from hoyle.editor.hover import Signature
from hoyle.editor.marks import TOKENS, list_marks
from hoyle.editor.names.symbols import OutlineItem
from hoyle.editor.positions import Position, count_units, find_range, split_lines
from hoyle.editor.wording import translate

FileToUri = Callable[[str], str]
"""Returns the URI that the editor uses for a file."""
LineEnds = Callable[[str, str], str]
"""Returns a new text for a file, with the line ends of that file."""
Edits = dict[str, list[tuple[Span, str]]]
"""Replaced spans and new texts by real path."""

_SYMBOLS, _ITEMS = types.SymbolKind, types.CompletionItemKind
_KINDS = {
    "options": (_SYMBOLS.Property, _ITEMS.Property),
    "choices": (_SYMBOLS.Field, _ITEMS.EnumMember),
    "tables": (_SYMBOLS.Enum, _ITEMS.Enum),
    "rows": (_SYMBOLS.Field, _ITEMS.EnumMember),
    "columns": (_SYMBOLS.Field, _ITEMS.Property),
    "pieces": (_SYMBOLS.Class, _ITEMS.Value),
    "attributes": (_SYMBOLS.Field, _ITEMS.Property),
    "piles": (_SYMBOLS.Array, _ITEMS.Module),
    "state": (_SYMBOLS.Variable, _ITEMS.Variable),
    "terms": (_SYMBOLS.Function, _ITEMS.Function),
    "moves": (_SYMBOLS.Method, _ITEMS.Method),
    "obligations": (_SYMBOLS.Interface, _ITEMS.Value),
    "flow": (_SYMBOLS.Module, _ITEMS.Value),
    "whenever": (_SYMBOLS.Event, _ITEMS.Value),
    "clauses": (_SYMBOLS.String, _ITEMS.Value),
    "examples": (_SYMBOLS.Object, _ITEMS.Value),
    "seats": (_SYMBOLS.Field, _ITEMS.Value),
    "words": (_SYMBOLS.Field, _ITEMS.Operator),
    "locals": (_SYMBOLS.Field, _ITEMS.Variable),
    "key": (_SYMBOLS.Field, _ITEMS.Field),
    "choice": (_SYMBOLS.Field, _ITEMS.EnumMember),
    "file": (_SYMBOLS.Field, _ITEMS.File),
    "keyword": (_SYMBOLS.Field, _ITEMS.Keyword),
}
"""By section or category: its symbol in an outline, its icon in a completion."""
_OTHER = (_SYMBOLS.Field, _ITEMS.Value)


def to_position(position: Position) -> types.Position:
    return types.Position(line=position[0], character=position[1])


def to_range(span: Span) -> types.Range:
    start, end = find_range(span)
    return types.Range(start=to_position(start), end=to_position(end))


def to_location(span: Span, to_uri: FileToUri) -> types.Location:
    return types.Location(uri=to_uri(span.source.name), range=to_range(span))


def shares_line(span: Span, place: types.Range) -> bool:
    start, end = find_range(span)
    return start[0] <= place.end.line and end[0] >= place.start.line


# ---- problems --------------------------------------------------------------------------------------------------------


def to_diagnostic(problem: Diagnostic, lang: str, to_uri: FileToUri) -> types.Diagnostic:
    """Convert a problem with its notes, help and related places. One without a place is put at the start."""
    texts, start = problem.in_language(lang), types.Position(line=0, character=0)
    is_error = problem.severity == "error"
    return types.Diagnostic(
        range=to_range(problem.span) if problem.span else types.Range(start=start, end=start),
        severity=types.DiagnosticSeverity.Error if is_error else types.DiagnosticSeverity.Warning,
        code=problem.code,
        source="hoyle",
        message="\n".join(
            [texts.message, *(note for note in texts.notes if note), *([texts.help] if texts.help else [])]
        ),
        related_information=[
            types.DiagnosticRelatedInformation(location=to_location(span, to_uri), message=label or texts.message)
            for span, label in texts.related
        ],
    )


def to_code_action(quick_fix: QuickFix, to_uri: FileToUri, line_ends: LineEnds, lang: str) -> types.CodeAction:
    fix = quick_fix.fix
    return types.CodeAction(
        title=describe_fix(fix, lang),
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[to_diagnostic(quick_fix.problem, lang, to_uri)],
        edit=to_workspace_edit({fix.span.source.name: [(fix.span, fix.text)]}, to_uri, line_ends),
        is_preferred=len(quick_fix.problem.fixes) == 1,
    )


def to_text_edit(fix: Fix, line_ends: LineEnds) -> types.TextEdit:
    return types.TextEdit(range=to_range(fix.span), new_text=line_ends(fix.span.source.name, fix.text))


def to_workspace_edit(edits: Edits, to_uri: FileToUri, line_ends: LineEnds) -> types.WorkspaceEdit:
    changes = {
        to_uri(file): [to_text_edit(Fix(span, text), line_ends) for span, text in changes]
        for file, changes in edits.items()
    }
    return types.WorkspaceEdit(changes=changes)


def describe_unreadable(refused: Refused, lang: str) -> str:
    """Say why a text cannot be formatted, and in which line."""
    cause = refused.cause.in_language(lang)
    line = cause.span.line if cause.span is not None else 1
    return translate(lang, "format.unreadable", line=line, why=cause.message)


# ---- outline ---------------------------------------------------------------------------------------------------------


def to_document_symbol(item: OutlineItem) -> types.DocumentSymbol:
    kind = types.SymbolKind.Field
    if item.level == 1:
        kind = types.SymbolKind.Namespace
    elif item.level == 2:
        kind = _KINDS.get(item.section, _OTHER)[0]
    return types.DocumentSymbol(
        name=item.name or "…",
        kind=kind,
        range=to_range(item.whole),
        selection_range=to_range(item.name_span),
        children=[to_document_symbol(inner) for inner in item.inside],
    )


def to_folding_ranges(spans: Iterable[Span]) -> list[types.FoldingRange]:
    ranges = (find_range(span) for span in spans)
    return [types.FoldingRange(start_line=start[0], end_line=end[0]) for start, end in ranges if end[0] > start[0]]


# ---- completion ------------------------------------------------------------------------------------------------------


def to_completion_item(offer: Offer, replaced: types.Range, has_colon: bool) -> types.CompletionItem:
    """`has_colon`: a colon follows the cursor, so that none is inserted."""
    return types.CompletionItem(
        label=offer.name,
        kind=_KINDS.get(offer.category, _OTHER)[1],
        detail=offer.detail or None,
        documentation=offer.meaning or None,
        sort_text=f"{offer.rank}{offer.name}",
        filter_text=offer.name,
        text_edit=types.TextEdit(range=replaced, new_text=offer.name if has_colon or not offer.text else offer.text),
    )


def to_signature_help(signature: Signature) -> types.SignatureHelp:
    parameters = [types.ParameterInformation(label=name) for name in signature.parameters]
    active = min(signature.active, max(0, len(parameters) - 1))
    information = types.SignatureInformation(
        label=signature.label, documentation=signature.meaning or None, parameters=parameters
    )
    return types.SignatureHelp(signatures=[information], active_signature=0, active_parameter=active)


# ---- colours ---------------------------------------------------------------------------------------------------------

_TYPES = sorted(set(TOKENS.values()))
_READ_ONLY = ("options", "choices", "rows", "words")
LEGEND = types.SemanticTokensLegend(token_types=_TYPES, token_modifiers=["readonly", "local"])


def encode_semantic_tokens(analysis: Analysis, file: str) -> list[int]:
    """Encode the names in the formulas of a file: five numbers each, with positions relative to the name before."""
    data: list[int] = []
    line = column = 0
    for mark in list_marks(analysis.trace, file):
        category, span = mark.symbol.category, mark.span
        token_line, token_column = split_lines(span.source.text).find_position(span.start)
        modifiers = int(category in _READ_ONLY) + 2 * int(category == "locals")
        relative = token_column - column if token_line == line else token_column
        data += [token_line - line, relative, count_units(span.text), _TYPES.index(mark.token), modifiers]
        line, column = token_line, token_column
    return data
