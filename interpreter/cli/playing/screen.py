"""How the lines of a screen are shared: what happened above, the table, the moves and the prompt below."""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.cli.drawing.ink import Look
from interpreter.cli.drawing.lines import BELOW
from interpreter.printable import width

LOWEST = 10
"""A screen lower than this for its table is no page: lines follow each other."""
MOVES = 4
"""So many moves a table leaves room for, if there are as many."""


class Room:
    """The lines of one screen."""

    def __init__(self, look: Look, news: Sequence[str], moves: int) -> None:
        self._columns, self._lines = look.width, (look.height or 0) + BELOW
        self._news = self._taken(news) + bool(news)
        self._least = min(moves, MOVES)

    @property
    def table(self) -> int:
        """Lines that a table may take."""
        return self._lines - self._news - self._least - 2

    def below(self, drawn: Sequence[str]) -> int:
        """Lines for moves below this table, between an empty line and the prompt."""
        return max(self._least, self._lines - self._news - self._taken(drawn) - 2)

    def _taken(self, lines: Sequence[str]) -> int:
        return sum(max(1, -(-width(line) // self._columns)) for line in lines)
