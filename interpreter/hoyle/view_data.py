"""Data of a view: what a seat sees of a state. `game.views` makes it; pictures, terminal, web and rulebook show it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import groupby
from typing import Any

from msgspec import Struct

from hoyle.language.model import Texts


class PieceView(Struct, frozen=True):
    """A piece as a seat sees it. `sign` is None if it is hidden. `colour` is the `colour` of its row, or its owner's seat."""

    sign: str | None
    up: bool
    colour: str


BACK = PieceView(None, False, "")
"""A hidden piece."""


class PileView(Struct, frozen=True):
    """A pile: its family, its owner's seat, its member's name, its number, its layout and the count of pieces.

    `pieces` are from bottom to top. `order` lists their places in the order in which they are shown.
    """

    family: str
    owner: str | None
    member: str | None
    number: int | None
    key: str
    layout: str
    count: int
    pieces: tuple[PieceView, ...]
    order: tuple[int, ...]
    told_by: str = ""
    """The state that tells how much lies here; empty if there is none."""
    stacked: bool = False
    """True if the ruleset hints that only the top piece and the count matter."""


class StateView(Struct, frozen=True):
    """A value of the state: its member, the plain value, and its words by language.

    On a track it also has the number of holes (0: no track), and the value before the last score (the back peg).
    """

    name: str
    member: str | None
    value: Any
    texts: Texts
    track: int
    back: int | None = None


def find_owner(value: StateView, seats: Collection[str]) -> str | None:
    """Return the seat that has a value: `A`, or the first key of `A of plis`."""
    first = (value.member or "").partition(" of ")[0]
    return first if first in seats else None


def is_worth_showing(value: StateView) -> bool:
    """Return whether a value is not absent, false or zero."""
    return value.value not in (None, False, 0, "")


def is_on_sheet(value: StateView, seats: Collection[str]) -> bool:
    """Return whether a value is shown on a score sheet, not beside a name."""
    keys = (value.member or "").split(" of ")
    return len(keys) > 2 or (len(keys) == 2 and find_owner(value, seats) is None)


def values_beside_name(values: Iterable[StateView], owner: str | None, seats: Collection[str]) -> list[list[StateView]]:
    """Return the values to show beside a seat, grouped by state. With None, those in the middle of the table.

    States whose values are absent, false or zero for all are left out.
    """
    known = list(values)
    worth = {value.name for value in known if is_worth_showing(value)}
    own = [
        v
        for v in known
        if find_owner(v, seats) == owner and v.name in worth and not v.track and not is_on_sheet(v, seats)
    ]
    return [list(group) for _, group in groupby(own, key=lambda value: value.name)]


class BoardView(Struct, frozen=True):
    """Piles laid out as a board: their family, and keys of piles in the order of the viewer's numbers.

    points  keys of the piles along the board; `labels` names them
    bar     keys of the piles where men wait to enter, in the order of seats
    off     keys of the piles of men that are borne off, in the order of seats
    """

    family: str
    points: tuple[str, ...]
    labels: tuple[str, ...]
    numbered: bool = False
    """True if the labels are the viewer's own numbers, not names that are the same for all seats."""
    bar: tuple[str, ...] = ()
    off: tuple[str, ...] = ()


class SheetCell(Struct, frozen=True):
    """A box of a score sheet: its plain value (None: not filled yet), and its words by language."""

    value: Any
    texts: Texts


EMPTY = SheetCell(None, ())
"""A box that is not filled yet."""


class SheetKey(Struct, frozen=True):
    """The head of a row or a column: its name in ids, and its words by language."""

    key: str
    texts: Texts


class SheetRow(Struct, frozen=True):
    """A row of a score sheet: a cell for each column (None: no box), and the rows that it sums up."""

    head: SheetKey
    cells: tuple[SheetCell | None, ...]
    parts: tuple[SheetRow, ...] = ()


class SheetView(Struct, frozen=True):
    """A score sheet, without what the seat may not know.

    name    the state that it shows
    sort    `state`, `square` (a row and a column for each player) or `deals` (a row for each deal)
    totals  sums of the columns, if they are added up
    legend  meaning of the numbers, by language
    """

    name: str
    sort: str
    texts: Texts
    columns: tuple[SheetKey, ...]
    rows: tuple[SheetRow, ...]
    totals: SheetRow | None = None
    legend: Texts = ()


class TableView(Struct, frozen=True):
    """Everything a seat (None: a spectator) sees on the table. `place` is the path of the current decision."""

    seat: str | None
    to_act: str | None
    place: str
    piles: tuple[PileView, ...]
    state: tuple[StateView, ...]
    boards: tuple[BoardView, ...] = ()
    sheets: tuple[SheetView, ...] = ()
