"""Names that stand outside formulas: in lists of moves and phases, in `set`, in tables, worked examples and files of words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from interpreter.diagnostics import Span
from interpreter.editor.symbols import SECTIONS, Symbol, name_span
from interpreter.reading.shape import Path, formulas
from interpreter.reading.tree import Node
from interpreter.running.naming import slug

LISTED = {
    **dict.fromkeys(("choose", "play", "prefer", "over", "until", "like"), "moves"),
    "obey": "obligations",
    **dict.fromkeys(("run", "skip", "leave", "during"), "phases"),
    **dict.fromkeys(("gather", "holds"), "pieces"),
}
"""Keys under which entries are named by themselves, and of which sort they are."""
_MOVES = ("moves", "legal", "includes", "forced", "refused", "after")
"""Keys of an example under which moves are written."""
_IN_MOVES = ("rows", "choices", "piles")
_IN_FORMULAS = ("options", "tables", "pieces", "piles", "state", "terms", "rows", "columns", "choices", "attributes")
_UNHEARD = ("domain", "kind", "place", "label", "pile")
"""Kinds of formulas that the checker does not read as formulas."""
_WORD = re.compile(r"[^\W\d]\w*")


class Use(Struct, frozen=True):
    """Where something is named; `in_move`: as the ids of moves write it."""

    span: Span
    in_move: bool = False


def bare(root: Node, symbol: Symbol, words: bool) -> list[Use]:
    """Where the tree of one file names this outside formulas. `words`: it is a file of words."""
    found = {s.start: Use(s) for s in (_in_words(root, symbol) if words else _in_rules(root, symbol))}
    if not words:
        found |= {span.start: Use(span, True) for span in _in_moves(root, symbol)}
    return list(found.values())


def _in_words(root: Node, symbol: Symbol) -> Iterator[Span]:
    """A file of words mirrors its ruleset."""
    for section, sort in SECTIONS.items():
        node = root.get(section)
        for name, key, value in node.entries() if node is not None else ():
            if symbol.sort == sort and name.split("(")[0].strip() == symbol.name:
                yield name_span(key)
            if symbol.owner == name:
                yield from (s for s in _keys(value) if s.text == symbol.name)
    yield from _in_texts(root, symbol)


def _keys(node: Node) -> Iterator[Span]:
    """The keys of a map, and of the maps in it."""
    for _, key, value in node.entries() if node.kind == "map" else ():
        yield name_span(key)
        yield from _keys(value)


def _in_rules(root: Node, symbol: Symbol) -> Iterator[Span]:
    for path, key, value in _walk(root, ()):
        if path[0] == "examples" and len(path) > 2:
            yield from _example(path, key, value, symbol)
        else:
            yield from _rule(path, key, value, symbol)
    yield from _unheard(root, symbol)
    yield from _in_texts(root, symbol)


def _walk(node: Node, path: Path) -> Iterator[tuple[Path, Node | None, Node]]:
    """Every value with its path, and its key if it has one."""
    for name, key, value in node.entries() if node.kind == "map" else ():
        yield (*path, name), key, value
        yield from _walk(value, (*path, name))
    for number, item in enumerate(node.items):
        yield (*path, number), None, item
        yield from _walk(item, (*path, number))


def _is(node: Node | None, name: str) -> Iterator[Span]:
    """The stretch of a scalar or a key, if it is this name."""
    if node is not None and node.kind == "scalar" and node.raw == name:
        yield name_span(node) if node.style else node.span


def _rule(path: Path, key: Node | None, value: Node, symbol: Symbol) -> Iterator[Span]:
    names = [part for part in path if isinstance(part, str)]
    sort = symbol.sort
    if LISTED.get(names[-1]) == sort:
        yield from _is(value, symbol.name)
    if names[-1] in ("before", "after") and _sort_of(path[:-2]) == sort:
        yield from _is(value, symbol.name)
    if sort == "clauses":
        yield from _clause(path, key, value, symbol)
    yield from _structure(path, key, value, symbol)
    yield from _shown(path, key, value, symbol)
    if path[:1] == ("needs",) and len(path) > 2 and SECTIONS.get(str(path[1])) == sort:
        yield from _is(value, symbol.name)
    if names[-1] == "home" and value.raw.partition("/")[2].split("(")[0].split("/")[0] == symbol.name:
        yield from _parts(value, lambda text: text == symbol.name, r"(?<=/)[^/(]+")


def _shown(path: Path, key: Node | None, value: Node, symbol: Symbol) -> Iterator[Span]:
    """What hints of the display are about, and what a piece is one of."""
    match path:
        case ("display", _) if symbol.sort in ("piles", "state", "tables"):
            yield from _is(key, symbol.name)
        case ("display", table, "figures", _) if symbol.sort == "rows" and table == symbol.owner:
            yield from _is(key, symbol.name)
        case ("pieces", _, "of") | ("pieces", _, "of", int()) if symbol.sort == "tables":
            yield from _is(value, symbol.name)


def _sort_of(path: Path) -> str:
    """The sort of the entries of the map at a path."""
    if len(path) == 1:
        return SECTIONS.get(str(path[0]), "")
    return str(path[2]) if len(path) == 3 and path[0] == "tables" else ""


def _clause(path: Path, key: Node | None, value: Node, symbol: Symbol) -> Iterator[Span]:
    if path[-1] in ("at", "shows") and value.kind == "scalar":
        yield from _parts(value, lambda text: text == symbol.name, r"\S+")
    if path[:1] == ("notes",) and len(path) == 2:
        yield from _is(key, symbol.name)


def _structure(path: Path, key: Node | None, value: Node, symbol: Symbol) -> Iterator[Span]:
    """Options that are set, choices that are usual or have words, cells and the order of a table."""
    sort, name = symbol.sort, symbol.name
    match path:
        case ("set", _) if sort == "options":
            yield from _is(key, name)
        case ("set", option) | ("options", option, "default") if sort == "choices" and option == symbol.owner:
            yield from _is(value, name)
        case ("options", option, "words", _) if sort == "choices" and option == symbol.owner:
            yield from _is(key, name)
        case ("tables", table, "rows", _, _) | ("tables", table, "defaults", _):
            if sort == "columns" and table == symbol.owner:
                yield from _is(key, name)
        case ("tables", table, "order", int()) if sort == "rows" and table == symbol.owner:
            yield from _is(value, name)


def _example(path: Path, key: Node | None, value: Node, symbol: Symbol) -> Iterator[Span]:
    """What a worked example names."""
    sort, name = symbol.sort, symbol.name
    above = [part for part in path if isinstance(part, str)]
    if path[-1] == "shows" and sort == "clauses":
        yield from _parts(value, lambda text: text == name, r"\S+")
    if path[-1] == "at" and sort in ("phases", "moves"):
        yield from _parts(value, lambda text: text.strip() == name, r"[^/]+")
    if len(path) > 3 and above[-2:-1] == ["options"]:
        yield from _is(
            key if sort == "options" else value if sort == "choices" and above[-1] == symbol.owner else None, name
        )
    if above[-2:-1] == ["refused"] or (len(path) > 2 and "refused" in above[-3:]):
        yield from _is(value, name) if sort in ("moves", "obligations") else ()
    if above[-2:-1] == ["state"] and sort in ("rows", "choices"):
        yield from _is(value, name)
    if above[-2:-1] in (["values"], ["state"], ["piles"]) and sort in _IN_FORMULAS:
        yield from _tokens(key, symbol)
        if above[-2] == "values":
            yield from _tokens(value, symbol)


def _in_moves(root: Node, symbol: Symbol) -> Iterator[Span]:
    """The moves of worked examples, and what they are bound to: `name-of-a-move binding …`, several with `;`."""
    examples = root.get("examples")
    for path, key, value in (
        _walk(examples, ()) if examples is not None and symbol.sort in ("moves", *_IN_MOVES) else ()
    ):
        above = [part for part in path if isinstance(part, str)]
        if above[-1] in _MOVES or above[-2:-1] in [["after"], ["refused"]]:
            for node in (value if above[-1] in _MOVES and above[-1] not in above[:-1][-1:] else None, key):
                if node is not None and node.kind == "scalar" and node.raw not in _MOVES:
                    yield from _move(node, symbol)


def _move(node: Node, symbol: Symbol) -> Iterator[Span]:
    first, wanted = True, slug(symbol.name)
    for span in _parts(node, lambda text: True, r"[^\s;]+|;"):
        if span.text == wanted and first == (symbol.sort == "moves"):
            yield span
        first = span.text == ";"


def _parts(node: Node, wanted: Callable[[str], bool], pattern: str) -> Iterator[Span]:
    """The stretches of a scalar that a pattern finds, those that are wanted."""
    if node.kind != "scalar":
        return
    text = node.span.text
    quote = 1 if node.style in ("'", '"') else 0
    for found in re.finditer(pattern, text[quote : len(text) - quote]):
        if wanted(found[0]):
            start = node.span.start + quote + found.start()
            yield Span(node.span.source, start, start + len(found[0]))


def _tokens(node: Node | None, symbol: Symbol) -> Iterator[Span]:
    """The words of a formula that may be this name: what hangs on something stands behind a point, what is an entry does not."""
    for span in _parts(node, lambda text: text == symbol.name, _WORD.pattern) if node is not None else ():
        dotted = span.source.text[: span.start].rstrip().endswith(".")
        called = span.source.text[span.end : span.end + 1] == "("
        if called and symbol.sort in ("rows", "choices"):
            continue
        if dotted == (symbol.sort in ("columns", "attributes")) or (dotted and symbol.sort in ("rows", "choices")):
            yield span


def _unheard(root: Node, symbol: Symbol) -> Iterator[Span]:
    """Kinds, domains and places, which are no formulas that have a value."""
    if symbol.sort in ("tables", "pieces", "piles", "state", "options"):
        for place in formulas(root):
            if place.kind in _UNHEARD and place.path[0] != "examples":
                yield from _tokens(place.node, symbol)


def _in_texts(root: Node, symbol: Symbol) -> Iterator[Span]:
    """`{…}` in the texts that players read."""
    if symbol.sort not in _IN_FORMULAS:
        return
    for _, _, value in _walk(root, ()):
        if value.kind == "scalar" and "{" in value.raw:
            for braces in _parts(value, lambda text: True, r"\{[^{}]*\}"):
                yield from _tokens(Node("scalar", braces, raw=braces.text), symbol)
