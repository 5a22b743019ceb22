"""Resolves names in formulas to symbols, from the trace of a check, and finds what stands at a place in a file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache

from msgspec import Struct

from hoyle.checking.formulas.symbols import CheckedForm, CheckTrace, SymbolTable
from hoyle.diagnostics import Span
from hoyle.editor.analysis import Analysis, load_tree
from hoyle.editor.names.symbols import Symbol, list_declarations
from hoyle.language.ir import Attr, ColumnCall, TermCall
from hoyle.language.value_types import Choice, Row, ValueType
from hoyle.language.vocabulary import NAMES, WORDS
from hoyle.reading.shape import Path
from hoyle.reading.tree import Node

# ---- names in formulas -----------------------------------------------------------------------------------------------


class Mention(Struct, frozen=True):
    """A name in a formula: its symbol, its span, and the checked form that it is in."""

    symbol: Symbol
    span: Span
    checked: CheckedForm


def list_mentions(trace: CheckTrace) -> list[Mention]:
    """Return every name in every checked formula, once for each category of symbol that it may stand for."""
    mentions: dict[tuple[str, str, int], Mention] = {}
    for checked in trace.forms if trace.symbols is not None else ():
        assert trace.symbols is not None
        for symbol, span in _resolve(checked, trace.symbols):
            key = (symbol.category, span.source.name, span.start)
            mentions.setdefault(key, Mention(symbol, span, checked))
    return list(mentions.values())


def _resolve(checked: CheckedForm, symbols: SymbolTable) -> Iterator[tuple[Symbol, Span]]:
    """Yield the symbols that a form names itself; its parts are forms of their own."""
    form = checked.form
    match form.op:
        case "name":
            symbol = _resolve_name(checked, symbols)
            if symbol is not None:
                yield symbol, form.span
        case "call" if form.name in symbols.terms or form.name in WORDS:
            # the form may begin with parentheses; with escapes in the name it is taken as a whole
            start = form.span.source.text.find(form.name, form.span.start, form.span.end)
            span = Span(form.span.source, start, start + len(form.name)) if start >= 0 else form.span
            yield Symbol("terms" if form.name in symbols.terms else "words", form.name), span
        case "of" | "at":
            yield from _resolve_family(checked, symbols)
        case "attribute" | "cell":
            yield from _resolve_attribute(checked, symbols)


def _resolve_name(checked: CheckedForm, symbols: SymbolTable) -> Symbol | None:
    name, scope = checked.form.name, checked.scope
    if name in scope.names:
        return Symbol("locals", name)
    if scope.row is not None and isinstance(scope.row.type, Row):
        table = symbols.tables[scope.row.type.table]
        if name in table.columns:
            return Symbol("columns", name, table.name)
    return (
        _find_expected(name, checked.expected, symbols)
        or find_entry(name, symbols)
        or find_builtin(name)
        or _find_unique(name, symbols)
    )


def _find_expected(name: str, expected: ValueType | None, symbols: SymbolTable) -> Symbol | None:
    """Return the row, choice, move or obligation of the expected type."""
    value_type = expected.item_type if expected is not None and expected.name == "list" else expected
    if isinstance(value_type, Row) and name in symbols.tables[value_type.table].rows:
        return Symbol("rows", name, value_type.table)
    if isinstance(value_type, Choice) and name in symbols.options[value_type.option].choices:
        return Symbol("choices", name, value_type.option)
    if value_type is not None and value_type.name in ("move", "obligation"):
        category, entries = (
            ("moves", symbols.moves) if value_type.name == "move" else ("obligations", symbols.obligations)
        )
        return next((Symbol(category, entry) for entry in entries if entry.replace(" ", "_") == name), None)
    return None


def find_entry(name: str, symbols: SymbolTable) -> Symbol | None:
    """Return the section's entry or seat that formulas call by a name."""
    for category in ("options", "piles", "state", "terms", "tables"):
        if name in getattr(symbols, category):
            return Symbol(category, name)
    return Symbol("seats", name) if name in symbols.seats or name in symbols.away else None


def find_builtin(name: str) -> Symbol | None:
    return Symbol("words", name) if name in NAMES or name in WORDS else None


def _find_unique(name: str, symbols: SymbolTable) -> Symbol | None:
    """Return the only row or choice of this name in the ruleset."""
    tables, options = symbols.row_owners(name), symbols.choice_owners(name)
    if len(tables) + len(options) != 1:
        return None
    return Symbol("rows", name, tables[0].name) if tables else Symbol("choices", name, options[0].name)


def _resolve_family(checked: CheckedForm, symbols: SymbolTable) -> Iterator[tuple[Symbol, Span]]:
    """Resolve the pile or state before `of` or `at`, which is no checked form of its own."""
    target = checked.form.part(0)
    while target.op in ("of", "at"):  # `x of a at b`
        target = target.part(0)
    if target.op != "name" or target.name in checked.scope.names:
        return
    if target.name in ("opponent", "partner"):
        yield Symbol("words", target.name), target.span
    for category, entries in (("piles", symbols.piles), ("state", symbols.state)):
        if target.name in entries:
            yield Symbol(category, target.name), target.span


