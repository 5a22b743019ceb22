"""Names that stand outside formulas: in lists of moves and phases, in `set`, in tables, hints and files of words; those of worked examples
are found by `exampled`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hoyle.diagnostics import Span
from hoyle.editor.exampled import in_example, in_moves
from hoyle.editor.stretches import IN_FORMULAS, STEP, WORD, Use, named, parts, tokens, walk
from hoyle.editor.symbols import SECTIONS, Symbol, name_span
from hoyle.language.kinds import SIDES
from hoyle.reading.shape import Path, formulas
from hoyle.reading.tree import Node

LISTED = {
    **dict.fromkeys(("choose", "play", "prefer", "over", "until", "like", "unasked"), "moves"),
    "obey": "obligations",
    **dict.fromkeys(("run", "skip", "leave", "during", "turns", "renewed"), "phases"),
    **dict.fromkeys(("gather", "holds"), "pieces"),
}
"""Keys under which entries are named by themselves, and of which sort they are."""
_ENTRIES = ("options", "tables", "piles", "state", "terms")
"""What may stand alone between braces, where other names are those of bound things."""
_KINDS = ("domain", "kind")
_UNHEARD = (*_KINDS, "place", "label", "pile", "piles", "pieces")
"""Kinds of formulas that the checker does not read as formulas."""


def bare(root: Node, symbol: Symbol, words: bool, whole: Node | None = None) -> list[Use]:
    """Where the tree of one file names this outside formulas. `words`: it is a file of words; `whole`: the merged tree of the ruleset."""
    found = {s.start: Use(s) for s in (_in_words(root, symbol, whole) if words else _in_rules(root, symbol, whole))}
    if not words:
        found |= {span.start: Use(span, True) for span in in_moves(root, symbol)}
    return list(found.values())


def _in_words(root: Node, symbol: Symbol, whole: Node | None) -> Iterator[Span]:
    """A file of words mirrors its ruleset."""
    for section, sort in SECTIONS.items():
        node = root.get(section)
        for name, key, value in node.entries() if node is not None else ():
            if symbol.sort == sort and name.split("(")[0].strip() == symbol.name:
                yield name_span(key)
            if symbol.owner == name:
                yield from (s for s in _keys(value) if s.text == symbol.name)
    players, in_words, display = root.get("players"), root.get("in_words"), root.get("display")
    for path, place, value in walk(display, ("display",)) if display is not None else ():
        yield from _shown(path, place, value, symbol)
    for path, place, value in walk(players, ("players",)) if players is not None else ():
        yield from _players(path, place, value, symbol)
        if len(path) == 2 and (symbol.sort == "seats" or symbol.owner == SIDES):
            yield from named(place, symbol.name)
    for _, key, _ in in_words.entries() if in_words is not None and in_words.kind == "map" else ():
        yield from told_of(key, symbol)
    yield from _in_texts(root, symbol, whole)


def _keys(node: Node) -> Iterator[Span]:
    """The keys of a map, and of the maps in it."""
    for _, key, value in node.entries() if node.kind == "map" else ():
        yield name_span(key)
        yield from _keys(value)


def _in_rules(root: Node, symbol: Symbol, whole: Node | None) -> Iterator[Span]:
    for path, key, value in walk(root, ()):
        if path[0] == "examples" and len(path) > 2:
            yield from in_example(path, key, value, symbol, whole)
        else:
            yield from _rule(path, key, value, symbol)
    yield from _unheard(root, symbol)
    yield from _in_texts(root, symbol, whole)


def _rule(path: Path, key: Node | None, value: Node, symbol: Symbol) -> Iterator[Span]:
    names = [part for part in path if isinstance(part, str)]
    sort = symbol.sort
    if LISTED.get(names[-1]) == sort:
        yield from named(value, symbol.name)
    if names[-1] in ("before", "after") and _sort_of(path[:-2]) == sort:
        yield from named(value, symbol.name)
    if sort == "clauses":
        yield from _clause(path, key, value, symbol)
    yield from _structure(path, key, value, symbol)
    yield from _shown(path, key, value, symbol)
    if path[:1] == ("needs",) and len(path) > 2 and SECTIONS.get(str(path[1])) == sort:
        yield from named(value, symbol.name)
    if names[-1] == "home":
        yield from _home(value, symbol)
    if path[0] == "unaffected":
        yield from _unaffected(path, key, symbol)
    if path[0] == "players":
        yield from _players(path, key, value, symbol)
    if path[0] == "in_words" and len(path) == 2 and key is not None:
        yield from told_of(key, symbol)


def _home(value: Node, symbol: Symbol) -> Iterator[Span]:
    """Where a clause is to be found: `terms/NAME(…)`, `tables/NAME/rows/NAME`."""
    way = [span.text for span in parts(value, lambda text: True, STEP)]
    section = SECTIONS.get(way[0]) if way else None
    for number, span in enumerate(parts(value, lambda text: True, STEP)):
        entry = number == 1 and section == symbol.sort
        inner = number == 3 and section == "tables" and way[1:3] == [symbol.owner, symbol.sort]
        text = span.text.partition("(")[0].rstrip()
        if (entry or inner) and text == symbol.name:
            yield Span(span.source, span.start, span.start + len(text))


def _unaffected(path: Path, key: Node | None, symbol: Symbol) -> Iterator[Span]:
    """The place of an entry, and an option that leaves its sentence true."""
    if len(path) == 2 and key is not None:
        yield from _home(key, symbol)
    elif len(path) == 3 and symbol.sort == "options":
        yield from named(key, symbol.name)


def _players(path: Path, key: Node | None, value: Node, symbol: Symbol) -> Iterator[Span]:
    """Who plays together, and what seats and sides are called."""
    if symbol.sort == "seats" and path[1:2] == ("sides",) and len(path) == 4:
        yield from named(value, symbol.name)
    if (symbol.sort == "seats" or symbol.owner == SIDES) and path[1:2] == ("words",) and len(path) == 3:
        yield from named(key, symbol.name)


def told_of(key: Node, symbol: Symbol) -> Iterator[Span]:
    """What says in words what a term or a column means: `term(…)`, `table.column(…)`."""
    first, second = [*parts(key, lambda text: True, WORD), None, None][:2]
    dotted = "." in key.raw.partition("(")[0]
    if first is not None and first.text == symbol.name and symbol.sort == ("tables" if dotted else "terms"):
        yield first
    if dotted and first is not None and second is not None and (symbol.sort, symbol.owner) == ("columns", first.text):
        yield from [second] if second.text == symbol.name else []


def _shown(path: Path, key: Node | None, value: Node, symbol: Symbol) -> Iterator[Span]:
    """What hints of the display are about, and what a piece is one of."""
    match path:
        case ("display", _) if symbol.sort in ("piles", "state", "tables"):
            yield from named(key, symbol.name)
        case ("display", table, "figures", _) if symbol.sort == "rows" and table == symbol.owner:
            yield from named(key, symbol.name)
        case ("display", _, "bar" | "off") | ("pieces", _, "from") if symbol.sort == "piles":
            yield from named(value, symbol.name)
        case ("pieces", symbol.name, "where") if symbol.sort == "pieces":
            yield from tokens(value, symbol)
        case ("state", _, "each", int()) if symbol.sort in ("tables", "pieces"):
            yield from named(value, symbol.name)
        case ("pieces", _, "of") | ("pieces", _, "of", int()) if symbol.sort == "tables":
            yield from named(value, symbol.name)


def _sort_of(path: Path) -> str:
    """The sort of the entries of the map at a path."""
    if len(path) == 1:
        return SECTIONS.get(str(path[0]), "")
    return str(path[2]) if len(path) == 3 and path[0] == "tables" else ""


def _clause(path: Path, key: Node | None, value: Node, symbol: Symbol) -> Iterator[Span]:
    if path[-1] in ("at", "shows") and value.kind == "scalar":
        yield from parts(value, lambda text: text == symbol.name, r"\S+")
    if path[:1] == ("notes",) and len(path) == 2:
        yield from named(key, symbol.name)


def _structure(path: Path, key: Node | None, value: Node, symbol: Symbol) -> Iterator[Span]:
    """Options that are set, choices that are usual or have words, cells and the order of a table."""
    sort, name = symbol.sort, symbol.name
    match path:
        case ("set", _) if sort == "options":
            yield from named(key, name)
        case ("set", option) | ("options", option, "default") if sort == "choices" and option == symbol.owner:
            yield from named(value, name)
        case ("options", option, "words", _) if sort == "choices" and option == symbol.owner:
            yield from named(key, name)
        case ("tables", table, "rows", _, _) | ("tables", table, "defaults", _):
            if sort == "columns" and table == symbol.owner:
                yield from named(key, name)
        case ("tables", table, "order", int()) if sort == "rows" and table == symbol.owner:
            yield from named(value, name)


def _unheard(root: Node, symbol: Symbol) -> Iterator[Span]:
    """Kinds, domains and places, which are no formulas that have a value."""
    if symbol.sort in ("tables", "pieces", "piles", "state", "options"):
        for place in formulas(root):
            if place.kind in (_KINDS if symbol.sort == "pieces" else _UNHEARD) and place.path[0] != "examples":
                yield from tokens(place.node, symbol)


def _in_texts(root: Node, symbol: Symbol, whole: Node | None) -> Iterator[Span]:
    """`{…}` in the texts that players read, as far as it is a formula: behind a colon stand words."""
    if symbol.sort not in IN_FORMULAS:
        return
    for path, _, value in walk(root, ()):
        if value.kind == "scalar" and "{" in value.raw:
            bound = symbol.sort not in _ENTRIES or symbol.name in _bound(path, whole)
            for braces in parts(value, lambda text: True, r"\{[^{}:]*"):
                if not bound or braces.text[1:].strip() != symbol.name:
                    if symbol.sort == "choices" and symbol.owner not in re.findall(r"\w+", braces.text):
                        continue  # a choice that another option calls alike
                    yield from tokens(Node("scalar", braces, raw=braces.text), symbol)


def _bound(path: Path, whole: Node | None) -> set[str]:
    """What a move binds, which its words mean before anything else."""
    moves = whole.get("moves") if whole is not None and path[0] == "moves" else None
    move = moves.get(str(path[1])) if moves is not None and len(path) > 1 else None
    given = [move.get(key) for key in ("with", "let")] if move is not None and move.kind == "map" else []
    return {name for node in given if node is not None for name in node.pairs}
