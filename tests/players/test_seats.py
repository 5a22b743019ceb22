"""Players for seats without a person: what each chooses, from what it may see."""

from __future__ import annotations

from collections import Counter

import pytest
from games import game
from sights import advised_move, seen_in

from interpreter import State
from interpreter.players.seats import is_kind, player, reach
from interpreter.running.chance import Chance
from interpreter.series.simulate import Order, traced

LAST = {
    "at": "play to the trick",
    "to_act": "D",
    "state": {"leader": "A"},
    "piles": {"hand of D": "2C KC", "hand of A": "3D", "hand of B": "4D", "hand of C": "5D"}
    | {"trick of A": "3C", "trick of B": "QS", "trick of C": "4C"},
}
"""The king takes the queen of spades, and the fewest points win."""


@pytest.fixture(scope="module")
def state() -> State:
    return game("hearts").position(LAST, 1)


def chosen(kind: str, state: State) -> Counter[str]:
    moves, chooses = state.moves(), player(kind, state.game, "python")
    return Counter(moves[chooses(seen_in(state), Chance.stream(seed))].id for seed in range(12))


def test_what_each_chooses(state: State) -> None:
    assert chosen("first", state) == {state.moves()[0].id: 12}
    assert chosen("greedy", state) == {"play-a-card 2C": 12}
    assert len(chosen("random", state)) == 2


def test_how_far_a_search_may_be_told_to_go(state: State) -> None:
    for kind, far in (
        ("1", (1, None)),
        ("999999", (999_999, None)),
        ("0.001s", (None, 0.001)),
        ("999.999s", (None, 999.999)),
    ):
        assert reach(f"search:{kind}", state.game.compiled) == reach(f"search:{kind}:score", state.game.compiled) == far
    for kind in (
        "",
        "0",
        "0s",
        "0.0s",
        "000.000s",
        "-1",
        "-1s",
        "1000000",
        "1000s",
        "0.0001s",
        "1e3",
        "0.5",
        "+1",
        "1:",
        "1:points",
    ):
        assert not is_kind(f"search:{kind}")


def test_advice_is_about_what_wins_whatever_scores_say(state: State) -> None:
    found = advised_move(state, 3)
    assert found is not None
    assert found[0] == "play-a-card 2C"
    assert state.standings == [-score for score in state.scores.values()]


def test_what_a_player_tries_is_no_use_of_a_rule() -> None:
    tried = traced(Order("hearts", (), 1))
    state = tried.position(LAST, 1)
    before = tried.machine.hits[:]
    assert any(before)
    assert chosen("greedy", state)
    assert tried.machine.hits == before