def _resolve_attribute(checked: CheckedForm, symbols: SymbolTable) -> Iterator[tuple[Symbol, Span]]:
    """Resolve `owner.name`: a row of a table, a choice of an option, a column, an attribute of a piece."""
    form, owner = checked.form, checked.form.part(0)
    dotted = _compile_dotted(form.name).search(form.span.source.text, owner.span.end)
    span = Span(form.span.source, dotted.start(1), dotted.end(1)) if dotted else form.span
    if owner.op == "name" and owner.name not in checked.scope.names:
        if owner.name in symbols.tables and form.name in symbols.tables[owner.name].rows:
            yield Symbol("tables", owner.name), owner.span
            yield Symbol("rows", form.name, owner.name), span
            return
        if owner.name in symbols.options and form.name in symbols.options[owner.name].choices:
            yield Symbol("options", owner.name), owner.span
            yield Symbol("choices", form.name, owner.name), span
            return
    table = ""
    match checked.found:
        case Attr(table=name):
            table = name.rpartition(".")[0]
        case ColumnCall(instances=instances):
            table = instances[0].name.split(".")[0]
        case TermCall(instance=instance):
            table = instance.name.split(".")[0]
    if table in symbols.tables and form.name in symbols.tables[table].columns:
        yield Symbol("columns", form.name, table), span
    elif table in symbols.pieces:
        yield Symbol("attributes", form.name, table), span
    elif form.name == "order":
        yield Symbol("words", "order"), span


@cache
def _compile_dotted(name: str) -> re.Pattern[str]:
    return re.compile(rf"\.\s*({re.escape(name)})")


# ---- places in a file ------------------------------------------------------------------------------------------------


class Spot(Struct, frozen=True):
    """The name, the value and the formula at a place in a file.

    symbol, span  the name there, if there is one
    path          the keys that lead to the value or key there
    node          that value or key
    on_key        the place is in a key
    checked       the smallest checked form around the place, once for each time that it was checked
    """

    symbol: Symbol | None
    span: Span | None
    path: Path
    node: Node | None
    on_key: bool
    checked: tuple[CheckedForm, ...] = ()


def look_up(analysis: Analysis, file: str, offset: int) -> Spot:
    """Return what stands at an offset of a file of the analysed ruleset."""
    tree, trace = load_tree(file, analysis.texts), analysis.trace
    path, node, on_key = _find_node(tree, offset) if tree is not None else ((), None, False)
    mentions = [
        mention
        for mention in list_mentions(trace)
        if mention.span.start <= offset <= mention.span.end and is_in_file(mention.span, file)
    ]
    smallest = min(mentions, key=lambda m: (m.span.end - m.span.start, -m.span.start), default=None)
    if smallest is not None:
        return Spot(smallest.symbol, smallest.span, path, node, on_key, _find_same_form(trace, smallest.checked))
    around = [checked for checked in trace.forms if checked.form.span.start <= offset < checked.form.span.end]
    inside = [checked for checked in around if is_in_file(checked.form.span, file)]
    innermost = min(inside, key=lambda checked: checked.form.span.end - checked.form.span.start, default=None)
    forms = _find_same_form(trace, innermost) if innermost is not None else ()
    for declaration in list_declarations(tree) if tree is not None else ():
        if declaration.name.start <= offset <= declaration.name.end:
            return Spot(declaration.symbol, declaration.name, path, node, on_key, forms)
    return Spot(None, None, path, node, on_key, forms)


def is_in_file(span: Span, file: str) -> bool:
    """Return whether a span is in the file with this real path."""
    return os.path.realpath(span.source.name) == file


def _find_same_form(trace: CheckTrace, checked: CheckedForm) -> tuple[CheckedForm, ...]:
    """Return all checks of the same form, one for each combination of argument types."""
    span, op = checked.form.span, checked.form.op
    return tuple(other for other in trace.forms if other.form.span == span and other.form.op == op)


def _find_node(node: Node, offset: int) -> tuple[Path, Node | None, bool]:
    """Return the path and node of the innermost key or value at an offset, and whether it is a key."""
    for name, key, value in node.entries() if node.kind == "map" else ():
        if key.span.start <= offset <= key.span.end:
            return (name,), key, True
        if value.span.start <= offset <= value.span.end:
            path, inner, on_key = _find_node(value, offset)
            return (name, *path), inner if inner is not None else value, on_key
    for number, item in enumerate(node.items):
        if item.span.start <= offset <= item.span.end:
            path, inner, on_key = _find_node(item, offset)
            return (number, *path), inner if inner is not None else item, on_key
    return (), None, False
