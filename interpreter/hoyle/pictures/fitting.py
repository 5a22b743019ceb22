"""How large cards are, and how long columns may be: by the width of the room, and by its height where that is given. What is tried is laid out without being drawn."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from hoyle.pictures.blocks import Block
from hoyle.pictures.room import Table, most_columns
from hoyle.pictures.table import drawn
from hoyle.views import TableView

SIZES = (0.75, 0.82, 0.9, 1.0, 1.12, 1.25)
"""Of cards, in parts of a comfortable one: few, so that they keep their size while the game goes on."""
LEAST = 28.0
"""How wide cards are at least."""
BOARD = 7.7
"""How wide a board is, in cards."""
USED = 0.8
"""So much of the height that a picture had the next ones take up, or sizes are looked for anew."""
TRIES = 3
"""How often columns are drawn together until all fits."""


def comfortable(view: TableView, wide: float) -> float:
    """How wide cards are: as one likes to see them, or what lets the columns stand side by side."""
    most = max(min(58.0, wide / 5.8), min(84.0, wide / 10), min(104.0, wide / 15))
    return max(LEAST, min(most, beside_each_other(view, wide)))


def beside_each_other(view: TableView, wide: float) -> float:
    """How wide cards may be if all columns are to stand side by side (of very many they may stand in bands), and dice beside the points of a board."""
    columns = most_columns(view)
    if view.boards:
        return wide / BOARD
    return min((wide - 3 * columns) / columns, wide / columns / 1.08) if 0 < columns <= 10 else wide


class Fit(Struct):
    """The sizes of the picture before, in such a room: they are kept as long as all fits and not much is left free."""

    room: tuple[float, float] = (0.0, 0.0)
    card: float = 0.0
    longest: float = 0.0
    least: float = 0.0
    most: float = 0.0


def fitted(table: Table, room: float | None, before: Fit | None = None) -> Block:
    """The table as it lies in a room so high (None: as high as it likes); with the sizes of `before` where they do, which is told the new ones else."""
    if room is None:
        return drawn(replace(table, height=max(4.2 * table.card * 1.4, 330)))
    fit = before or Fit()
    if fit.room == (table.width, room):
        block = drawn(replace(table, card=fit.card, height=fit.longest))
        if fit.least <= block.height <= fit.most:
            return block
    fit.room, fit.card = (table.width, room), _card(table, room)
    fit.longest = _longest(replace(table, card=fit.card), room)
    block = drawn(replace(table, card=fit.card, height=fit.longest))
    fit.least = USED * min(room, block.height)
    fit.most = room if block.height <= room else block.height / USED  # it is as small as can be
    return block


def _longest(table: Table, room: float) -> float:
    """How long columns are, so that all fits."""
    longest = room
    for _ in range(TRIES):
        over = _high(replace(table, height=longest)) - room
        if over <= 0:
            break
        longest = max(table.card, longest - over)
    return longest


def _card(table: Table, room: float) -> float:
    """The largest size with which all fits, columns drawn together; else the smallest."""
    widest = max(LEAST, beside_each_other(table.view, table.width))
    cards = sorted({min(widest, max(LEAST, size * table.card)) for size in SIZES})
    low, high = 0, len(cards) - 1
    while low < high:
        middle = (low + high + 1) // 2
        fits = _high(replace(table, card=cards[middle], height=0)) <= room
        low, high = (middle, high) if fits else (low, middle - 1)
    return cards[low]


def _high(table: Table) -> float:
    return drawn(replace(table, blind=True)).height
