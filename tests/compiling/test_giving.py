"""Values that `let` gives to the words of moves: compiled code gives those of the evaluator."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from games import loaded
from tiers import in_tiers

from hoyle import Game, State
from hoyle.language.evaluate import evaluate
from hoyle.language.model import Move
from hoyle.running.machine import lets_in_texts
from hoyle.running.state import Action

WITH_LETS = ("backgammon", "barbu", "belote", "ecarte", "piquet", "plakoto", "scopa", "spades")


def explained(state: State, move: Move, action: Action) -> tuple[Any, ...]:
    names = {move.me: state.core.actor, **dict(zip(move.bindings, action[1:], strict=True))}
    setting = state.game.compiled.setting(state.core)
    return tuple(whole(evaluate(var.value, setting, names)) for var in lets_in_texts(move) if var.value is not None)


def whole(value: Any) -> Any:
    return int(value) if isinstance(value, bool | int) else tuple(map(whole, value))


def decisions(game: Game, most: int) -> Iterator[tuple[State, Move, Action]]:
    """Every action of some decisions of a random game."""
    state, chance = game.start(7), random.Random(7)
    moves = {move.number: move for move in game.ruleset.moves.values()}
    for _ in range(most):
        if state.is_over:
            return
        yield from ((state, moves[action[0]], action) for action in state.core.acts)
        state = state.play(chance.choice(state.moves()))


@pytest.mark.parametrize("name", in_tiers(WITH_LETS, quick=["backgammon"], whole=["barbu"]))
def test_words_are_given_the_values_of_their_formulas(name: str) -> None:
    game, tried = loaded(name), 0
    for state, move, action in decisions(game, 60):
        given = game.machine.needs(move.number).given(state.core, action)
        assert given == explained(state, move, action), (move.name, action)
        tried += len(given)
    assert tried
