"""Places as editors count them: lines from 0, and columns in units of UTF-16."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from hoyle.diagnostics import Span

Position = tuple[int, int]
"""Line and column."""


class Lines:
    """The lines of a text. Ends of lines are line feeds alone, as `read` leaves them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def position(self, offset: int) -> Position:
        """Where an offset stands; what is outside the text stands at its end."""
        at = min(max(offset, 0), len(self.text))
        line = bisect_right(self.starts, at) - 1
        return line, units(self.text[self.starts[line] : at])

    def offset(self, position: Position) -> int:
        """The offset of a position; a column behind the end of its line is that end."""
        line, column = position
        if line >= len(self.starts):
            return len(self.text)
        start, end = self.starts[line], self.end(line)
        if self.text[start:end].isascii():
            return min(start + column, end)
        at = start
        while at < end and column > 0:
            column -= units(self.text[at])
            at += 1
        return at

    def end(self, line: int) -> int:
        """Where a line ends, before its line feed."""
        return self.starts[line + 1] - 1 if line + 1 < len(self.starts) else len(self.text)


def units(text: str) -> int:
    """How long a text is in UTF-16."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


@lru_cache(maxsize=32)
def lines_of(text: str) -> Lines:
    return Lines(text)


def range_of(span: Span) -> tuple[Position, Position]:
    """Where a stretch begins and ends."""
    lines = lines_of(span.source.text)
    return lines.position(span.start), lines.position(span.end)
