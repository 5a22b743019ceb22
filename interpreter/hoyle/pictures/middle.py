"""Piles that each player has before him in the middle of the table, such as the cards of a trick."""

from __future__ import annotations

from collections.abc import Sequence
from math import pi, sin

from hoyle.pictures.blocks import Block, Part, cut
from hoyle.pictures.pieces import Pen
from hoyle.pictures.piles import row, text_plate
from hoyle.views import PileView

_REACH: dict[int, tuple[float, float]] = {1: (0, 0), 2: (0.55, 0.12), 3: (1.12, 0.4), 4: (1.12, 0.52)}
_FAR = (1.6, 1.05)
"""How far the middles of the places lie from that of the table, in widths and in heights of a card, by the number of seats."""


def middle(piles: Sequence[PileView], seats: Sequence[str], pen: Pen) -> Block:
    """The piles of the seats, the first at the bottom and the others round to the left, as they sit. Each says whose it is."""
    wide, high = pen.card.width, pen.card.height
    across, down = _REACH.get(len(seats), _FAR)
    owned = {pile.owner: pile for pile in piles}
    parts: list[Part] = []
    for n, seat in enumerate(seats):
        if seat in owned:
            turn = 2 * pi * n / len(seats)
            side = sin(turn) if len(seats) != 2 else 1 - 2 * n  # two lie beside each other
            x, y = across * wide * (1 - side), down * high * (1 + sin(turn + pi / 2))
            block = _place(owned[seat], pen.names.seat(seat), pen)
            parts += block.moved(x + (wide - block.width) / 2, y)
    return Block(wide * (2 * across + 1), high * (2 * down + 1), tuple(parts))


def _place(pile: PileView, name: str, pen: Pen) -> Block:
    """What somebody has played, with his name upon it; an empty place has it in its middle."""
    block = row(pile, pen, pen.card.width, name)
    if not pile.count:
        return block
    size = pen.count * 0.85
    tag = text_plate(cut(name, size, block.width - size), size, pen)
    x, y = (block.width - tag.width) / 2, block.height - tag.height - 1.5
    return Block(block.width, block.height, (*block.parts, *tag.moved(x, y)))
