"""Russian Bank and its calls of “Stop!”."""

from __future__ import annotations

from random import Random

import pytest
from games import loaded

from interpreter import State


def house(state: State) -> list[list[str | None]]:
    """The cards of the house as an onlooker sees them."""
    return [[piece.sign for piece in pile.pieces] for pile in state.view(None).piles if pile.family == "house"]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("effect", "most"),
    [
        ("undo_and_force", 10),
        *(pytest.param(e, 60, marks=pytest.mark.slow) for e in ("undo_and_force", "keep", "undo")),
    ],
)
def test_a_true_stop_ends_the_turn_and_a_false_one_does_not(effect: str, most: int) -> None:
    """A call is true if the player omitted a compulsory move."""
    state, pick = loaded("russian-bank", fault_effect=effect).start(seed=5), Random(5)
    true, false = 0, 0
    while not state.is_over and true < most:
        move = pick.choice(state.moves())
        offender = state.to_act
        before, state = house(state), state.play(move)
        if state.is_over or not state.place.endswith("watch"):
            continue
        stopped = state.play("call-stop")
        state = stopped if move.fault else state.play("say-nothing")
        true, false = true + bool(move.fault), false + (not move.fault)
        if not move.fault:
            ends = move.name in ("to the waste pile", "pass")
            assert stopped.is_over or (stopped.to_act == offender) is not ends
            continue
        assert state.to_act != offender
        if effect == "undo_and_force":  # the caller points out what was omitted, with the cards as they lay
            assert house(state) == before
            assert state.moves()
            assert all("instead" in m.id for m in state.moves())
            state = state.play(pick.choice(state.moves()))
            assert state.is_over or state.to_act != offender
    assert true > 0.6 * most
    assert false > 0.6 * most
