"""Environments of shipped games, and what a seat sees of a state. Libraries are imported when an environment is made."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from games import game

from hoyle import State
from hoyle.game.views.view import can_know
from hoyle.learning.layout import is_unordered
from hoyle.view_data import PileView

if TYPE_CHECKING:
    from hoyle.learning.aec import Environment


SORTS = ["cribbage", "golf", "hearts", "klondike", "gin-rummy", "barbu", "backgammon", "yams", "crapette", "spades"]
"""Games of every sort."""


def environment(name: str, **more: Any) -> Environment:
    from hoyle.learning.aec import Environment

    return Environment(game(name), **more)


def begun(name: str, seed: int = 1, **more: Any) -> Environment:
    env = environment(name, **more)
    env.reset(seed=seed)
    return env


def pick_legal(pick: random.Random, mask: Any) -> int:
    return pick.choice([number for number, bit in enumerate(mask) if bit])


def seen_by(state: State, seat: str) -> tuple[object, ...]:
    """All that an observation must tell apart: pieces, in order where that means anything, the values that the seat may know, and who decides what."""
    view = state.view(seat)
    return view.to_act, view.place, tuple(_pile(state, pile) for pile in view.piles), tuple(_values(state, seat))


def _pile(state: State, pile: PileView) -> object:
    pieces = [(piece.sign, piece.up, piece.colour) for piece in pile.pieces]
    family = state.game.ruleset.piles[pile.family]
    return tuple(sorted(pieces, key=repr)) if is_unordered(state.game.compiled, family) else tuple(pieces)


def _values(state: State, seat: str) -> list[object]:
    game, player = state.game.compiled, state.game.seats.index(seat)
    families = game.ruleset.state.values()
    return [state.core.cells[f.base + m] for f in families for m in range(f.size) if can_know(game, f, m, player)]
