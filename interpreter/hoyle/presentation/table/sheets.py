"""Score sheets as lines of text: as on paper, several beside each other where they fit."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from hoyle.language.model import text_in
from hoyle.language.sentences import integer
from hoyle.presentation.catalogue import t
from hoyle.presentation.look import Look, cut, pad
from hoyle.printable import printable, width
from hoyle.view_data import EMPTY

if TYPE_CHECKING:
    from hoyle.view_data import SheetCell, SheetRow, SheetView, StateView, TableView


TRACK_LABEL = 16  # columns for the name before a track


def told(
    items: Sequence[StateView], owner: str | None, seats: Collection[str], look: Look, drawn: Collection[str] = ()
) -> list[str]:
    """What belongs to a seat (None: to nobody), without what is absent, no, or zero for everybody, and what is `drawn` as a sheet."""
    return [words for _, words in told_by_name(items, owner, seats, look, drawn)]


def told_by_name(
    items: Sequence[StateView], owner: str | None, seats: Collection[str], look: Look, drawn: Collection[str] = ()
) -> list[tuple[str, str]]:
    """The same, each with the name of what it tells."""
    worth = {item.name for item in items if tells(item.value) and item.name not in drawn}
    own = [
        item
        for item in items
        if owner_of(item, seats) == owner and item.name in worth and not item.track and not in_grid(item, seats)
    ]
    groups = groupby(own, key=lambda item: item.name)
    return [(name, words) for name, group in groups if (words := _words(name, list(group), seats, look))]


def owner_of(item: StateView, seats: Collection[str]) -> str | None:
    """The seat whose value it is: `A`, or the first key of `A of plis`."""
    first = (item.member or "").partition(" of ")[0]
    return first if first in seats else None


def tells(value: object) -> bool:
    """Does a value say anything?"""
    return value not in (None, False, 0, "")


def _words(name: str, items: Sequence[StateView], seats: Collection[str], look: Look) -> str:
    """`packets 3`; of several, those that say something: `doubled A-B 2, A-C 1`; of a yes no value."""
    said = [_item_words(item, seats, look) for item in items if tells(item.value) or _is_score(item, seats, look)]
    called = look.label(name, "state")
    return look.entry.format(name=called, value=", ".join(said)) if any(said) else called if said else ""


def _is_score(item: StateView, seats: Collection[str], look: Look) -> bool:
    """A number that each seat has, or each side: then nothing is a score too."""
    sides = item.member is not None and " " not in item.member and look.keys.get(item.name) == (("seats",),)
    return (item.member in seats or sides) and isinstance(item.value, int) and not isinstance(item.value, bool)


def _item_words(item: StateView, seats: Collection[str], look: Look) -> str:
    words = look.member(item.name, item.member)[owner_of(item, seats) is not None :] if item.member else []
    value = printable(dict(item.texts).get(look.lang) or str(item.value))
    if words and words[-1].isdecimal() and item.value is not True:
        words[-1] += f"={value}"  # two numbers side by side would be one to read
    elif item.value is not True:
        words.append(value)
    return " ".join(words)


def _keys(item: StateView) -> list[str]:
    return (item.member or "").split(" of ")


def in_grid(item: StateView, seats: Collection[str]) -> bool:
    """Does it stand on a sheet, and not beside a name?"""
    return len(_keys(item)) > 2 or (len(_keys(item)) == 2 and owner_of(item, seats) is None)


def tracks(items: Iterable[StateView], look: Look) -> list[str]:
    """How far each front peg has come, and the back peg behind it, one line each."""
    return [_track(item, look) for item in items if item.track]


def _track(item: StateView, look: Look) -> str:
    reached = item.value if isinstance(item.value, int) else 0
    member = " ".join(look.member(item.name, item.member or ""))
    name = cut(f"{look.label(item.name, 'state')} {member}".strip(), TRACK_LABEL)
    room = look.width - TRACK_LABEL - 10
    front, back = (max(0, min(room, n * room // item.track)) for n in (reached, item.back or 0))
    behind = look.sign("━", "=") * front
    if item.back is not None and back < front:
        behind = behind[:back] + look.sign("○", ".") + behind[back + 1 :]
    line = behind + look.sign("●", "o") + look.ink(look.sign("─", "-") * (room - front), "dim")
    return f"{pad(name, TRACK_LABEL)} {line} {reached}/{item.track}"


NAME, CELL, GAP = 26, 4, 3
"""Columns for the name of a row at most, for what is written at least, and between two sheets."""
LOW = 6
"""With no more rows a sheet is never folded."""
DEALS = 10
"""Of more deals than these the first are told as one, if they are several."""


class Lines(Struct, frozen=True):
    """A sheet in words: its title, the heads of its columns, and its rows with their names; the last of them are totals."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    totals: int = 0
    legend: str = ""


