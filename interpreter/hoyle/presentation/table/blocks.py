"""Piles of a view in blocks under the names of their families: columns as fans or as strips, short boards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from hoyle.presentation.look import Look, face, pad, times, wrap
from hoyle.presentation.table.boards import flat
from hoyle.presentation.table.piles import Group, Way, cells_of, heads_of, is_stack, ranges, which_of
from hoyle.printable import width

if TYPE_CHECKING:
    from hoyle.view_data import PileView


GAP = "   "
"""Between strips that share a line."""


def blocks(groups: Sequence[Group], look: Look, way: Way) -> list[str]:
    """Each group under the name of its family, and beside each other as far as they fit."""
    return side_by_side([_block(group, look, way) for group in groups], look)


def side_by_side(found: Sequence[Sequence[str]], look: Look) -> list[str]:
    """Blocks beside each other as far as they fit."""
    lines: list[str] = []
    waiting: list[Sequence[str]] = []
    for block in found:
        if waiting and sum(_wide(b) + 4 for b in waiting) + _wide(block) + 2 > look.width:
            lines += _beside(waiting)
            waiting = []
        waiting.append(block)
    return lines + _beside(waiting)


def _wide(block: Sequence[str]) -> int:
    return max(map(width, block), default=0)


def _beside(blocks: Sequence[Sequence[str]]) -> list[str]:
    padded = [[pad(line, _wide(block)) for line in block] for block in blocks]
    blank = [" " * _wide(block) for block in blocks]
    rows = zip_longest(*padded)
    return ["  " + "    ".join(cell or empty for cell, empty in zip(r, blank, strict=True)).rstrip() for r in rows]


def _block(group: Group, look: Look, way: Way) -> list[str]:
    title = look.ink(look.label(group.family, "piles"), "dim")
    if group.layout == "board":
        return [title, *flat(group.piles, heads_of(group, look), look)]
    if not way.strips or group.layout != "column":
        return [title, *_fans(group.piles, look)]
    if way.few:
        return _brief(title, group.piles, look, way)
    if way.tight or group.piles[0].stacked:
        return _titled(title, _packed(group.piles, look, way), look, way)
    return [title, *_strips(group.piles, look)]


def _brief(title: str, piles: Sequence[PileView], look: Look, way: Way) -> list[str]:
    """All in one run, behind their name."""
    full, vacant = _strip_cells(piles, look, way), _vacant([pile for pile in piles if not pile.count], look)
    return wrap([title, *full, *vacant], look.width - 2, GAP)


def _titled(title: str, lines: Sequence[str], look: Look, way: Way) -> list[str]:
    """A single line stands beside its title where it is tight."""
    beside = [GAP.join((title, *lines))]
    return beside if way.tight and len(lines) == 1 and width(beside[0]) <= look.width - 2 else [title, *lines]


def _fans(piles: Sequence[PileView], look: Look) -> list[str]:
    """Columns side by side, each under its number, in as many bands as the width asks for."""
    columns = [[which_of(pile, look), *_fan(pile, look)] for pile in piles]
    wide = max(2, *(max(map(width, column)) for column in columns)) + 1
    most = max(1, (look.width - 2) // wide)
    bands = -(-len(columns) // most)
    band = -(-len(columns) // bands)
    lines: list[str] = []
    for start in range(0, len(columns), band):
        lines += _band(columns[start : start + band], wide, look)
    return lines


def _band(columns: Sequence[Sequence[str]], wide: int, look: Look) -> list[str]:
    heads = "".join(pad(look.ink(column[0], "number"), wide) for column in columns)
    rows = zip_longest(*(column[1:] for column in columns), fillvalue="")
    return [heads.rstrip(), *("".join(pad(cell, wide) for cell in cells).rstrip() for cells in rows)]


def _fan(pile: PileView, look: Look) -> list[str]:
    if not pile.count:
        return [look.empty]
    if is_stack(pile):
        top = face(pile.pieces[-1], look) if pile.pieces else look.back
        return [top, *[look.ink(f"{look.sign('×', 'x')}{pile.count}", "dim")] * (pile.count > 1)]
    return [face(piece, look) for piece in pile.pieces] or [times(look.back, pile.count, look)]


def _strips(piles: Sequence[PileView], look: Look) -> list[str]:
    """One pile a line; empty ones share the last."""
    heads = [which_of(pile, look) for pile in piles]
    wide = max(map(width, heads)) + 1
    lines: list[str] = []
    for head, pile in zip(heads, piles, strict=True):
        if pile.count:
            wrapped = wrap(cells_of(pile, look), look.width - 2 - wide)
            lines += [pad(look.ink(head if n == 0 else "", "number"), wide) + line for n, line in enumerate(wrapped)]
    return lines + _vacant([pile for pile in piles if not pile.count], look)


def _vacant(piles: Sequence[PileView], look: Look) -> list[str]:
    """What they are called, and that nothing lies there; those that follow each other as the first and the last."""
    heads = [look.ink(head, "number") for head in ranges([which_of(pile, look) for pile in piles], look)]
    return wrap([*heads, look.empty], look.width - 2) if heads else []


def _packed(piles: Sequence[PileView], look: Look, way: Way) -> list[str]:
    """Several short strips a line, and the empty ones on the last; of long strips, if so many pieces are few, the end."""
    vacant = _vacant([pile for pile in piles if not pile.count], look)
    return _joined(_in_columns(_strip_cells(piles, look, way), look), vacant, look)


def _strip_cells(piles: Sequence[PileView], look: Look, way: Way) -> list[str]:
    """Where something lies: what it is called, and what lies there."""
    full = (pile for pile in piles if pile.count)
    return [f"{look.ink(which_of(pile, look), 'number')} {' '.join(_end(pile, look, way.few))}" for pile in full]


def _joined(lines: Sequence[str], vacant: Sequence[str], look: Look) -> list[str]:
    """What is empty on the last line, if it has room for that."""
    if lines and len(vacant) == 1 and width(lines[-1]) + len(GAP) + width(vacant[0]) <= look.width - 2:
        return [*lines[:-1], GAP.join((lines[-1], *vacant))]
    return [*lines, *vacant]


def _in_columns(found: Sequence[str], look: Look) -> list[str]:
    """Down one column after the other, if there are several."""
    wide = max(map(width, found), default=0) + len(GAP)
    several = (look.width - 2 + len(GAP)) // wide
    if several < 2 or not found:
        return [line for one in found for line in wrap(one.split(" "), look.width - 2)]
    rows = -(-len(found) // several)
    return ["".join(pad(one, wide) for one in found[row::rows]).rstrip() for row in range(rows)]


def _end(pile: PileView, look: Look, few: int) -> list[str]:
    if few and is_stack(pile) and pile.pieces:
        return [face(pile.pieces[-1], look)]
    cells = cells_of(pile, look)
    return [look.sign("…", ".."), *cells[-few:]] if few and len(cells) > few + 1 else cells
