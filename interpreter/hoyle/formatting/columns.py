"""Values below each other. Where an author has begun a column it is kept, and whatever is added comes into it.

Entries between two empty lines are a group. Their values stand in a column if two of them do, behind more than one blank; so do
the entries of maps in braces, behind more than one blank after a comma.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from hoyle.formatting.flow import Cell

_STICKS_OUT = 4
"""A name that is longer than the others by more than that may stand out of their column."""


class Row(Struct):
    """An entry that could stand on one line: its key with the colon, its value, what a map in braces has; and where the value stood."""

    key: str
    text: str
    start: int = -1
    lead: int = 1
    cells: list[Cell] = []
    in_columns: bool = False


def align(rows: Sequence[Row]) -> None:
    """Puts the values of a group into the columns that its author has begun: those in braces and brackets, and the others."""
    in_braces = [row for row in rows if row.text.startswith(("{", "["))]
    for some in (in_braces, [row for row in rows if row not in in_braces]):
        shared = Counter(row.start for row in some if row.start >= 0)
        if any(row.lead > 1 and shared[row.start] > 1 for row in some):
            for column, below in _columns(some, shared).items():
                _pad(_without_longest(below, [row for row in below if row.start == column]))


def _columns(rows: Sequence[Row], shared: Counter[int]) -> dict[int, list[Row]]:
    """The rows by their columns; one that stands alone comes to those above it."""
    found: dict[int, list[Row]] = {}
    column = next(row.start for row in rows if shared[row.start] > 1)
    for row in rows:
        column = row.start if shared[row.start] > 1 else column
        found.setdefault(column, []).append(row)
    return found


def _pad(rows: Sequence[Row]) -> None:
    width = max(len(row.key) for row in rows)
    for row in rows:
        row.key = row.key.ljust(width)


def _without_longest(rows: Sequence[Row], sharing: Sequence[Row]) -> Sequence[Row]:
    """The rows without those that stick out of the column that most share."""
    if 2 * len(sharing) <= len(rows):
        return rows
    most = max(len(row.key) for row in sharing)
    for length in sorted(len(row.key) for row in rows):
        most = length if most < length <= most + _STICKS_OUT else most
    return [row for row in rows if len(row.key) <= most]


def align_cells(rows: Sequence[Row]) -> None:
    """The same for the entries of maps in braces."""
    for place in range(max((len(row.cells) for row in rows), default=0)):
        for name in dict.fromkeys(name for name, _ in _having(rows, place)):
            column = [row for known, row in _having(rows, place) if known == name]
            if len(column) > 1 and any(row.cells[place + 1].lead > 1 for row in column):
                _fill(column, place)
    for row in rows:
        if row.in_columns:
            row.text = "{" + " ".join([*(_with_comma(cell.text) for cell in row.cells[:-1]), row.cells[-1].text]) + "}"


def _having(rows: Sequence[Row], place: int) -> Iterator[tuple[str, Row]]:
    """The rows that have an entry there and another behind it, with the name of the first."""
    return ((row.cells[place].name, row) for row in rows if len(row.cells) > place + 1)


def _fill(rows: Sequence[Row], place: int) -> None:
    widths = {len(row.cells[place].text) for row in rows}
    if len(widths) == 1:
        return  # there is nothing to see of a column
    for row in rows:
        row.cells[place].text = f"{row.cells[place].text},".ljust(max(widths) + 1)
        row.in_columns = True


def _with_comma(text: str) -> str:
    return text if text.rstrip(" ").endswith(",") else f"{text},"
