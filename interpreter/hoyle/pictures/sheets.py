"""Score sheets, drawn as on paper."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from hoyle.language.sentences import format_integer
from hoyle.pictures.blocks import Block, Part, cut_text, place_below, text_block, text_width
from hoyle.pictures.names import Names
from hoyle.pictures.svg import element, escape, format_number, rectangle
from hoyle.pictures.theme import Theme
from hoyle.view_data import SheetCell, SheetRow, SheetView

DEALS = 10
"""Greatest number of deals with a row each. If there are more, one row has the sum of the first ones."""
Texts = Sequence[tuple[str, str]]


class Lines(Struct, frozen=True):
    """A sheet as rows of text; the first cell of each is its head, the first row heads the columns, and the last
    `totals` add up."""

    title: str
    lines: list[list[str]]
    totals: int = 0


def draw_sheet(found: SheetView, names: Names, look: Theme, width: float) -> Block:
    """Draw a sheet, transposed if it is too wide or much wider than high."""
    lines = [["", *(_in_language(column.texts, names) for column in found.columns)], *_list_rows(found, names)]
    last = [_row_texts(found.totals, names)] if found.totals is not None and len(lines) > 2 else []
    upright = Lines(_in_language(found.texts, names), lines + last, len(last))
    turned = Lines(upright.title, [list(column) for column in zip(*upright.lines, strict=True)])
    flat = len(found.columns) > max(8, 2 * len(found.rows))
    return _draw_lines(turned if flat or sum(_column_widths(upright.lines)) > width else upright, look, width)


def _list_rows(found: SheetView, names: Names) -> Iterator[list[str]]:
    early = found.rows[: max(0, len(found.rows) - DEALS)] if found.sort == "deals" else ()
    if early:
        columns = zip(*(row.cells for row in early), strict=True)
        sums = [sum(int(str(cell.value)) for cell in column if cell is not None) for column in columns]
        yield [
            f"{_in_language(early[0].head.texts, names)} – {_in_language(early[-1].head.texts, names)}",
            *(format_integer(found, names.lang) for found in sums),
        ]
    for row in found.rows[len(early) :]:
        yield _row_texts(row, names)
    for part in found.rows[-1].parts if found.rows else ():
        yield _row_texts(part, names, "\u2003")


def _row_texts(row: SheetRow, names: Names, indent: str = "") -> list[str]:
    return [indent + _in_language(row.head.texts, names), *(_cell_text(cell, names) for cell in row.cells)]


def _cell_text(cell: SheetCell | None, names: Names) -> str:
    if cell is None:
        return ""
    if cell.value is None:
        return "·"
    return "✓" if cell.value is True else _in_language(cell.texts, names)


def _in_language(texts: Texts, names: Names) -> str:
    said = dict(texts)
    return said.get(names.lang) or next(iter(said.values()), "")


# ---- how it lies -----------------------------------------------------------------------------------------------------

SIZE, TITLE = 12.0, 220.0
"""Font size, and least room for a title."""


def _column_widths(lines: Sequence[Sequence[str]]) -> list[float]:
    return [max(text_width(line[n], SIZE * 1.1) for line in lines) + SIZE for n in range(len(lines[0]))]


def _draw_lines(said: Lines, look: Theme, width: float) -> Block:
    """Draw rows below a title."""
    high, wide = SIZE * 1.55, _column_widths(said.lines)
    over = max(1.0, sum(wide) / width)
    wide = [column / over for column in wide]
    full, count = sum(wide), len(said.lines)
    bold = {0, *range(count - said.totals, count)}
    cells = [_draw_line(line, wide, n * high, high, look, n in bold) for n, line in enumerate(said.lines)]
    ground = rectangle(0, 0, full, high * count, 4, fill=look.paper, stroke=look.edge)
    paper = Block(full, high * count, (Part(0, 0, ground + "".join(cells), (("class", "sheet"),)),))
    title = text_block(said.title, SIZE, look.faint, max(full, min(width, TITLE)), middle=False)
    return place_below([title, paper], 2, middle=False)


def _draw_line(line: Sequence[str], wide: Sequence[float], y: float, high: float, look: Theme, bold: bool) -> str:
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
