"""Draw a view as one SVG, with card sizes that fit the room. Equal views give equal text."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from hoyle.pictures.blocks import Block
from hoyle.pictures.groups import Table, most_columns
from hoyle.pictures.names import Names
from hoyle.pictures.pieces import Lit
from hoyle.pictures.shapes import define_shapes, share_faces
from hoyle.pictures.svg import FONT, element, escape, format_number, translate
from hoyle.pictures.table import draw_ground, draw_table
from hoyle.pictures.theme import LIGHT, Theme
from hoyle.view_data import TableView

SIZES = (0.75, 0.82, 0.9, 1.0, 1.12, 1.25)
"""Card sizes, relative to a comfortable one. They are few, so that the size rarely changes during a game."""
LEAST = 28.0
"""Minimum width of cards."""
BOARD = 7.7
"""Width of a board, in cards."""
USED = 0.8
"""Sizes are kept while the picture fills at least this part of the height."""
TRIES = 3
"""Attempts to shorten columns until the table fits."""


def comfortable_width(view: TableView, wide: float) -> float:
    """Return a comfortable card width at which the columns stand side by side."""
    most = max(min(58.0, wide / 5.8), min(84.0, wide / 10), min(104.0, wide / 15))
    return max(LEAST, min(most, widest_side_by_side(view, wide)))


def widest_side_by_side(view: TableView, wide: float) -> float:
    """Return the greatest card width at which all columns stand side by side. More than 10 columns do not limit it."""
    columns = most_columns(view)
    if view.boards:
        return wide / BOARD
    return min((wide - 3 * columns) / columns, wide / columns / 1.08) if 0 < columns <= 10 else wide


class Fit(Struct):
    """Sizes of the previous picture. They are kept while the table fits and fills most of the height."""

    room: tuple[float, float] = (0.0, 0.0)
    card: float = 0.0
    longest: float = 0.0
    least: float = 0.0
    most: float = 0.0


def fit_table(table: Table, room: float | None, before: Fit | None = None) -> Block:
    """Draw the table in a height, with the sizes of `before` if they fit. None means any height.

    New sizes are stored in `before`.
    """
    if room is None:
        return draw_table(replace(table, height=max(4.2 * table.card * 1.4, 330)))
    fit = before or Fit()
    if fit.room == (table.width, room):
        block = draw_table(replace(table, card=fit.card, height=fit.longest))
        if fit.least <= block.height <= fit.most:
            return block
    fit.room, fit.card = (table.width, room), _fit_card(table, room)
    fit.longest = _fit_columns(replace(table, card=fit.card), room)
    block = draw_table(replace(table, card=fit.card, height=fit.longest))
    fit.least = USED * min(room, block.height)
    fit.most = room if block.height <= room else block.height / USED  # it is as small as can be
    return block


def _fit_columns(table: Table, room: float) -> float:
    """Return the greatest length of columns at which the table fits."""
    longest = room
    for _ in range(TRIES):
        over = _measure_height(replace(table, height=longest)) - room
        if over <= 0:
            break
        longest = max(table.card, longest - over)
    return longest


def _fit_card(table: Table, room: float) -> float:
    """Return the largest card width at which the table fits with its columns shortened; else the smallest width."""
    widest = max(LEAST, widest_side_by_side(table.view, table.width))
    cards = sorted({min(widest, max(LEAST, size * table.card)) for size in SIZES})
    low, high = 0, len(cards) - 1
    while low < high:
        middle = (low + high + 1) // 2
        fits = _measure_height(replace(table, card=cards[middle], height=0)) <= room
        low, high = (middle, high) if fits else (low, middle - 1)
    return cards[low]


def _measure_height(table: Table) -> float:
    return draw_table(replace(table, blind=True)).height


WIDTH = 800
NARROWEST, WIDEST = 240, 10_000
MARGIN = 10.0


def draw_picture(
    view: TableView,
    names: Names,
    theme: Theme = LIGHT,
    width: int = WIDTH,
    height: int | None = None,
    lit: Lit = frozenset(),
    before: Fit | None = None,
) -> str:
    """Draw the table as a seat sees it.

    Args:
    width, height: pixels; the picture is no higher than `height` if possible.
    before: sizes of the previous picture, kept if they fit.
    """
    wide = max(NARROWEST, min(WIDEST, width)) - 2 * MARGIN
    table = Table(view, names, theme, wide, comfortable_width(view, wide), lit=lit)
    block = fit_table(table, height - 2 * MARGIN if height else None, before)
    parts, faces = share_faces("\n".join(part.drawn() for part in block.parts))
    full, high = block.width + 2 * MARGIN, block.height + 2 * MARGIN
    return element(
        "svg",
        element("title", escape(names.title or names.say("title"))),
        element("desc", escape(_describe(view, names))),
        define_shapes(parts, faces),
        draw_ground(block, theme, MARGIN),
        element("g", "\n" + parts + "\n", transform=translate(MARGIN, MARGIN)),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {format_number(full)} {format_number(high)}",
        width=full,
        height=high,
        role="img",
        lang=names.lang,
        font_family=FONT,
    )


def _describe(view: TableView, names: Names) -> str:
    """Return a sentence that names the viewer and the seat to act."""
    seen = names.say("seen_by", seat=names.seat(view.seat)) if view.seat is not None else names.say("seen_by_all")
    acts = names.say("to_act", seat=names.seat(view.to_act)) if view.to_act is not None else names.say("over")
    return f"{seen} {acts}"
