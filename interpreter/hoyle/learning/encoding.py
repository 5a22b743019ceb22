"""Observations: what a seat sees and remembers, as numbers. `layout` describes them.

They are made from redacted states and `Knowledge`, never from the state itself, so they cannot contain anything hidden.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.language.ir import NO_NUMBER
from hoyle.language.value_types import ValueType
from hoyle.learning.layout import Group, Layout, Sort, rotate_values
from hoyle.players.inference.knowledge import Knowledge
from hoyle.players.search.information_set import HIDDEN, SeatView
from hoyle.running.state import Core

Numbers: TypeAlias = "array[float]"
"""32-bit floats with integer values."""


class Begun(Struct, frozen=True):
    """The partial action that is being composed: the numbers of its head and of its items."""

    head: int
    items: tuple[int, ...] = ()


class PileRow(Struct, frozen=True):
    """Offsets of a pile's numbers in an observation; -1 if absent."""

    pile: int
    first: int
    count: int
    among: int
    shown: int
    top: int
    places: int
    room: int


class CellRow(Struct, frozen=True):
    """Offsets of a cell's numbers. For one-hot values, `places` is the offset of each value from `at`."""

    cell: int
    at: int
    high: int
    there: int
    places: tuple[int, ...] | None
    piece: bool


class _MemoryRow(Struct, frozen=True):
    """Offsets of the numbers for remembered pieces of a pile."""

    pile: int
    first: int
    classes: int
    remembered: int
    possible: int
    recalled: int


class Encoder:
    """Encodes the observations of one seat."""

    def __init__(self, game: Compiled, layout: Layout) -> None:
        self.game, self.layout = game, layout
        self._sight = SeatView(game.machine, layout.seat)
        self._seats = len(game.seats)
        self._seen_at = {cell: n for n, cell in enumerate(self._sight.known_cells)}
        places = {path: n for n, path in enumerate(layout.places)}
        self.place = {pc: places[" / ".join(point.path)] for pc, point in game.machine.points.items()}
        self.piles = [_pile_row(group, n) for group in layout.about("piles") for n in range(len(group.members))]
        self.cells = [row for group in layout.about("state") for row in _cell_rows(game, group, layout.seat)]
        self._memory = [_memory_row(group, n) for group in layout.about("memory") for n in range(len(group.members))]
        action = next(iter(layout.about("action")), None)
        self.begun = tuple(_places(action, 0, "begun", "chosen")) if action is not None else (-1, -1)
        """Offsets of a partial action: its head, and counts of chosen items."""

    def __call__(self, core: Core, knowledge: Knowledge | None = None, begun: Begun | None = None) -> Numbers:
        """Return the observation of a state, with what the seat remembers and its partial action if given."""
        found = array("f", bytes(4 * self.layout.size))
        pc, actor, piles, cells = self._sight(core)
        self._tell_game(found, pc, actor)
        for row in self.piles:
            if piles[row.pile]:
                _tell_pile(found, row, piles[row.pile])
        for cell in self.cells:
            _tell_cell(found, cell, int(cells[self._seen_at[cell.cell]]))
        if begun is not None:
            self._tell_begun(found, begun)
        if knowledge is not None:
            placed = self._placed(knowledge)
            for memory in self._memory:
                _tell_memory(found, memory, piles[memory.pile], knowledge, placed)
        return found

    def _tell_game(self, found: Numbers, pc: int, actor: int) -> None:
        found[self.layout.seat] = 1
        if actor >= 0:
            found[self._seats + (actor - self.layout.seat) % self._seats] = 1
            found[2 * self._seats + self.place[pc]] = 1

    def _placed(self, knowledge: Knowledge) -> int:
        """Return a bit mask of the classes whose pieces the seat can all locate. No unknown piece is of these classes."""
        known = knowledge.known
        there = Counter(known[mark] for pile in knowledge.piles for mark in pile if mark in known)
        copies = self.game.machine.copies
        return sum(1 << sort for sort, count in there.items() if count >= copies[sort])

    def _tell_begun(self, found: Numbers, begun: Begun) -> None:
        begins, chosen = self.begun
        found[begins + begun.head] = 1
        for item in begun.items:
            found[chosen + item] += 1


