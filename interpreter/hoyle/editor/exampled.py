"""Names in worked examples: where play stands, who acts and wins, what lies there, moves, and formulas with their values."""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.diagnostics import Span
from hoyle.editor.stretches import IN_FORMULAS, STEP, WORD, named, parts, tokens, walk
from hoyle.editor.symbols import Symbol
from hoyle.reading.shape import Path
from hoyle.reading.tree import Node
from hoyle.running.naming import slug

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
