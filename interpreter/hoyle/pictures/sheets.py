"""Score sheets as on paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from hoyle.language.sentences import integer
from hoyle.pictures.blocks import Block, Part, cut_text, place_below, text_block, text_width
from hoyle.pictures.names import Names
from hoyle.pictures.svg import element, escape, format_number, rectangle
from hoyle.pictures.theme import Theme
from hoyle.view_data import SheetCell, SheetRow, SheetView

DEALS = 10
"""Of more deals than these the first are told as one."""
Texts = Sequence[tuple[str, str]]


class Lines(Struct, frozen=True):
    """A sheet in words: lines of as many cells, the first of each its head; the first line heads the columns, the last `totals` add up."""

    title: str
    lines: list[list[str]]
    totals: int = 0


def draw_sheet(found: SheetView, names: Names, look: Theme, width: float) -> Block:
    """As it is, or with its rows as columns, where it is too wide or much wider than high."""
    lines = [["", *(_text(column.texts, names) for column in found.columns)], *_rows(found, names)]
    last = [_row(found.totals, names)] if found.totals is not None and len(lines) > 2 else []
    upright = Lines(_text(found.texts, names), lines + last, len(last))
    turned = Lines(upright.title, [list(column) for column in zip(*upright.lines, strict=True)])
    flat = len(found.columns) > max(8, 2 * len(found.rows))
    return _drawn(turned if flat or _wide(upright) > width else upright, look, width)


def _rows(found: SheetView, names: Names) -> Iterator[list[str]]:
    early = found.rows[: max(0, len(found.rows) - DEALS)] if found.sort == "deals" else ()
    if early:
        columns = zip(*(row.cells for row in early), strict=True)
        sums = [sum(int(str(cell.value)) for cell in column if cell is not None) for column in columns]
        yield [
            f"{_text(early[0].head.texts, names)} – {_text(early[-1].head.texts, names)}",
            *(integer(found, names.lang) for found in sums),
        ]
    for row in found.rows[len(early) :]:
        yield _row(row, names)
    for part in found.rows[-1].parts if found.rows else ():
        yield _row(part, names, "\u2003")


def _row(row: SheetRow, names: Names, indent: str = "") -> list[str]:
    return [indent + _text(row.head.texts, names), *(_cell(cell, names) for cell in row.cells)]


def _cell(cell: SheetCell | None, names: Names) -> str:
    if cell is None:
        return ""
    if cell.value is None:
        return "·"
    return "✓" if cell.value is True else _text(cell.texts, names)


def _text(texts: Texts, names: Names) -> str:
    said = dict(texts)
    return said.get(names.lang) or next(iter(said.values()), "")


# ---- how it lies -----------------------------------------------------------------------------------------------------

SIZE, TITLE = 12.0, 220.0
"""Of letters, and of a title that is wider than its sheet."""


def _wide(said: Lines) -> float:
    return sum(_widths(said.lines))


def _widths(lines: Sequence[Sequence[str]]) -> list[float]:
    return [max(text_width(line[n], SIZE * 1.1) for line in lines) + SIZE for n in range(len(lines[0]))]


def _drawn(said: Lines, look: Theme, width: float) -> Block:
    """Lines below a title, no wider than this."""
    high, wide = SIZE * 1.55, _widths(said.lines)
    over = max(1.0, sum(wide) / width)
    wide = [column / over for column in wide]
    full, count = sum(wide), len(said.lines)
    bold = {0, *range(count - said.totals, count)}
    cells = [_line(line, wide, n * high, high, look, n in bold) for n, line in enumerate(said.lines)]
    ground = rectangle(0, 0, full, high * count, 4, fill=look.paper, stroke=look.edge)
    paper = Block(full, high * count, (Part(0, 0, ground + "".join(cells), (("class", "sheet"),)),))
    title = text_block(said.title, SIZE, look.faint, max(full, min(width, TITLE)), middle=False)
    return place_below([title, paper], 2, middle=False)


def _line(line: Sequence[str], wide: Sequence[float], y: float, high: float, look: Theme, bold: bool) -> str:
    x, drawn = 0.0, list[str]()
    if y > 0:
        rule = f"M0 {format_number(y)}H{format_number(sum(wide))}"
        drawn.append(element("path", d=rule, stroke=look.edge, stroke_opacity=1 if bold else 0.5))
    for n, (content, column) in enumerate(zip(line, wide, strict=True)):
        shown = cut_text(content, SIZE, column - 4)
        place: Mapping[str, object] = {"x": x + 5} if n == 0 else {"x": x + column - 5, "text_anchor": "end"}
        weight = "bold" if bold or n == 0 else None
        style = {"font_size": SIZE, "font_weight": weight}
        drawn.append(element("text", escape(shown), **place, y=y + high * 0.7, fill=look.print, **style))
        x += column
    return "".join(drawn)
