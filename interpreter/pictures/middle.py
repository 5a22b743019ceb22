"""Piles that each player has before him in the middle of the table, such as the cards of a trick."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import pi, sin

from interpreter.pictures.blocks import Block, Part
from interpreter.pictures.pieces import Pen
from interpreter.pictures.piles import Pile

_REACH: dict[int, tuple[float, float]] = {1: (0, 0), 2: (0, 0.52), 3: (1.2, 0.4), 4: (1.12, 0.52)}
_FAR = (1.6, 1.05)
"""How far the middles of the places lie from that of the table, in widths and in heights of a card, by the number of seats."""


def middle(piles: Sequence[Pile], seats: Sequence[str], pen: Pen, draw: Callable[[Pile, str], Block]) -> Block:
    """The piles of the seats, the first at the bottom and the others round to the left, as they sit. An empty place says whose it is."""
    wide, high = pen.card.width, pen.card.height
    across, down = _REACH.get(len(seats), _FAR)
    owned = {pile.owner: pile for pile in piles}
    parts: list[Part] = []
    for n, seat in enumerate(seats):
        if seat in owned:
            turn = 2 * pi * n / len(seats)
            x, y = across * wide * (1 - sin(turn)), down * high * (1 + sin(turn + pi / 2))
            block = draw(owned[seat], pen.names.seat(seat))
            parts += block.moved(x + (wide - block.width) / 2, y)
    return Block(wide * (2 * across + 1), high * (2 * down + 1), tuple(parts))
