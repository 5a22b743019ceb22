"""What each name in a formula is, for editors that colour by that."""

from __future__ import annotations

from lsprotocol import types

from hoyle.editor.desk import Analysis
from hoyle.editor.looking import stands_in
from hoyle.editor.mentions import mentions
from hoyle.editor.positions import lines_of, units

_KINDS = {
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
_TYPES = sorted(set(_KINDS.values()))
_READ_ONLY = ("options", "choices", "rows", "words")
LEGEND = types.SemanticTokensLegend(token_types=_TYPES, token_modifiers=["readonly", "local"])


def tokens(analysis: Analysis, file: str) -> list[int]:
    """The names in the formulas of one file as the protocol counts them: each from the one before, in units of UTF-16."""
    found = {m.span.start: m for m in mentions(analysis.hearing) if stands_in(m.span, file)}
    data: list[int] = []
    line = column = 0
    for start in sorted(found):
        symbol, span = found[start].symbol, found[start].span
        at_line, at_column = lines_of(span.source.text).position(start)
        before = column if at_line == line else 0
        modifiers = int(symbol.sort in _READ_ONLY) + 2 * int(symbol.sort == "locals")
        kind = _TYPES.index(_KINDS[symbol.sort])
        data += [at_line - line, at_column - before, units(span.text), kind, modifiers]
        line, column = at_line, at_column
    return data