def sheet_lines(sheets: Sequence[SheetView], look: Look, whole: bool, folded: bool = False) -> list[str]:
    """The sheets, whole as at the end of a deal, or no more of them than says something; long ones `folded`, if they are to be low."""
    said = [_said(sheet, look, whole) for sheet in sheets]
    parts = [part for one in said for part in _apart(one, look)]
    pages = [page for part in parts for page in (_folded(part, look) if folded else [part])]
    return _bands([block for page in pages if (block := _block(page, look))], look)


def in_brief(sheets: Iterable[SheetView], low: bool) -> list[SheetView]:
    """Those that a table shows all the time; where it is `low` none of those that the end of a deal shows."""
    return [sheet for sheet in sheets if sheet.sort != "deals" and not (low and _waits(sheet))]


def _waits(sheet: SheetView) -> bool:
    """Can it be looked at later? Not where there are boxes to choose from."""
    boxes = any(EMPTY in row.cells for row in sheet.rows)
    return not boxes and (sheet.totals is not None or sheet.sort == "square")


def at_end(view: TableView, look: Look) -> list[str]:
    """What one looks at when a deal is over: pegging tracks, and all sheets but those of the deal itself."""
    sheets = [sheet for sheet in view.sheets if sheet.sort != "square"]
    if look.plain:
        return [line for sheet in sheets for line in _spoken(_said(sheet, look, whole=True))]
    return [*sheet_lines(sheets, look, whole=True), *tracks(view.state, look)]


def _spoken(said: Lines) -> Iterator[str]:
    """Row by row, each number with the head of its column."""
    yield said.title
    for name, cells in said.rows:
        told = (f"{head} {cell}" for head, cell in zip(said.heads, cells, strict=True) if cell)
        yield t("plain.value", what=name.strip(), value=", ".join(told) or t("plain.empty"))
    yield from [said.legend] * bool(said.legend)


# ---- what they say ---------------------------------------------------------------------------------------------------


def _said(sheet: SheetView, look: Look, whole: bool) -> Lines:
    heads = tuple(_text(column.texts, look) for column in sheet.columns)
    told = [row for row in sheet.rows if whole or any(row.cells)]
    rows = [*_deals(sheet.rows, look)] if sheet.sort == "deals" else [_row(row, look) for row in told]
    last = [_row(sheet.totals, look)] if sheet.totals is not None and len(rows) > 1 else []
    return Lines(_text(sheet.texts, look), heads, (*rows, *last), len(last), _text(sheet.legend, look))


