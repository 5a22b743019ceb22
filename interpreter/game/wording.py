"""A move in words, with the pieces of a set as one holds them in a hand: their order means nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from interpreter.game.compiled import Compiled
from interpreter.game.pieces import hand_places
from interpreter.language.ir import WordCall
from interpreter.language.model import Move
from interpreter.running.telling import Seen, move_text


def in_words(game: Compiled, move: Move, action: Sequence[Any], seen: Seen) -> str:
    """The move as somebody is told of it."""
    text, shown, places = (
        move_text(game.namer, move, tuple(action), seen),
        game.namer.shown(seen.lang),
        hand_places(game),
    )
    for pieces in sets(move, action):
        held = sorted(pieces, key=lambda piece: places[piece >> 1])
        written, arranged = (" ".join(shown[piece >> 1] for piece in some) for some in (pieces, held))
        text = text.replace(written, arranged)
    return text


def sets(move: Move, action: Sequence[Any]) -> Iterator[tuple[int, ...]]:
    """The pieces of each subset that it is bound to."""
    values = dict(zip(move.bindings, action[1:], strict=True))
    for var, items in move.withs:
        if isinstance(items, WordCall) and items.word == "subsets" and var.kind.of_item.name == "piece":
            yield values[var]
