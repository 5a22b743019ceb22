"""Groups of piles beside each other, each with its name; columns in bands below them."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from hoyle.pictures.blocks import Block, below, beside, flow, lowered, text, text_width
from hoyle.pictures.pieces import Pen
from hoyle.pictures.piles import chip, column, is_stack, row, stack, which
from hoyle.pictures.room import GAP, Group, Table
from hoyle.views import PileView

BANDS, SMALLEST = 3, 34.0
"""Columns lie in so many bands, as long as their cards are not narrower than this."""
CAPTION = 11.0
"""How large names are."""


def idle(groups: Sequence[Group], pen: Pen, wide: float) -> Block:
    """Places in which nothing lies, and that would take a line for themselves: they are only named."""
    return flow((chip(pile, pen, _called(pile, pen), wide) for group in groups for pile in group.piles), wide, 6)


def spread(groups: Sequence[Group], table: Table, pen: Pen, wide: float, first: Sequence[Block] = ()) -> Block:
    """Piles beside each other, and below them those that lie in columns; where the first take more than a line, empty places are only named."""
    if groups and not first and all(is_idle(group) for group in groups):
        return idle(groups, pen, wide)
    line = lined(groups, table, pen, wide, first)
    if line.width <= wide:
        return line
    single = [group for group in groups if group.layout != "column"]
    columned = _captioned_all([group for group in groups if group.layout == "column"], table, pen, wide)
    return below([_singles(single, table, pen, wide, first), flow(columned, wide, GAP * 1.6)], GAP)


def _singles(groups: Sequence[Group], table: Table, pen: Pen, wide: float, first: Sequence[Block]) -> Block:
    """Those that do not lie in columns."""
    every = [*first, *_captioned_all(groups, table, pen, wide)]
    if sum(block.width + GAP for block in every) - GAP <= wide:
        return beside(every, GAP)
    busy = _captioned_all([group for group in groups if not is_idle(group)], table, pen, wide)
    named = idle([group for group in groups if is_idle(group)], pen, wide)
    return below([flow([*first, *busy], wide, GAP), named], GAP)


def lined(groups: Sequence[Group], table: Table, pen: Pen, wide: float, first: Sequence[Block] = ()) -> Block:
    """All in one line."""
    return beside([*first, *_captioned_all(groups, table, pen, wide)], GAP * 1.6)


def _captioned_all(groups: Sequence[Group], table: Table, pen: Pen, wide: float) -> list[Block]:
    """Each with its name, columns behind the others."""
    named = any(table.named(group) for group in groups)
    ordered = sorted(groups, key=lambda group: group.layout == "column")
    return [_captioned(group, pen, wide, table, named) for group in ordered]


def is_idle(group: Group) -> bool:
    """Is this a place in which nothing lies and nothing is built: somebody's own, or one alone of its sort?"""
    return not group.count and group.layout != "column" and (group.owner is not None or len(group.piles) == 1)


def _called(pile: PileView, pen: Pen) -> str:
    return " ".join([pen.names.label(pile.family, "piles"), *which(pile, pen)])


def _captioned(group: Group, pen: Pen, wide: float, table: Table, named: bool) -> Block:
    """A family with its name above it; without one as high as those beside it, if these are named."""
    inner = _columns(group, pen, wide, table.height) if group.layout == "column" else _slots(group, pen, wide)
    if table.named(group):
        return titled(group.family, inner, pen, wide)
    return lowered(inner, CAPTION * 1.3 + 2) if named else inner


def titled(family: str, inner: Block, pen: Pen, wide: float) -> Block:
    """What a family of piles is called, above it."""
    label = pen.names.label(family, "piles")
    room = max(inner.width, min(wide, text_width(label, CAPTION), max(112.0, pen.card.width * 1.9)))
    return below([text(label, CAPTION, pen.theme.faint, room), inner], 2)


def _slots(group: Group, pen: Pen, wide: float) -> Block:
    room = (
        wide
        if len(group.piles) == 1
        else max(pen.card.width, (wide - 6 * (len(group.piles) - 1)) / min(2, len(group.piles)))
    )
    return flow((_slot(pile, pen, room, len(group.piles) > 1) for pile in group.piles), wide, 6)


def _slot(pile: PileView, pen: Pen, wide: float, several: bool) -> Block:
    label = _label(pile, pen) if several else ""
    if is_stack(pile, pen) or (len(pile.pieces) < pile.count):
        return stack(pile, pen, label)
    return row(pile, pen, wide, label)


def _label(pile: PileView, pen: Pen) -> str:
    return pen.names.symbol(pile.family, pile.member) or " ".join(which(pile, pen))


def _columns(group: Group, pen: Pen, wide: float, height: float) -> Block:
    """Columns side by side under their numbers, in as many bands as the width asks for, all of about one length. Where that are many bands, all is smaller."""
    count, width = len(group.piles), pen.card.width
    while width > SMALLEST and -(-count // _fitting(wide, width)) > BANDS:
        width *= 0.95
    small = replace(pen, card=replace(pen.card, beside=True, width=width))
    bands = -(-count // _fitting(wide, width))
    across = -(-count // bands)
    drawn_ = [_numbered(pile, small, height, 10.0) for pile in group.piles]
    lines = [drawn_[n : n + across] for n in range(0, count, across)]
    return below((beside(line, _gap(width)) for line in lines), 4, middle=False)


def _fitting(wide: float, card: float) -> int:
    """How many columns stand side by side."""
    return max(1, int((wide + _gap(card)) / (card + _gap(card))))


def _gap(card: float) -> float:
    return max(3.0, card * 0.08)


def _numbered(pile: PileView, pen: Pen, height: float, size: float) -> Block:
    name = " ".join(which(pile, pen))
    drawn = stack(pile, pen, "", deep=0) if is_stack(pile, pen) else column(pile, pen, height, "")
    return below([text(name, size, pen.theme.faint, pen.card.width), drawn], 1, pen.card.width)