def _deals(rows: Sequence[SheetRow], look: Look) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The latest deals one by one, those before them as one, and what the last is made of."""
    early = rows[: len(rows) - DEALS] if len(rows) > DEALS + 1 else ()
    if early:
        sums = [
            [cell.value for cell in column if cell is not None]
            for column in zip(*(r.cells for r in early), strict=True)
        ]
        names = {"first": _text(early[0].head.texts, look), "last": _text(early[-1].head.texts, look)}
        yield t("sheet.from_to", **names), tuple(integer(sum(values), look.lang) for values in sums)
    for row in rows[len(early) :]:
        yield _row(row, look)
    for part in rows[-1].parts:
        name, cells = _row(part, look)
        yield f"  {name}", cells


def _row(row: SheetRow, look: Look) -> tuple[str, tuple[str, ...]]:
    return _text(row.head.texts, look), tuple(_cell(cell, look) for cell in row.cells)


def _cell(cell: SheetCell | None, look: Look) -> str:
    if cell is None:
        return ""
    if cell.value is None:
        return "" if look.plain else look.sign("·", ".")
    return look.sign("✓", "x") if cell.value is True else _text(cell.texts, look)


def _text(texts: Sequence[tuple[str, str]], look: Look) -> str:
    return printable(text_in(tuple(texts), look.lang))


# ---- how they lie ----------------------------------------------------------------------------------------------------


def _block(said: Lines, look: Look) -> list[str]:
    """The rows below each other; where that is too wide, what was a row is a column."""
    if not said.rows:
        return []
    return _laid(said, look) or _laid(_turned(said), look) or [cut(f"{said.title} …", look.width - 2)]


def _apart(said: Lines, look: Look) -> Iterator[Lines]:
    """Half of the columns by themselves, and the other half, where all are too wide."""
    if len(said.heads) < 2 or not said.rows or _laid(said, look) or _laid(_turned(said), look):
        yield said
        return
    half = (len(said.heads) + 1) // 2
    for columns in (slice(half), slice(half, None)):
        rows = tuple((name, cells[columns]) for name, cells in said.rows)
        yield from _apart(replace(said, heads=said.heads[columns], rows=rows), look)


def _folded(said: Lines, look: Look) -> Iterator[Lines]:
    """Beside each other what is long and narrow, as evenly as it goes."""
    wide = _wide(block) + GAP if (block := _block(said, look)) else look.width
    most = max(1, (look.width - 2 + GAP) // wide)
    high = -(-len(said.rows) // most)
    if most == 1 or len(said.rows) <= LOW:
        yield said
        return
    for begin in range(0, len(said.rows), high):
        rows = said.rows[begin : begin + high]
        last = begin + high >= len(said.rows)
        yield Lines(said.title, said.heads, rows, said.totals * last, said.legend if last else "")


def _turned(said: Lines) -> Lines:
    rows = [(head, cells) for head, *cells in zip(said.heads, *(cells for _, cells in said.rows), strict=True)]
    told = tuple((head, tuple(cells)) for head, cells in rows if any(cells))
    return Lines(said.title, tuple(name for name, _ in said.rows), told, 0, said.legend)


def _laid(said: Lines, look: Look) -> list[str]:
    every = [*said.heads, *(cell for _, cells in said.rows for cell in cells)]
    wide = max(CELL, 1 + max(map(width, every)))
    room = min(look.width - 2 - wide * len(said.heads), max(NAME, width(said.title) + 1))
    if room < CELL:
        return []
    name = min(room, 1 + max(width(label) for label in (said.title, *(label for label, _ in said.rows))))
    lines = [look.ink(_line(said.title, said.heads, name, wide), "dim")]
    for number, (label, cells) in enumerate(said.rows, 1):
        line = _line(label, cells, name, wide)
        lines.append(look.ink(line, "title") if number > len(said.rows) - said.totals else line)
    return lines + [look.ink(cut(said.legend, look.width - 2), "dim")] * bool(said.legend)


def _line(label: str, cells: Sequence[str], name: int, wide: int) -> str:
    return pad(cut(label, name), name) + "".join(" " * (wide - width(cell)) + cell for cell in cells)


def _bands(blocks: Sequence[list[str]], look: Look) -> list[str]:
    """Beside each other, as far as they fit."""
    lines: list[str] = []
    band: list[list[str]] = []
    for block in blocks:
        if band and sum(_wide(b) + GAP for b in band) + _wide(block) + 2 > look.width:
            lines += _beside(band)
            band = []
        band.append(block)
    return lines + (_beside(band) if band else [])


def _wide(block: Sequence[str]) -> int:
    return max(map(width, block))


def _beside(band: Sequence[Sequence[str]]) -> list[str]:
    padded = [[pad(line, _wide(block)) for line in block] for block in band]
    blank = [" " * _wide(block) for block in band]
    rows = zip_longest(*padded)
    return ["  " + (" " * GAP).join(c or b for c, b in zip(row, blank, strict=True)).rstrip() for row in rows]
