"""Finds the declarations and all uses of a name, in every file that is built on the same ruleset."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.editor.analysis import Analysis, find_dependents, load_tree, resolve_path
from hoyle.editor.names.plain_names import Use, find_plain_uses
from hoyle.editor.names.resolution import is_in_file, list_mentions, look_up
from hoyle.editor.names.symbols import Declaration, Symbol, list_declarations, list_parameters
from hoyle.language.value_types import SIDES
from hoyle.reading.tree import Node
from hoyle.resources import find_beside, language_of, shipped

Analyser = Callable[[str], Analysis]
"""Returns the analysis of the ruleset at a real path."""
MOST_DEPENDENTS = 60
"""How many rulesets built on a file are searched for its names."""


class Target(Struct, frozen=True):
    """A symbol, and the span where it is named at the cursor."""

    symbol: Symbol
    span: Span


def find_target(analysis: Analysis, file: str, offset: int) -> Target | None:
    """Return the symbol that is named at an offset, in a formula or outside."""
    spot = look_up(analysis, file, offset)
    if spot.symbol is not None and spot.span is not None:
        return Target(spot.symbol, spot.span)
    tree = load_tree(file, analysis.texts)
    if tree is None or spot.node is None:
        return None
    text = spot.node.raw
    for symbol in list_symbols(analysis):
        if symbol.name in text or symbol.name.replace(" ", "-") in text:
            for use in find_plain_uses(tree, symbol, bool(language_of(Path(file)))):
                if use.span.start <= offset <= use.span.end:
                    return Target(symbol, use.span)
    return None


def list_symbols(analysis: Analysis) -> list[Symbol]:
    """Return everything that the ruleset declares."""
    declarations = list_declarations(analysis.root) if analysis.root is not None else []
    return list(dict.fromkeys(declaration.symbol for declaration in declarations))


# ---- definitions -----------------------------------------------------------------------------------------------------


def find_definitions(analysis: Analysis, file: str, offset: int) -> list[Span]:
    """Return where the name at an offset is declared, the nearest file first. The name of a file leads to its start."""
    named_file = _find_named_file(analysis, file, offset)
    if named_file is not None:
        return [named_file]
    target = find_target(analysis, file, offset)
    if target is None:
        return []
    if target.symbol.category == "locals":
        binding = _find_binding(analysis, file, target)
        return [binding] if binding is not None else []
    if target.symbol == Symbol("tables", SIDES):  # not declared by a table, so find_declarations does not have it
        return [
            players.key("sides").span
            for tree in _load_trees(analysis)
            if (players := tree.get("players")) and players.get("sides")
        ]
    return [declaration.name for declaration in find_declarations(analysis, target.symbol)]


def _load_trees(analysis: Analysis) -> list[Node]:
    """Return the trees of all files but files of words, the nearest first."""
    names = (name for name in reversed(analysis.files) if not language_of(Path(name)))
    return [tree for name in names if (tree := load_tree(name, analysis.texts)) is not None]


def find_declarations(analysis: Analysis, symbol: Symbol) -> list[Declaration]:
    """Return the declarations in all files, the nearest first. An attribute is declared by its table or piece."""
    if symbol.category == "attributes":
        symbols = analysis.trace.symbols
        tables = symbols.tables.values() if symbols is not None else ()
        name = next((table.name for table in tables if symbol.name in (table.one, table.name)), None)
        symbol = Symbol("tables", name) if name is not None else Symbol("pieces", symbol.owner)
    return [entry for tree in _load_trees(analysis) for entry in list_declarations(tree) if entry.symbol == symbol]


def _find_named_file(analysis: Analysis, file: str, offset: int) -> Span | None:
    """Return the start of the file that `extends` or `use` names at an offset."""
    tree = load_tree(file, analysis.texts)
    for key in ("extends", "use") if tree is not None and tree.kind == "map" else ():
        assert tree is not None
        node = tree.get(key)
        for item in () if node is None else node.items if node.kind == "list" else (node,):
            path = find_beside(item.raw, Path(file).parent) or shipped().get(item.raw)
            if item.span.start <= offset <= item.span.end and path is not None:
                other = load_tree(path, analysis.texts)
                return Span(other.span.source, 0, 0) if other is not None else None
    return None


# ---- bound names -----------------------------------------------------------------------------------------------------


def _find_binding(analysis: Analysis, file: str, target: Target) -> Span | None:
    """Return where a local name is bound: by a formula around it, or by the keys of entries around it."""
    name, at = target.symbol.name, target.span.start
    binders = [
        form
        for form in (checked.form for checked in analysis.trace.forms)
        if form.op in ("quantifier", "extreme", "collected")
        and form.name == name
        and form.span.start <= at < form.span.end
        and is_in_file(form.span, file)
    ]
    if binders:
        form = min(binders, key=lambda form: form.span.end - form.span.start)
        binder = re.search(rf"\b(?:for|some|every|no|most|least)\s+({re.escape(name)})\b", form.span.text)
        if binder is None:
            return form.span
        start = form.span.start + binder.start(1)
        return Span(form.span.source, start, start + len(name))
    tree = load_tree(file, analysis.texts)
    return _find_outer_binding(tree, at, name) if tree is not None else None


def _find_outer_binding(node: Node, at: int, name: str) -> Span | None:
    """Return the binding in the keys and entries around an offset, the innermost first."""
    for _, key, value in node.entries() if node.kind == "map" else ():
        if value.span.start <= at <= value.span.end:
            inner = _find_outer_binding(value, at, name)
            return inner or _find_parameter(key, name) or _find_sibling_binding(node, name)
    for item in node.items:
        if item.span.start <= at <= item.span.end:
            return _find_outer_binding(item, at, name)
    return None


def _find_parameter(key: Node, name: str) -> Span | None:
    return next((span for word, span in list_parameters(key) if word == name), None)


def _find_sibling_binding(node: Node, name: str) -> Span | None:
    """Return the binding by `for`, `with`, `let`, `take` or `put` in a map, or by a column of a table."""
    columns = node.get("columns")
    for _, column, _ in columns.entries() if columns is not None and columns.kind == "map" else ():
        parameter = _find_parameter(column, name)
        if parameter is not None:
            return parameter
    loop = node.get("for")
    if loop is not None and re.match(rf"{re.escape(name)}\s+in\b", loop.raw):
        return loop.span_of_slice(0, len(name))
    for binder in ("with", "let"):
        inner = node.get(binder)
        if inner is not None and inner.kind == "map" and name in inner.pairs:
            return inner.key(name).span
    key = {"card": "take", "from": "take", "to": "put"}.get(name, "")
    return node.key(key).span if key in node.pairs else None


# ---- uses ------------------------------------------------------------------------------------------------------------


def find_references(analysis: Analysis, target: Target, analyse: Analyser) -> list[Use]:
    """Return all declarations and uses, in all rulesets built on the file that declares the symbol first."""
    if target.symbol.category == "locals":
        return [Use(span) for span in _find_local_uses(analysis, target)]
    uses: dict[tuple[str, int], Use] = {}
    for ruleset in list_users(analysis, target.symbol, analyse):
        for use in _find_uses(ruleset, target.symbol):
            uses.setdefault((resolve_path(use.span.source.name), use.span.start), use)
    return [uses[key] for key in sorted(uses)]


def list_users(analysis: Analysis, symbol: Symbol, analyse: Analyser) -> list[Analysis]:
    """Return the rulesets that may use a symbol: the file that declares it first, and all built on that."""
    declarations = find_declarations(analysis, symbol)
    own = resolve_path(analysis.path)
    first = resolve_path(declarations[-1].name.source.name) if declarations else own
    dependents = find_dependents(first, analysis.texts)[:MOST_DEPENDENTS]
    return [analysis if path == own else analyse(path) for path in dict.fromkeys([first, own, *dependents])]


def _find_uses(analysis: Analysis, symbol: Symbol) -> Iterator[Use]:
    """Yield all declarations and uses in the files of one ruleset."""
    for mention in list_mentions(analysis.trace):
        if mention.symbol == symbol:
            yield Use(mention.span)
    for name in analysis.files:
        tree = load_tree(name, analysis.texts)
        if tree is not None:
            is_wording = bool(language_of(Path(name)))
            for declaration in list_declarations(tree) if not is_wording else ():
                if declaration.symbol == symbol:
                    yield Use(declaration.name)
            yield from find_plain_uses(tree, symbol, is_wording, analysis.root)
    for attribute in _list_attributes(analysis, symbol):
        yield from (Use(use.span, is_singular=True) for use in _find_uses(analysis, attribute))


def _list_attributes(analysis: Analysis, symbol: Symbol) -> Iterator[Symbol]:
    """Yield the attributes of pieces that are named after a table."""
    symbols, tables = analysis.trace.symbols, analysis.root.get("tables") if analysis.root is not None else None
    table = tables.get(symbol.name) if symbol.category == "tables" and tables is not None else None
    if symbols is not None and table is not None and table.get("one") is None and symbol.name in symbols.tables:
        one = symbols.tables[symbol.name].one
        yield from (
            Symbol("attributes", one, piece.name) for piece in symbols.pieces.values() if one in piece.attributes
        )


def _find_local_uses(analysis: Analysis, target: Target) -> list[Span]:
    """Return the binding of a local name and the uses with the same binding."""
    file = resolve_path(target.span.source.name)
    binding = _find_binding(analysis, file, target)
    spans = {binding.start: binding} if binding is not None else {}
    for mention in list_mentions(analysis.trace):
        if mention.symbol != target.symbol or not is_in_file(mention.span, file):
            continue
        if _find_binding(analysis, file, Target(mention.symbol, mention.span)) == binding:
            spans[mention.span.start] = mention.span
    return [spans[start] for start in sorted(spans)]
