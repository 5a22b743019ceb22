"""How the lines of a screen are shared: what happened above, the table, the moves and the prompt below."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from interpreter.cli.drawing.ink import Look
from interpreter.cli.drawing.lines import BELOW, fitting
from interpreter.cli.playing.dense import Heard
from interpreter.cli.playing.news import FEWEST, shortened
from interpreter.printable import width

LOWEST = 10
"""A screen lower than this for its table is no page: lines follow each other."""
MOVES = 4
"""So many moves a table leaves room for, if there are as many; below the only one it is said that it is that."""
NEWS = 3
"""News take no more than the third part of a screen."""


Draw = Callable[[int, bool], list[str]]
"""A table for so many lines, with everything or as brief as it must be."""


class Page(Struct, frozen=True):
    """What stands on a screen above the moves, and how many lines are left for these."""

    news: list[str]
    drawn: list[str]
    room: int


def taken(lines: Sequence[str], look: Look) -> int:
    """The lines of the screen that these take, broken where words end; what is longer than a line breaks at its edge."""
    return sum(max(1, -(-width(line) // look.width)) for line in fitting(lines, look))


def _fewer(told: Sequence[str], seat: str | None, most: int) -> Iterator[list[str]]:
    """Ever fewer of these news."""
    for count in range(max(most, FEWEST), FEWEST - 1, -1):
        yield shortened(told, seat, count)


def page(told: Heard, seat: str | None, look: Look, moves: int, draw: Draw) -> Page:
    """A page of what happened and of the table. Where it does not fit there are fewer news, then less of the table, then no news at all."""
    lines, least = (look.height or 0) + BELOW, min(moves, MOVES) + (moves == 1)

    def free(news: Sequence[str]) -> int:
        return lines - taken(news, look) - bool(news) - least - 2

    news = shortened(told.within(lines // NEWS), seat, lines // NEWS)
    drawn = draw(free(news), False)
    if taken(drawn, look) > free(news):
        ways = [*_fewer(told.within(FEWEST), seat, lines // NEWS)]
        if taken(drawn, look) > free(ways[-1]):
            drawn = draw(free(ways[0]), True)
        news = next((way for way in (*ways, ways[-1][-1:]) if taken(drawn, look) <= free(way)), [])
    return Page(news, drawn, max(min(least, 2), free(news) + least - taken(drawn, look)))