# ---- where things stand ----------------------------------------------------------------------------------------------


def _places(group: Group, member: int, *sorts: Sort) -> Iterator[int]:
    """Yield the offsets of a member's parts; -1 for parts that it lacks."""
    begins = group.at + member * group.stride
    for sort in sorts:
        part = group.part(sort)
        yield begins + part.at if part is not None else -1


def _pile_row(group: Group, member: int) -> PileRow:
    room = group.part("places")
    count, among, shown, top, places = _places(group, member, "count", "among", "shown", "top", "places")
    size = room.size if room is not None else 0
    return PileRow(group.members[member], group.first, count, among, shown, top, places, size)


def _memory_row(group: Group, member: int) -> _MemoryRow:
    part = group.part("remembered")
    assert part is not None
    remembered, possible, recalled = _places(group, member, "remembered", "possible", "recalled")
    return _MemoryRow(group.members[member], group.first, part.size, remembered, possible, recalled)


def _cell_rows(game: Compiled, group: Group, seat: int) -> Iterator[CellRow]:
    value_type = game.ruleset.state[group.name].type
    order = _order(game, value_type, group, seat) if group.part("which") is not None else None
    for n, cell in enumerate(group.members):
        at, number, low, high, there = _places(group, n, "which", "number", "low", "high", "there")
        yield CellRow(cell, max(at, number, low), high, there, order, value_type.name == "piece")


def _order(game: Compiled, value_type: ValueType, group: Group, seat: int) -> tuple[int, ...]:
    """Return the index of each value (for pieces: of each class) in the seat's order."""
    if value_type.name == "piece":
        classes = range(group.first, group.first + game.count_of(value_type))
        return tuple(sort - group.first if sort in classes else -1 for sort in range(len(game.machine.copies)))
    values = rotate_values(game, value_type, seat)
    return tuple(values.index(value) for value in range(len(values)))


# ---- what is told ----------------------------------------------------------------------------------------------------


def _tell_pile(found: Numbers, row: PileRow, pile: Sequence[int]) -> None:
    found[row.count] = len(pile)
    if row.among >= 0:
        for piece in pile:
            if piece >= 0:
                found[row.among + (piece >> 1) - row.first] += 1
    if row.shown >= 0:
        for piece in pile:
            if piece & 1 and piece >= 0:
                found[row.shown + (piece >> 1) - row.first] += 1
    if row.top >= 0 and pile and pile[-1] >= 0:
        found[row.top + (pile[-1] >> 1) - row.first] = 1
    if row.places >= 0:
        for at, piece in zip(range(row.places, row.places + row.room), pile, strict=False):
            found[at] = 1 if piece == HIDDEN else 2 + piece - 2 * row.first


def _tell_cell(found: Numbers, row: CellRow, value: int) -> None:
    if row.places is not None:
        if value >= 0:
            found[row.at + row.places[value >> 1 if row.piece else value]] = 1
        return
    if value == NO_NUMBER:
        return
    if row.there >= 0:
        found[row.there] = 1
    if row.high >= 0:
        found[row.high], value = value >> 16, value & 65535
    found[row.at] = value


def _tell_memory(found: Numbers, row: _MemoryRow, pile: Sequence[int], knowledge: Knowledge, placed: int) -> None:
    marks, known = knowledge.piles[row.pile], knowledge.known
    among = Counter(known[mark] for mark in marks if mark in known)
    among.update(sort for bag in knowledge.bags if bag.marks.issubset(marks) for sort in bag.classes)
    among.subtract(piece >> 1 for piece in pile if piece >= 0)
    for sort, count in among.items():
        found[row.remembered + sort - row.first] = max(count, 0)
    may = 0
    for mark in marks:
        may |= 0 if mark in known else knowledge.may.get(mark, 0)
    may &= ~placed
    for sort in range(row.classes) if may else ():
        found[row.possible + sort] = may >> (sort + row.first) & 1
    if row.recalled >= 0:
        for n, (mark, piece) in enumerate(zip(marks, pile, strict=True)):
            found[row.recalled + n] = 1 + known[mark] - row.first if piece == HIDDEN and mark in known else 0
