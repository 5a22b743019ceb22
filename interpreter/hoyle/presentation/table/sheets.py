"""State as text: scores beside names, pegging tracks, and score sheets side by side."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from hoyle.language.model import text_in
from hoyle.language.sentences import format_integer
from hoyle.presentation.catalogue import t
from hoyle.presentation.look import Look, cut_text, pad
from hoyle.presentation.table.blocks import join_blocks, measure_width
from hoyle.printable import printable, width
from hoyle.view_data import EMPTY, find_owner, is_worth_showing, values_beside_name

if TYPE_CHECKING:
    from hoyle.view_data import SheetCell, SheetRow, SheetView, StateView, TableView


TRACK_LABEL = 16
"""Width of the name before a track."""


def describe_state(
    items: Sequence[StateView], owner: str | None, seats: Collection[str], look: Look, drawn: Collection[str] = ()
) -> list[str]:
    """Return the state of an owner (None: nobody) in words, without empty values and without those `drawn` as sheets."""
    return [words for _, words in describe_state_by_name(items, owner, seats, look, drawn)]


def describe_state_by_name(
    items: Sequence[StateView], owner: str | None, seats: Collection[str], look: Look, drawn: Collection[str] = ()
) -> list[tuple[str, str]]:
    """Yield the same with the name of each state."""
    groups = values_beside_name((item for item in items if item.name not in drawn), owner, seats)
    named = ((group[0].name, group) for group in groups)
    return [(name, words) for name, group in named if (words := _format_values(name, group, seats, look))]


def _format_values(name: str, items: Sequence[StateView], seats: Collection[str], look: Look) -> str:
    """Format `packets 3`; for several members those with a value: `doubled A-B 2, A-C 1`. True is not written."""
    said = [_format_item(item, seats, look) for item in items if is_worth_showing(item) or _is_score(item, seats, look)]
    called = look.label(name, "state")
    return look.entry.format(name=called, value=", ".join(said)) if any(said) else called if said else ""


def _is_score(item: StateView, seats: Collection[str], look: Look) -> bool:
    """Return whether the state is a number of each seat or side; then zero is shown."""
    sides = item.member is not None and " " not in item.member and look.keys.get(item.name) == (("seats",),)
    return (item.member in seats or sides) and isinstance(item.value, int) and not isinstance(item.value, bool)


def _format_item(item: StateView, seats: Collection[str], look: Look) -> str:
    words = look.member(item.name, item.member)[find_owner(item, seats) is not None :] if item.member else []
    value = printable(dict(item.texts).get(look.lang) or str(item.value))
    if words and words[-1].isdecimal() and item.value is not True:
        words[-1] += f"={value}"  # two numbers side by side would be one to read
    elif item.value is not True:
        words.append(value)
    return " ".join(words)


def draw_tracks(items: Iterable[StateView], look: Look) -> list[str]:
    """Draw a line for each track with its front and back peg."""
    return [_draw_track(item, look) for item in items if item.track]


def _draw_track(item: StateView, look: Look) -> str:
    reached = item.value if isinstance(item.value, int) else 0
    member = " ".join(look.member(item.name, item.member or ""))
    name = cut_text(f"{look.label(item.name, 'state')} {member}".strip(), TRACK_LABEL)
    room = look.width - TRACK_LABEL - 10
    front, back = (max(0, min(room, n * room // item.track)) for n in (reached, item.back or 0))
    behind = look.sign("━", "=") * front
    if item.back is not None and back < front:
        behind = behind[:back] + look.sign("○", ".") + behind[back + 1 :]
    line = behind + look.sign("●", "o") + look.ink(look.sign("─", "-") * (room - front), "dim")
    return f"{pad(name, TRACK_LABEL)} {line} {reached}/{item.track}"


NAME, CELL, GAP = 26, 4, 3
"""Maximum width of a row's name, minimum width of a cell, gap between sheets."""
LOW = 6
"""A sheet with at most this many rows is never folded."""
DEALS = 10
"""Older deals than these are summed in one row."""


