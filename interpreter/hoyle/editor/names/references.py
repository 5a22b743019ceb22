"""Where a name is given and where it is used, in all files that are built on each other."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from hoyle.checking.world import Heard
from hoyle.diagnostics import Span
from hoyle.editor.analysis import Analysis, dependents, own_tree, real
from hoyle.editor.names.plain_names import Use, bare
from hoyle.editor.names.resolution import Spot, mentions, spot, stands_in
from hoyle.editor.names.symbols import Declared, Symbol, declared, parameters
from hoyle.language.kinds import SIDES
from hoyle.language.syntax import Form
from hoyle.reading.tree import Node
from hoyle.resources import beside, language_of, shipped

Analyser = Callable[[str], Analysis]
"""The analysis of the ruleset at a real path."""
MOST_BUILT = 60
"""In how many rulesets that are built on one its names are looked for."""


class Target(Struct, frozen=True):
    """What stands at a place, and where that is written."""

    symbol: Symbol
    span: Span
    spot: Spot


def target(analysis: Analysis, file: str, offset: int) -> Target | None:
    """The thing with a name at a place, in a formula or outside."""
    found = spot(analysis, file, offset)
    if found.symbol is not None and found.span is not None:
        return Target(found.symbol, found.span, found)
    tree = own_tree(file, analysis.texts)
    if tree is None or found.node is None:
        return None
    near = found.node.raw
    for symbol in symbols_of(analysis):
        if symbol.name in near or symbol.name.replace(" ", "-") in near:
            for use in bare(tree, symbol, bool(language_of(Path(file)))):
                if use.span.start <= offset <= use.span.end:
                    return Target(symbol, use.span, found)
    return None


def symbols_of(analysis: Analysis) -> list[Symbol]:
    return list(dict.fromkeys(d.symbol for d in declared(analysis.root))) if analysis.root is not None else []


def definitions(analysis: Analysis, file: str, offset: int) -> list[Span]:
    """Where what stands there gets its name: in the file itself or the nearest that it is built on first. Of the name of a file its beginning."""
    named = _file_named(analysis, file, offset)
    if named is not None:
        return [named]
    found = target(analysis, file, offset)
    if found is None:
        return []
    if found.symbol.sort == "locals":
        binder = binding(analysis, file, found)
        return [binder] if binder is not None else []
    if found.symbol == Symbol("tables", SIDES):  # no table of the file, so it cannot be renamed
        return [
            players.key("sides").span
            for tree in _trees(analysis)
            if (players := tree.get("players")) and players.get("sides")
        ]
    return [d.name for d in declarations(analysis, found.symbol)]


def _trees(analysis: Analysis) -> list[Node]:
    """Each file's own tree, the nearest first, without files of words."""
    names = (name for name in reversed(analysis.files) if not language_of(Path(name)))
    return [tree for name in names if (tree := own_tree(name, analysis.texts)) is not None]


def declarations(analysis: Analysis, symbol: Symbol) -> list[Declared]:
    """Each file's own, the nearest first."""
    if symbol.sort == "attributes":
        return _attribute(analysis, symbol)
    return [d for tree in _trees(analysis) for d in declared(tree) if d.symbol == symbol]


def _attribute(analysis: Analysis, symbol: Symbol) -> list[Declared]:
    """An attribute of a piece is a table that it is one of, by what one row is called."""
    world = analysis.hearing.world
    tables = world.tables.values() if world is not None else ()
    name = next((t.name for t in tables if t.one == symbol.name or t.name == symbol.name), None)
    return (
        declarations(analysis, Symbol("tables", name))
        if name is not None
        else declarations(analysis, Symbol("pieces", symbol.owner))
    )


def _file_named(analysis: Analysis, file: str, offset: int) -> Span | None:
    tree = own_tree(file, analysis.texts)
    for key in ("extends", "use") if tree is not None and tree.kind == "map" else ():
        assert tree is not None
        node = tree.get(key)
        for item in () if node is None else node.items if node.kind == "list" else (node,):
            place = beside(item.raw, Path(file).parent) or shipped().get(item.raw)
            if item.span.start <= offset <= item.span.end and place is not None:
                there = own_tree(place, analysis.texts)
                return Span(there.span.source, 0, 0) if there is not None else None
    return None


# ---- names that are bound --------------------------------------------------------------------------------------------


def binding(analysis: Analysis, file: str, found: Target) -> Span | None:
    """Where a name is bound that only a formula, a term or a move knows."""
    name, at = found.symbol.name, found.span.start
    inside = [h.form for h in analysis.hearing.forms if _binds(h, name) and h.form.span.start <= at < h.form.span.end]
    near = [form for form in inside if stands_in(form.span, file)]
    if near:
        return _bound_in(min(near, key=lambda form: form.span.end - form.span.start))
    tree = own_tree(file, analysis.texts)
    return _bound_above(tree, at, name) if tree is not None else None


