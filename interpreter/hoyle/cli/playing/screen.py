"""How the lines of a screen are shared: what happened above, the table, the moves and the prompt below."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from hoyle.cli.drawing.ink import Look
from hoyle.cli.drawing.lines import BELOW, fitting
from hoyle.cli.drawing.offers import choices, fewest
from hoyle.cli.playing.dense import Heard
from hoyle.cli.playing.news import FEWEST, shortened
from hoyle.printable import width

if TYPE_CHECKING:
    from hoyle.game.game import Move, State

LOWEST = 10
"""A screen lower than this for its table is no page: lines follow each other."""
MOVES = 4
"""So many lines of moves a table leaves room for, if there are as many."""
WHOLE = 8
"""A list of so many lines is shown whole before there are news."""
LISTED = 60
"""More moves than these take more lines than that."""
NEWS = 3
"""News take no more than the third part of a screen, as long as there is something else to show."""


Draw = Callable[[int, bool], list[str]]
"""A table for so many lines, with everything or as brief as it must be."""


class Page(Struct, frozen=True):
    """What stands on a screen above the moves, and how many lines are left for these."""

    news: list[str]
    drawn: list[str]
    room: int


class Below(Struct, frozen=True):
    """What is to stand between the table and the prompt: in how few lines, and how many it takes where there are so many."""

    least: int
    taken: Callable[[int], int]


def below(state: State, moves: Sequence[Move], look: Look, beside: int) -> Below:
    """The moves, and so many lines `beside` them."""

    def lines(room: int) -> int:
        return len(choices(state, moves, look, room - beside)) + beside if moves else 0

    few = fewest(state, moves, look) if 0 < len(moves) <= LISTED else len(moves)
    return Below((few if MOVES < few <= WHOLE else min(len(moves), MOVES)) + beside, lines)


def taken(lines: Sequence[str], look: Look) -> int:
    """The lines of the screen that these take, broken where words end; what is longer than a line breaks at its edge."""
    return sum(max(1, -(-width(line) // look.width)) for line in fitting(lines, look))


def filling(told: Heard, seat: str | None, look: Look, rows: int) -> list[str]:
    """As much of the news as so many lines of the screen hold: in full, with a trick on a line, or the latest of these."""
    for way in (told.lines, told.dense):
        if taken(way, look) <= rows:
            return way
    fewer = (shortened(told.dense, seat, count, told.own) for count in range(rows, FEWEST - 1, -1))
    return next((way for way in (*fewer, told.dense[-1:]) if taken(way, look) <= rows), [])


def page(told: Heard, seat: str | None, look: Look, moves: Below, draw: Draw) -> Page:
    """A page of what happened and of the table. Where it does not fit there are fewer news, then less of the table, then no news at all;
    lines that nothing else needs are for news."""
    lines = (look.height or 0) + BELOW - 2

    def free(rows: int) -> int:
        news = taken(filling(told, seat, look, rows), look)
        return lines - news - bool(news) - moves.least

    drawn = draw(free(lines // NEWS), False)
    if taken(drawn, look) > free(FEWEST) + max(0, moves.least - MOVES):
        drawn = draw(free(lines // NEWS), True)
    rows = lines - taken(drawn, look)
    news = _shared(told, seat, look, moves, rows)
    left = rows - taken(news, look) - bool(news)
    return Page(news, drawn, max(min(moves.least, 2), left))


def _shared(told: Heard, seat: str | None, look: Look, moves: Below, rows: int) -> list[str]:
    """What is told above so many lines with the moves: these in as few lines as may be until the third part of a screen is full of news, then
    as they are best, and what they leave."""
    most = min(((look.height or 0) + BELOW) // NEWS, rows - moves.least - 1)
    some = filling(told, seat, look, most)
    left = moves.taken(rows - taken(some, look) - bool(some))
    return filling(told, seat, look, max(most, rows - left - 1))