class SheetText(Struct, frozen=True):
    """A sheet in words: title, headings, rows with names; the last `totals` rows are totals."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    totals: int = 0
    legend: str = ""


def draw_sheets(sheets: Sequence[SheetView], look: Look, whole: bool, folded: bool = False) -> list[str]:
    """Draw sheets: whole, or only rows with entries. With `folded`, long ones are folded."""
    said = [_make_text(sheet, look, whole) for sheet in sheets]
    parts = [part for one in said for part in _split_wide(one, look)]
    pages = [page for part in parts for page in (_fold(part, look) if folded else [part])]
    return join_blocks([block for page in pages if (block := _draw_sheet(page, look))], look, GAP)


def select_sheets(sheets: Iterable[SheetView], low: bool) -> list[SheetView]:
    """Select the sheets of a table. A `low` table omits those shown at the end of a deal."""
    return [sheet for sheet in sheets if sheet.sort != "deals" and not (low and _can_wait(sheet))]


def _can_wait(sheet: SheetView) -> bool:
    """Return whether a sheet can be shown later: it has no boxes to choose from."""
    boxes = any(EMPTY in row.cells for row in sheet.rows)
    return not boxes and (sheet.totals is not None or sheet.sort == "square")


def draw_deal_end(view: TableView, look: Look) -> list[str]:
    """Draw what players check after a deal: tracks, and all sheets except those of the deal."""
    sheets = [sheet for sheet in view.sheets if sheet.sort != "square"]
    if look.plain:
        return [line for sheet in sheets for line in _speak_sheet(_make_text(sheet, look, whole=True))]
    return [*draw_sheets(sheets, look, whole=True), *draw_tracks(view.state, look)]


def _speak_sheet(sheet_text: SheetText) -> Iterator[str]:
    """Describe a sheet row by row, with the heading of each column."""
    yield sheet_text.title
    for name, cells in sheet_text.rows:
        told = (f"{head} {cell}" for head, cell in zip(sheet_text.heads, cells, strict=True) if cell)
        yield t("plain.value", what=name.strip(), value=", ".join(told) or t("plain.empty"))
    yield from [sheet_text.legend] * bool(sheet_text.legend)


# ---- what they say ---------------------------------------------------------------------------------------------------


def _make_text(sheet: SheetView, look: Look, whole: bool) -> SheetText:
    heads = tuple(_translate(column.texts, look) for column in sheet.columns)
    told = [row for row in sheet.rows if whole or any(row.cells)]
    rows = [*_make_deal_rows(sheet.rows, look)] if sheet.sort == "deals" else [_make_row(row, look) for row in told]
    last = [_make_row(sheet.totals, look)] if sheet.totals is not None and len(rows) > 1 else []
    return SheetText(_translate(sheet.texts, look), heads, (*rows, *last), len(last), _translate(sheet.legend, look))


def _make_deal_rows(rows: Sequence[SheetRow], look: Look) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield one row for early deals, one for each late deal, then the parts of the last."""
    early = rows[: len(rows) - DEALS] if len(rows) > DEALS + 1 else ()
    if early:
        sums = [
            [cell.value for cell in column if cell is not None]
            for column in zip(*(r.cells for r in early), strict=True)
        ]
        names = {"first": _translate(early[0].head.texts, look), "last": _translate(early[-1].head.texts, look)}
        yield t("sheet.from_to", **names), tuple(format_integer(sum(values), look.lang) for values in sums)
    for row in rows[len(early) :]:
        yield _make_row(row, look)
    for part in rows[-1].parts:
        name, cells = _make_row(part, look)
        yield f"  {name}", cells


def _make_row(row: SheetRow, look: Look) -> tuple[str, tuple[str, ...]]:
    return _translate(row.head.texts, look), tuple(_format_cell(cell, look) for cell in row.cells)


