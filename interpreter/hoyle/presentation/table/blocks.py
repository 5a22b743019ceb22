"""Piles drawn in blocks under the names of their families: columns as fans or strips, and small boards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from hoyle.presentation.look import Look, draw_piece, format_count, pad, wrap_cells
from hoyle.presentation.table.boards import draw_flat
from hoyle.presentation.table.piles import (
    Group,
    Layout,
    draw_cells,
    is_stack,
    join_ranges,
    make_point_labels,
    name_in_family,
)
from hoyle.printable import width

if TYPE_CHECKING:
    from hoyle.view_data import PileView


GAP = "   "


def draw_blocks(groups: Sequence[Group], look: Look, layout: Layout) -> list[str]:
    return join_blocks([_draw_block(group, look, layout) for group in groups], look)


def join_blocks(blocks: Sequence[Sequence[str]], look: Look, gap: int = 4) -> list[str]:
    """Put blocks side by side as far as they fit."""
    lines: list[str] = []
    band: list[Sequence[str]] = []
    for block in blocks:
        if band and sum(measure_width(b) + gap for b in band) + measure_width(block) + 2 > look.width:
            lines += _join_band(band, gap)
            band = []
        band.append(block)
    return lines + _join_band(band, gap)


def measure_width(block: Sequence[str]) -> int:
    return max(map(width, block), default=0)


def _join_band(blocks: Sequence[Sequence[str]], gap: int) -> list[str]:
    padded = [[pad(line, measure_width(block)) for line in block] for block in blocks]
    blank = [" " * measure_width(block) for block in blocks]
    rows = zip_longest(*padded)
    return ["  " + (" " * gap).join(cell or empty for cell, empty in zip(r, blank, strict=True)).rstrip() for r in rows]


def _draw_block(group: Group, look: Look, layout: Layout) -> list[str]:
    title = look.ink(look.label(group.family, "piles"), "dim")
    if group.layout == "board":
        return [title, *draw_flat(group.piles, make_point_labels(group, look), look)]
    if not layout.strips or group.layout != "column":
        return [title, *_draw_fans(group.piles, look)]
    if layout.few:
        return _draw_brief(title, group.piles, look, layout)
    if layout.tight or group.piles[0].stacked:
        return _add_title(title, _draw_packed(group.piles, look, layout), look, layout)
    return [title, *_draw_strips(group.piles, look)]


def _draw_brief(title: str, piles: Sequence[PileView], look: Look, layout: Layout) -> list[str]:
    """Draw all strips in one run behind the title."""
    full, vacant = _make_strips(piles, look, layout), _draw_empty([pile for pile in piles if not pile.count], look)
    return wrap_cells([title, *full, *vacant], look.width - 2, GAP)


def _add_title(title: str, lines: Sequence[str], look: Look, layout: Layout) -> list[str]:
    """In a tight layout, a single line goes beside its title."""
    beside = [GAP.join((title, *lines))]
    return beside if layout.tight and len(lines) == 1 and width(beside[0]) <= look.width - 2 else [title, *lines]


def _draw_fans(piles: Sequence[PileView], look: Look) -> list[str]:
    """Draw columns side by side, each under its number, in bands that fit the width."""
    columns = [[name_in_family(pile, look), *_draw_fan(pile, look)] for pile in piles]
    wide = max(2, *(max(map(width, column)) for column in columns)) + 1
    most = max(1, (look.width - 2) // wide)
    bands = -(-len(columns) // most)
    band = -(-len(columns) // bands)
    lines: list[str] = []
    for start in range(0, len(columns), band):
        lines += _draw_band(columns[start : start + band], wide, look)
    return lines


def _draw_band(columns: Sequence[Sequence[str]], wide: int, look: Look) -> list[str]:
    heads = "".join(pad(look.ink(column[0], "number"), wide) for column in columns)
    rows = zip_longest(*(column[1:] for column in columns), fillvalue="")
    return [heads.rstrip(), *("".join(pad(cell, wide) for cell in cells).rstrip() for cells in rows)]


def _draw_fan(pile: PileView, look: Look) -> list[str]:
    if not pile.count:
        return [look.empty]
    if is_stack(pile):
        top = draw_piece(pile.pieces[-1], look) if pile.pieces else look.back
        return [top, *[look.ink(f"{look.sign('×', 'x')}{pile.count}", "dim")] * (pile.count > 1)]
    return [draw_piece(piece, look) for piece in pile.pieces] or [format_count(look.back, pile.count, look)]


def _draw_strips(piles: Sequence[PileView], look: Look) -> list[str]:
    """Draw one pile a line; empty piles share the last line."""
    heads = [name_in_family(pile, look) for pile in piles]
    wide = max(map(width, heads)) + 1
    lines: list[str] = []
    for head, pile in zip(heads, piles, strict=True):
        if pile.count:
            wrapped = wrap_cells(draw_cells(pile, look), look.width - 2 - wide)
            lines += [pad(look.ink(head if n == 0 else "", "number"), wide) + line for n, line in enumerate(wrapped)]
    return lines + _draw_empty([pile for pile in piles if not pile.count], look)


def _draw_empty(piles: Sequence[PileView], look: Look) -> list[str]:
    """Draw empty piles; consecutive numbers become a range."""
    heads = [look.ink(head, "number") for head in join_ranges([name_in_family(pile, look) for pile in piles], look)]
    return wrap_cells([*heads, look.empty], look.width - 2) if heads else []


def _draw_packed(piles: Sequence[PileView], look: Look, layout: Layout) -> list[str]:
    """Draw several short strips a line and the empty piles at the end."""
    vacant = _draw_empty([pile for pile in piles if not pile.count], look)
    return _append_empty(_arrange_columns(_make_strips(piles, look, layout), look), vacant, look)


def _make_strips(piles: Sequence[PileView], look: Look, layout: Layout) -> list[str]:
    full = (pile for pile in piles if pile.count)
    return [
        f"{look.ink(name_in_family(pile, look), 'number')} {' '.join(_draw_end(pile, look, layout.few))}"
        for pile in full
    ]


def _append_empty(lines: Sequence[str], vacant: Sequence[str], look: Look) -> list[str]:
    if lines and len(vacant) == 1 and width(lines[-1]) + len(GAP) + width(vacant[0]) <= look.width - 2:
        return [*lines[:-1], GAP.join((lines[-1], *vacant))]
    return [*lines, *vacant]


def _arrange_columns(found: Sequence[str], look: Look) -> list[str]:
    """Arrange strips in columns, if several fit."""
    wide = max(map(width, found), default=0) + len(GAP)
    several = (look.width - 2 + len(GAP)) // wide
    if several < 2 or not found:
        return [line for one in found for line in wrap_cells(one.split(" "), look.width - 2)]
    rows = -(-len(found) // several)
    return ["".join(pad(one, wide) for one in found[row::rows]).rstrip() for row in range(rows)]


def _draw_end(pile: PileView, look: Look, few: int) -> list[str]:
    if few and is_stack(pile) and pile.pieces:
        return [draw_piece(pile.pieces[-1], look)]
    cells = draw_cells(pile, look)
    return [look.sign("…", ".."), *cells[-few:]] if few and len(cells) > few + 1 else cells
