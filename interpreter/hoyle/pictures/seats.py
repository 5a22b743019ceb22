"""The seats: what the others have before them, and the one that looks with its hand."""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.pictures.blocks import Block, Part, below, beside, flow, text, wrapped
from hoyle.pictures.pieces import Pen
from hoyle.pictures.piles import row
from hoyle.pictures.room import GAP, Group, Table, in_words
from hoyle.pictures.spread import lined, spread, titled
from hoyle.pictures.svg import element

SMALLER = 0.8
"""How large the cards of others are, where there are several."""
ACROSS = 3.4
"""So many cards wide is a hand of others, with what they have won beside it."""
NARROW = 600
"""So wide a table is a telephone's: what lies beside a hand is smaller."""
ASIDE = 0.3
"""At most so much of the width is for what lies beside a hand."""


def panels(table: Table, seats: Sequence[str], shown: Sequence[Group], most: float = 1) -> Block:
    """The others, beside each other where there are several."""
    if not seats:
        return Block()
    across = min(3, len(seats) if len(seats) != 4 else 2)
    wide = (table.width - GAP * (across - 1)) / across
    scale = most if len(seats) == 1 else min(SMALLER, wide / (table.card * ACROSS))
    panels = [panel(table, seat, shown, wide, scale) for seat in seats]
    rows = [panels[n : n + across] for n in range(0, len(panels), across)]
    return below((beside(line, GAP) for line in rows), GAP, table.width)


def panel(table: Table, seat: str, shown: Sequence[Group], wide: float, scale: float) -> Block:
    own = [group for group in shown if group.owner == seat]
    pen = table.pen(scale)
    return below([_plate(table, seat, wide), spread(own, table, pen, wide)], 5, wide)


def own(table: Table, shown: Sequence[Group]) -> Block:
    """The seat that looks: what lies before it, and at the very bottom its hand."""
    if table.bottom is None:
        return Block()
    own = [group for group in shown if group.owner == table.bottom]
    held = [group for group in own if group.family in table.names.hands and group.layout == "row" and group.count]
    rest = [group for group in own if group not in held]
    pen, parts = table.pen(), list[Block]()
    if len(table.names.seats) > 1 or in_words(table, table.bottom):
        parts.append(_plate(table, table.bottom, table.width))
    side = _aside(rest, table, pen) if held else Block()
    parts += [] if side.height else [spread(rest, table, pen, table.width)]
    wide = table.width - side.width - 2 * GAP if side.height else table.width
    hands = flow([_held(group, pen, wide, len(held) > 1) for group in reversed(held)], wide, GAP)
    return below([*parts, beside([hands, side], 2 * GAP, middle=True) if side.height else hands], GAP, table.width)


def _aside(groups: Sequence[Group], table: Table, pen: Pen) -> Block:
    """What lies beside a hand, if there is room: single piles."""
    if not groups or any(group.layout == "column" or len(group.piles) > 1 for group in groups):
        return Block()
    scale = 1 if table.width > NARROW else SMALLER
    every = lined(groups, table, table.pen(scale), table.width)
    return every if every.width <= ASIDE * table.width and every.height <= pen.card.height * 1.5 else Block()


def _held(group: Group, pen: Pen, wide: float, several: bool) -> Block:
    """A hand, with its name only if there are others."""
    hand = flow((row(pile, pen, wide, "", hand=True) for pile in group.piles), wide, GAP)
    return titled(group.family, hand, pen, wide) if several else hand


def _plate(table: Table, seat: str, wide: float) -> Block:
    """The name of a seat, marked if it is to act, and what the state says of it."""
    look, names = table.theme, table.names
    acts = seat == table.view.to_act
    size = 14.0 if wide > 150 else 12.0
    lead = size * 0.9 if acts else 0
    name = text(names.seat(seat), size, look.mark if acts else look.ink, wide - lead, not acts, font_weight="bold")
    triangle = element(
        "path", d=f"M0 {size * 0.2:.1f}L{size * 0.6:.1f} {size * 0.65:.1f}L0 {size * 1.1:.1f}Z", fill=look.mark
    )
    title = element("title", names.say("to_act", seat=names.seat(seat)))
    arrow = (Part(0, 0, title + triangle, (("class", "to-act"),)),) if acts else ()
    head = Block(lead + name.width, name.height, (*arrow, *name.moved(lead, 0)))
    return below([head, wrapped(in_words(table, seat), 12, look.faint, wide)], 1, wide)
