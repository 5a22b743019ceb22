"""Names that stand outside formulas: in lists of moves and phases, in `set`, in tables, hints and files of words; those of worked examples
are found by `exampled`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.editor.names.symbols import SECTIONS, Symbol, name_span
from hoyle.language.kinds import SIDES
from hoyle.reading.shape import Path, formulas
from hoyle.reading.tree import Node
from hoyle.running.naming import slug

WORD = r"[^\W\d]\w*"
STEP = r"[^/\s](?:[^/]*[^/\s])?"
"""A name on a way, without the blanks around it."""
IN_FORMULAS = (
    "options",
    "tables",
    "piles",
    "state",
    "terms",
    "rows",
    "columns",
    "choices",
    "attributes",
    "seats",
)


class Use(Struct, frozen=True):
    """Where something is named; `in_move`: as the ids of moves write it; `one`: by what one row of it is called."""

    span: Span
    in_move: bool = False
    one: bool = False


def walk(node: Node, path: Path) -> Iterator[tuple[Path, Node | None, Node]]:
    """Every value with its path, and its key if it has one."""
    for name, key, value in node.entries() if node.kind == "map" else ():
        yield (*path, name), key, value
        yield from walk(value, (*path, name))
    for number, item in enumerate(node.items):
        yield (*path, number), None, item
        yield from walk(item, (*path, number))


def named(node: Node | None, name: str) -> Iterator[Span]:
    """The stretch of a scalar or a key, if it is this name."""
    if node is not None and node.kind == "scalar" and node.raw == name:
        yield name_span(node) if node.style else node.span


def parts(node: Node, wanted: Callable[[str], bool], pattern: str) -> Iterator[Span]:
    """The stretches of a scalar that a pattern finds, those that are wanted."""
    if node.kind != "scalar":
        return
    for found in re.finditer(pattern, node.raw):
        if wanted(found[0]):
            yield node.stretch(*found.span())


def tokens(node: Node | None, symbol: Symbol) -> Iterator[Span]:
    """The words of a formula that may be this name: what hangs on something stands behind a point, what is an entry does not."""
    names = (symbol.name, symbol.name.replace(" ", "_"))
    for span in parts(node, lambda text: text in names, WORD) if node is not None else ():
        dotted = span.source.text[: span.start].rstrip().endswith(".")
        called = span.source.text[span.end : span.end + 1] == "("
        if called and symbol.sort in ("rows", "choices"):
            continue
        if dotted == (symbol.sort in ("columns", "attributes")) or (dotted and symbol.sort in ("rows", "choices")):
            yield span


_MOVES = ("moves", "legal", "includes", "forced", "refused", "after")
"""Keys of an example under which moves are written."""
_IN_MOVES = ("rows", "choices", "piles", "seats")
_FAMILIES = {"state": "state", "piles": "piles", "ends": "piles"}
"""What the first word of a key names there; the others are what it is `of` or `at`."""
_MEMBERS = ("rows", "choices", "seats")
_WHO = ("to_act", "winner")


def in_example(path: Path, key: Node | None, value: Node, symbol: Symbol, whole: Node | None) -> Iterator[Span]:
    """What a worked example names outside its moves. `whole`: the merged tree of the ruleset."""
    sort, name = symbol.sort, symbol.name
    above = [part for part in path if isinstance(part, str)]
    if path[-1] == "shows" and sort == "clauses":
        yield from parts(value, lambda text: text == name, r"\S+")
    if path[-1] == "at" and sort == "phases":
        yield from _phases(value, name, whole.get("flow") if whole is not None else None)
    if len(path) > 3 and above[-2:-1] == ["options"]:
        chosen = value if sort == "choices" and above[-1] == symbol.owner else None
        yield from named(key if sort == "options" else chosen, name)
    if above[-2:-1] == ["refused"] or (len(path) > 2 and "refused" in above[-3:]):
        yield from named(value, name) if sort in ("moves", "obligations") else ()
    yield from _who(above, key, value, symbol)
    yield from _lies(above, key, value, symbol, whole)


def _phases(value: Node, name: str, flow: Node | None) -> Iterator[Span]:
    """Where a place of the flow names a phase, and not a step of the same name in the phase before it."""
    before = ""
    for span in parts(value, lambda text: True, STEP):
        phase = flow.get(before) if flow is not None else None
        steps = {path[-1] for path, key, _ in walk(phase, ()) if key is not None} if phase is not None else set()
        if span.text == name and not (before == name and name in steps):
            yield span
        before = span.text


def _who(above: list[str], key: Node | None, value: Node, symbol: Symbol) -> Iterator[Span]:
    """Seats and sides: who acts and wins, what they have scored, what was announced of them."""
    if symbol.sort in ("seats", "rows"):
        if above[-1] in _WHO:
            yield from named(value, symbol.name)
        if above[-2:-1] == ["scores"]:
            yield from named(key, symbol.name)
        if above[-1] == "said":
            yield from _first(value, symbol.name)


def _first(node: Node, name: str) -> Iterator[Span]:
    """The name at the beginning of a text."""
    yield from (span for span in list(parts(node, lambda text: True, r"\S+"))[:1] if span.text == name)


def _lies(above: list[str], key: Node | None, value: Node, symbol: Symbol, whole: Node | None) -> Iterator[Span]:
    """What lies where, what is written, and what formulas are worth."""
    held = above[-2] if len(above) > 1 else ""
    if held == "values" and symbol.sort in IN_FORMULAS:
        yield from tokens(key, symbol)
        yield from tokens(value, symbol)
    if held == "state" and symbol.sort in _MEMBERS and symbol.owner in ("", _kind(above[-1], whole)):
        yield from named(value, symbol.name)
    if held in _FAMILIES and key is not None:
        words = list(parts(key, lambda text: True, WORD))
        wanted = words[:1] if symbol.sort == _FAMILIES[held] else words[1:] if symbol.sort in _MEMBERS else []
        yield from (span for span in wanted if span.text == symbol.name)


def _kind(written: str, whole: Node | None) -> str:
    """The table or option whose rows or choices stand there in the state, by what is written before it."""
    entries = whole.get("state") if whole is not None else None
    entry = entries.get(written.partition(" ")[0]) if entries is not None and entries.kind == "map" else None
    return entry.raw_of("kind").rstrip("?").strip() if entry is not None and entry.kind == "map" else ""


def in_moves(root: Node, symbol: Symbol) -> Iterator[Span]:
    """The moves of worked examples, and what they are bound to: `name-of-a-move binding …`, several with `;`."""
    examples = root.get("examples")
    for path, key, value in walk(examples, ()) if examples is not None and symbol.sort in ("moves", *_IN_MOVES) else ():
        above = [part for part in path if isinstance(part, str)]
        if above[-1] in _MOVES or above[-2:-1] in [["after"], ["refused"]]:
            for node in (value if above[-1] in _MOVES and above[-1] not in above[:-1][-1:] else None, key):
                if node is not None and node.kind == "scalar" and node.raw not in _MOVES:
                    yield from _move(node, symbol)


def _move(node: Node, symbol: Symbol) -> Iterator[Span]:
    first, wanted = True, slug(symbol.name)
    for span in parts(node, lambda text: True, r"[^\s;]+|;"):
        if span.text == wanted and first == (symbol.sort == "moves"):
            yield span
        first = span.text == ";"


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
