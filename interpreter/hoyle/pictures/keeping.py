"""What was drawn before and is drawn again: from one picture of a game to the next most piles stay as they are."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from hoyle.pictures.blocks import Block
    from hoyle.pictures.pieces import Pen

MOST = 8192
"""So many piles are kept as they were drawn."""
Given = ParamSpec("Given")
Thing = TypeVar("Thing")
_drawn: dict[Any, tuple[Pen, Block]] = {}


def kept(draw: Callable[Concatenate[Thing, Pen, Given], Block]) -> Callable[Concatenate[Thing, Pen, Given], Block]:
    """Draws a pile once that is drawn alike: the same words and colours (those very ones), the same pieces, as large, with all else that is given."""

    @wraps(draw)
    def once(pile: Thing, pen: Pen, /, *given: Given.args, **named: Given.kwargs) -> Block:
        key = (draw.__name__, pile, _of(pen), given, tuple(named.items()))
        found = _drawn.pop(key, None) or (pen, draw(pile, pen, *given, **named))
        _drawn[key] = found  # the last of all; with the pen its words and colours stay, and so what tells them
        while len(_drawn) > MOST:
            _drawn.pop(next(iter(_drawn)), None)
        return found[1]

    return once


def _of(pen: Pen) -> tuple[Any, ...]:
    """What drawing hangs on: large tables by which they are."""
    card = pen.card
    rest = [getattr(pen, name) for name in pen.__struct_fields__ if name not in ("names", "card")]
    sizes = [getattr(card, name) for name in card.__struct_fields__ if name != "theme"]
    return id(pen.names), id(card.theme), *rest, *sizes
