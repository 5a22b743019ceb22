"""A move in words, with the pieces of a set as one holds them in a hand: their order means nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from hoyle.game.compiled import Compiled
from hoyle.game.pieces import hand_places
from hoyle.language.ir import WordCall
from hoyle.language.kinds import List, Piece
from hoyle.language.model import Move
from hoyle.running.wording import Seen, move_text


def in_words(game: Compiled, move: Move, action: Sequence[Any], seen: Seen) -> str:
    """The move as somebody is told of it."""
    text, shown, places = (
        move_text(game.namer, move, tuple(action), seen),
        game.namer.shown(seen.lang),
        hand_places(game),
    )
    for pieces in sets(game, move, action):
        held = sorted(pieces, key=lambda piece: places[piece >> 1])
        written, arranged = (" ".join(shown[piece >> 1] for piece in some) for some in (pieces, held))
        text = text.replace(written, arranged)
    return text


def sets(game: Compiled, move: Move, action: Sequence[Any]) -> Iterator[tuple[int, ...]]:
    """The pieces of each subset that it is bound to, and of each list out of a hand."""
    return (action[place] for place in places_of_sets(game, move))


def places_of_sets(game: Compiled, move: Move) -> tuple[int, ...]:
    """Where they stand in its actions."""
    key = ("sets", move.number)
    places: tuple[int, ...] | None = game.kept.get(key)
    if places is None:
        places = game.kept[key] = tuple(_places_of_sets(game, move))
    return places


def _places_of_sets(game: Compiled, move: Move) -> Iterator[int]:
    for var, items in move.withs:
        if not isinstance(var.kind, List) or not isinstance(piece := var.kind.item, Piece):
            continue
        if (isinstance(items, WordCall) and items.word == "subsets") or _in_hand(game, piece):
            yield 1 + move.bindings.index(var)


def _in_hand(game: Compiled, piece: Piece) -> bool:
    """Does it certainly lie where only its player sees it, in an order of his own?"""
    return bool(piece.families) and all(game.ruleset.piles[name].face == "owner" for name in piece.families)
