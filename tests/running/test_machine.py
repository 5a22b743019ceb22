"""The loop: games of random moves, stopped or not, and states before the first step."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.running.chance import PLAYER, Chance

LADDER = load(Path(__file__).parents[1] / "game" / "scenes" / "ladder.yaml")


@pytest.mark.parametrize(
    ("most", "decisions", "over"), [(0, 0, False), (5, 5, False), (29, 29, False), (30, 30, True), (99, 30, True)]
)
def test_a_game_of_random_moves_may_be_stopped(most: int, decisions: int, over: bool) -> None:
    core, count = LADDER.machine.playout(3, 0, log=True, most=most)
    assert (count, core.over) == (decisions, over)
    assert sum(1 for event in core.log or () if event[0] == "move") == decisions


def test_its_moves_follow_from_the_seed() -> None:
    """Whoever moves at random has a stream of its own; where there is one move nothing is drawn."""
    state, pick = LADDER.start(3), Chance.stream(3, 0, PLAYER)
    while not state.is_over:
        legal = state.moves()
        state = state.play(legal[pick.below(len(legal)) if len(legal) > 1 else 0])
    assert state == LADDER.playout(3)
    assert state != LADDER.playout(3, 1)


def test_before_the_first_step_everything_is_at_home() -> None:
    machine = LADDER.machine
    core = machine.fresh(Chance.stream(1))
    heap = machine.homes[0]
    assert core.piles[heap] == [2 * kind for kind in range(12)], "face down, each piece once"
    assert [pile for number, pile in enumerate(core.piles) if number != heap] == [[]] * (len(machine.face))
    assert (core.over, core.acts, core.log) == (False, [], None)
