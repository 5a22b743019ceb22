"""The whole table: the others at the top, what lies in common in the middle, the seat that looks at the bottom with its hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from hoyle.pictures.blocks import Block, below, beside, flow, wrapped
from hoyle.pictures.boards import Cube, board
from hoyle.pictures.counters import tracks
from hoyle.pictures.middle import middle
from hoyle.pictures.room import GAP, Group, Table, boards_of, groups_of, in_words, on_boards
from hoyle.pictures.seats import ACROSS, SMALLER, own, panel, panels
from hoyle.pictures.sheets import sheet
from hoyle.pictures.spread import spread, titled
from hoyle.pictures.svg import rectangle
from hoyle.pictures.theme import Theme
from hoyle.views import PileView

WIDE = 700
"""From so wide on players sit round the table."""
BROAD, PAPER = 1000, 0.3
"""From so wide on sheets lie beside the table, and take at most this part of it."""


def drawn(table: Table) -> Block:
    """Everything, one part below the other; sheets at the right, where there is room."""
    paper = _papers(table, table.width * PAPER if table.width >= BROAD else table.width)
    aside = table.width >= BROAD and 0 < paper.width <= table.width * PAPER
    inner = replace(table, width=table.width - paper.width - 2 * GAP) if aside else table
    parts = [*_parts(inner), *([] if aside else [paper])]
    whole = below([part for part in parts if part.height], GAP * 1.4, inner.width)
    return beside([whole, paper], 2 * GAP, middle=True) if aside else whole


def _parts(table: Table) -> list[Block]:
    shown = groups_of(table.view.piles, on_boards(table))
    between = [group for group in shown if group.family in table.names.middle]
    shown = [group for group in shown if group not in between]
    track = tracks(table.view.state, table.names, table.theme, min(table.width, 760))
    return [*_above(table, shown, between), track, own(table, shown)]


def _above(table: Table, shown: Sequence[Group], between: Sequence[Group]) -> list[Block]:
    """The others and what lies in common: where there is room the first of them sits at the left and the last at the right."""
    others, common = table.others, [group for group in shown if group.owner is None]
    if len(others) < 2 or table.width < WIDE:
        return [panels(table, others, shown), _common(table, common, _between(table, between))]
    side = table.width * 0.24
    scale = min(SMALLER, side / (table.card * ACROSS))
    left, right = (panel(table, seat, shown, side, scale) for seat in (others[0], others[-1]))
    inner = replace(table, width=table.width - 2 * (side + GAP))
    top = panels(inner, others[1:-1], shown, SMALLER)
    middle_ = below([top, _common(inner, common, _between(inner, between))], GAP * 1.4, inner.width)
    return [beside([left, middle_, right], GAP, middle=True)]


def _between(table: Table, groups: Sequence[Group]) -> list[Block]:
    """What each has before him in the middle of the table, each family by itself."""
    pen, families = table.pen(), dict[str, list[PileView]]()
    around = [*([table.bottom] if table.bottom is not None else []), *table.others]
    for group in groups:
        families.setdefault(group.family, []).extend(group.piles)
    return [titled(name, middle(piles, around, pen), pen, table.width) for name, piles in families.items()]


def _papers(table: Table, wide: float) -> Block:
    """The score sheets."""
    return flow((sheet(found, table.names, table.theme, wide) for found in table.view.sheets), wide, GAP * 1.4)


def _boards(table: Table) -> list[Block]:
    piles: Mapping[str, PileView] = {pile.key: pile for pile in table.view.piles}
    cubes = _cubes(table)
    return [board(found, piles, table.pen(), table.width, table.bottom, cubes) for found in boards_of(table.view)]


def _cubes(table: Table) -> list[Cube]:
    names = table.names
    return [
        Cube(str(item.value), names.label(item.name, "state"), item.member)
        for item in table.view.state
        if item.name in names.cubes and item.value is not None
    ]


def _common(table: Table, groups: Sequence[Group], between: Sequence[Block]) -> Block:
    state = wrapped(in_words(table, None), 12, table.theme.faint, table.width)
    piles = spread(groups, table, table.pen(), table.width, between)
    return below([state, *_boards(table), piles], GAP, table.width)


def ground(block: Block, look: Theme, margin: float) -> str:
    return rectangle(0, 0, block.width + 2 * margin, block.height + 2 * margin, 0, fill=look.felt)
