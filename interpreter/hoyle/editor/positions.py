"""Conversion between offsets in a text and positions of the protocol: lines from 0, columns in UTF-16 code units."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from hoyle.diagnostics import Span

Position = tuple[int, int]
"""Line and column."""


class Lines:
    """The lines of a text. Lines end with a line feed alone, as `read` leaves them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def find_position(self, offset: int) -> Position:
        """Return the position of an offset, clamped to the text."""
        at = min(max(offset, 0), len(self.text))
        line = bisect_right(self.starts, at) - 1
        return line, count_units(self.text[self.starts[line] : at])

    def find_offset(self, position: Position) -> int:
        """Return the offset of a position, clamped to its line and the text."""
        line, column = position
        if line >= len(self.starts):
            return len(self.text)
        start, end = self.starts[line], self.find_end(line)
        if self.text[start:end].isascii():
            return min(start + column, end)
        at = start
        while at < end and column > 0:
            column -= count_units(self.text[at])
            at += 1
        return at

    def find_end(self, line: int) -> int:
        """Return the offset of the end of a line, before its line feed."""
        return self.starts[line + 1] - 1 if line + 1 < len(self.starts) else len(self.text)


def count_units(text: str) -> int:
    """Return the length in UTF-16 code units."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


@lru_cache(maxsize=32)
def split_lines(text: str) -> Lines:
    return Lines(text)


def find_range(span: Span) -> tuple[Position, Position]:
    """Return the positions of the start and the end of a span."""
    lines = split_lines(span.source.text)
    return lines.find_position(span.start), lines.find_position(span.end)