def _format_cell(cell: SheetCell | None, look: Look) -> str:
    if cell is None:
        return ""
    if cell.value is None:
        return "" if look.plain else look.sign("·", ".")
    return look.sign("✓", "x") if cell.value is True else _translate(cell.texts, look)


def _translate(texts: Sequence[tuple[str, str]], look: Look) -> str:
    return printable(text_in(tuple(texts), look.lang))


# ---- how they lie ----------------------------------------------------------------------------------------------------


def _draw_sheet(sheet_text: SheetText, look: Look) -> list[str]:
    """Draw a sheet, transposed if it is too wide."""
    if not sheet_text.rows:
        return []
    return (
        _draw_lines(sheet_text, look)
        or _draw_lines(_transpose(sheet_text), look)
        or [cut_text(f"{sheet_text.title} …", look.width - 2)]
    )


def _split_wide(sheet_text: SheetText, look: Look) -> Iterator[SheetText]:
    """Split columns into halves until each part fits."""
    if (
        len(sheet_text.heads) < 2
        or not sheet_text.rows
        or _draw_lines(sheet_text, look)
        or _draw_lines(_transpose(sheet_text), look)
    ):
        yield sheet_text
        return
    half = (len(sheet_text.heads) + 1) // 2
    for columns in (slice(half), slice(half, None)):
        rows = tuple((name, cells[columns]) for name, cells in sheet_text.rows)
        yield from _split_wide(replace(sheet_text, heads=sheet_text.heads[columns], rows=rows), look)


def _fold(sheet_text: SheetText, look: Look) -> Iterator[SheetText]:
    """Fold a long narrow sheet into columns of about equal height."""
    wide = measure_width(block) + GAP if (block := _draw_sheet(sheet_text, look)) else look.width
    most = max(1, (look.width - 2 + GAP) // wide)
    high = -(-len(sheet_text.rows) // most)
    if most == 1 or len(sheet_text.rows) <= LOW:
        yield sheet_text
        return
    for begin in range(0, len(sheet_text.rows), high):
        rows = sheet_text.rows[begin : begin + high]
        last = begin + high >= len(sheet_text.rows)
        yield SheetText(
            sheet_text.title, sheet_text.heads, rows, sheet_text.totals * last, sheet_text.legend if last else ""
        )


def _transpose(sheet_text: SheetText) -> SheetText:
    rows = [
        (head, cells) for head, *cells in zip(sheet_text.heads, *(cells for _, cells in sheet_text.rows), strict=True)
    ]
    told = tuple((head, tuple(cells)) for head, cells in rows if any(cells))
    return SheetText(sheet_text.title, tuple(name for name, _ in sheet_text.rows), told, 0, sheet_text.legend)


def _draw_lines(sheet_text: SheetText, look: Look) -> list[str]:
    every = [*sheet_text.heads, *(cell for _, cells in sheet_text.rows for cell in cells)]
    wide = max(CELL, 1 + max(map(width, every)))
    room = min(look.width - 2 - wide * len(sheet_text.heads), max(NAME, width(sheet_text.title) + 1))
    if room < CELL:
        return []
    name = min(room, 1 + max(width(label) for label in (sheet_text.title, *(label for label, _ in sheet_text.rows))))
    lines = [look.ink(_draw_line(sheet_text.title, sheet_text.heads, name, wide), "dim")]
    for number, (label, cells) in enumerate(sheet_text.rows, 1):
        line = _draw_line(label, cells, name, wide)
        lines.append(look.ink(line, "title") if number > len(sheet_text.rows) - sheet_text.totals else line)
    return lines + [look.ink(cut_text(sheet_text.legend, look.width - 2), "dim")] * bool(sheet_text.legend)


def _draw_line(label: str, cells: Sequence[str], name: int, wide: int) -> str:
    return pad(cut_text(label, name), name) + "".join(" " * (wide - width(cell)) + cell for cell in cells)