def _binds(heard: Heard, name: str) -> bool:
    return heard.form.op in ("quantifier", "extreme", "collected") and heard.form.name == name


def _bound_in(form: Form) -> Span:
    found = re.search(rf"\b(?:for|some|every|no|most|least)\s+({re.escape(form.name)})\b", form.span.text)
    start = form.span.start + (found.start(1) if found else 0)
    return Span(form.span.source, start, start + len(form.name)) if found else form.span


def _bound_above(node: Node, at: int, name: str) -> Span | None:
    """In the keys and entries around a place, the innermost first."""
    for _, key, value in node.entries() if node.kind == "map" else ():
        if value.span.start <= at <= value.span.end:
            inner = _bound_above(value, at, name)
            own = inner or next((span for word, span in parameters(key) if word == name), None)
            return own or _bound_beside(node, name)
    for item in node.items:
        if item.span.start <= at <= item.span.end:
            return _bound_above(item, at, name)
    return None


def _bound_beside(node: Node, name: str) -> Span | None:
    """By `for`, `with`, `let` of a map, by the columns of a table, or by what a move takes and puts."""
    columns = node.get("columns")
    for _, column, _ in columns.entries() if columns is not None and columns.kind == "map" else ():
        taken = next((span for word, span in parameters(column) if word == name), None)
        if taken is not None:
            return taken
    loop = node.get("for")
    if loop is not None and re.match(rf"{re.escape(name)}\s+in\b", loop.raw):
        return loop.stretch(0, len(name))
    for key in ("with", "let"):
        inner = node.get(key)
        if inner is not None and inner.kind == "map" and name in inner.pairs:
            return inner.key(name).span
    key = {"card": "take", "from": "take", "to": "put"}.get(name, "")
    return node.key(key).span if key in node.pairs else None


# ---- uses ------------------------------------------------------------------------------------------------------------


def references(analysis: Analysis, found: Target, analyser: Analyser) -> list[Use]:
    """Every place where it is given its name or used, in all files that are built on the one that names it first."""
    if found.symbol.sort == "locals":
        return [Use(span) for span in _local(analysis, found)]
    places: dict[tuple[str, int], Use] = {}
    for other in family(analysis, found.symbol, analyser):
        for use in uses(other, found.symbol):
            places.setdefault((real(use.span.source.name), use.span.start), use)
    return [places[key] for key in sorted(places)]


def family(analysis: Analysis, symbol: Symbol, analyser: Analyser) -> list[Analysis]:
    """The rulesets in which it may be used: those built on the file that first gives it its name, and that itself."""
    given = declarations(analysis, symbol)
    own = real(analysis.path)
    first = real(given[-1].name.source.name) if given else own
    built = dependents(first, analysis.texts)[:MOST_BUILT]
    return [analysis if place == own else analyser(place) for place in dict.fromkeys([first, own, *built])]


def uses(analysis: Analysis, symbol: Symbol) -> Iterator[Use]:
    """All in the files that one ruleset is made of."""
    for mention in mentions(analysis.hearing):
        if mention.symbol == symbol:
            yield Use(mention.span)
    for name in analysis.files:
        tree = own_tree(name, analysis.texts)
        if tree is not None:
            words = bool(language_of(Path(name)))
            yield from (Use(d.name) for d in declared(tree) if d.symbol == symbol and not words)
            yield from bare(tree, symbol, words, analysis.root)
    for attribute in _attributes_of(analysis, symbol):
        yield from (Use(use.span, one=True) for use in uses(analysis, attribute))


def _attributes_of(analysis: Analysis, symbol: Symbol) -> Iterator[Symbol]:
    """Of a table the attributes of pieces that are one of its rows and have their name of it."""
    world, tables = analysis.hearing.world, analysis.root.get("tables") if analysis.root is not None else None
    table = tables.get(symbol.name) if symbol.sort == "tables" and tables is not None else None
    if world is not None and table is not None and table.get("one") is None and symbol.name in world.tables:
        one = world.tables[symbol.name].one
        yield from (Symbol("attributes", one, piece.name) for piece in world.pieces.values() if one in piece.attributes)


def _local(analysis: Analysis, found: Target) -> list[Span]:
    """Uses of a bound name: those with the same binding."""
    file = real(found.span.source.name)
    bound = binding(analysis, file, found)
    same = [m for m in mentions(analysis.hearing) if m.symbol == found.symbol and stands_in(m.span, file)]
    spans = {bound.start: bound} if bound is not None else {}
    for mention in same:
        if binding(analysis, file, Target(mention.symbol, mention.span, found.spot)) == bound:
            spans[mention.span.start] = mention.span
    return [spans[start] for start in sorted(spans)]
