"""Games that are played by OpenSpiel, too: how moves, cards and dice are translated, and, where it is installed, that both systems have the same rules."""

from __future__ import annotations

import random
from importlib.util import find_spec
from itertools import product
from typing import Any

import pytest

from benchmarks.spiel_tables import (
    TABLES,
    Cards,
    Cribbage,
    Hearts,
    from_the_end,
    laid_away,
    loaded,
    standing,
    step,
    thrown,
)
from interpreter import State, load

SIGNS = [rank + suit for rank, suit in product("A23456789TJQK", "CDHS")]
asks_openspiel = pytest.mark.skipif(find_spec("pyspiel") is None, reason="`open_spiel` is not there")
asks_its_python = pytest.mark.skipif(
    not all(find_spec(name) for name in ("pyspiel", "absl", "numpy")), reason="`open_spiel` is not there"
)


def opening() -> State:
    """White begins with 4 and 1."""
    return load("backgammon").start(seed=1)


# ---- without it -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "some"),
    [(Cribbage, {"AC": 0, "KC": 12, "AD": 13, "KS": 51}), (Hearts, {"2C": 0, "2S": 3, "QS": 43, "AS": 51})],
)
def test_every_card_has_its_number(table: type[Cards], some: dict[str, int]) -> None:
    assert sorted(map(table.card, SIGNS)) == list(range(52))
    assert {sign: table.card(sign) for sign in some} == some


def test_two_cards_laid_away_are_one_action_in_any_order() -> None:
    """Its hands lie by rank, and then by suit: the three of clubs (2) before the jack of diamonds (23) before the jack of spades (49)."""
    assert laid_away([23, 2]) == laid_away([2, 23]) == 52 + 52 * 2 + 23
    assert laid_away([49, 23]) == 52 + 52 * 23 + 49
    assert len({laid_away([a, b]) for a in range(52) for b in range(a)}) == 52 * 51 // 2


def test_every_throw_has_its_number() -> None:
    found = {thrown(a, b) for a, b in product(range(1, 7), repeat=2)}
    assert found == set(range(36))
    assert [thrown(*dice) for dice in ((2, 1), (1, 2), (6, 5), (1, 1), (6, 6))] == [0, 1, 28, 30, 35]


def test_checkers_at_the_start() -> None:
    theirs = [[24, 13, 8, 6], [24, 13, 8, 6]]
    found = [
        [from_the_end(player, at) for at in places] for player, places in enumerate(([0, 11, 16, 18], [23, 12, 7, 5]))
    ]
    assert found == theirs
    assert [from_the_end(player, 100) for player in (0, 1)] == [25, 25]
    white, black = standing(opening())
    assert [n + 1 for n, men in enumerate(white) if men] == [6, 8, 13, 24]
    assert [n + 1 for n, men in enumerate(black) if men] == [1, 12, 17, 19]


def test_a_number_is_a_step_of_one_checker() -> None:
    state = opening()
    assert {step(move) for move in state.moves()} == {(6, 4), (6, 1), (8, 4), (8, 1), (13, 4), (24, 4), (24, 1)}
    bar = {"at": "turn / play the numbers", "to_act": "black", "piles": {"bar": {"black": "1 black"}, "pool": "5 4"}}
    assert {step(move) for move in state.game.position(bar).moves()} == {(25, 5), (25, 4)}


# ---- with it ----------------------------------------------------------------------------------------------------------


@asks_openspiel
@pytest.mark.slow
@pytest.mark.parametrize(("name", "games"), [("cribbage", 40), ("hearts", 60), ("backgammon", 20)])
def test_both_have_the_same_rules(name: str, games: int) -> None:
    from benchmarks.spiel_match import asked

    game, other = loaded(name, refereed=True)
    for index in range(games):
        assert asked(name, game, other, 5, index) > 40


@asks_openspiel
@pytest.mark.slow
def test_a_determinization_looks_the_same_to_its_player() -> None:
    from benchmarks.spiel_worlds import CribbageWorlds, hearts_passed

    stream = random.Random(1)
    cribbage, hearts = CribbageWorlds(random.Random(2)), lambda state, player: hearts_passed(state, player, stream)
    looks_the_same(loaded("cribbage")[1], cribbage, stream, 600)
    looks_the_same(loaded("hearts")[1], hearts, stream, 1 + 52 + 12)


def looks_the_same(game: Any, sampler: Any, stream: random.Random, most: int) -> None:
    """At every decision of a game, as far as so many actions."""
    state, others = game.new_initial_state(), 0
    while not state.is_terminal() and len(state.history()) < most:
        player = state.current_player()
        if player >= 0:
            found = sampler(state, player)
            assert found.information_state_string(player) == state.information_state_string(player)
            assert found.legal_actions() == state.legal_actions()
            others += found.history() != state.history()
        state.apply_action(
            1
            if game.get_type().short_name == "hearts" and not state.history()
            else stream.choice(state.legal_actions())
        )
    assert others > 8


@asks_its_python
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("cribbage", "ismcts"),
        ("cribbage", "mcts"),
        ("hearts", "ismcts"),
        ("hearts", "mcts"),
        ("backgammon", "mcts"),
    ],
)
def test_a_deal_against_its_players(name: str, kind: str) -> None:
    from benchmarks.spiel_match import Meeting, played

    other, table = loaded(name)[1], TABLES[name]
    game = load(name, dict(table.options), engine="python")
    deal = played(Meeting(name, game, other, kind, 2, None, 1.0, 1.0, 3), 0)
    assert len(deal) == len(game.seats)
    assert all(sum(one.wins) >= 1 for one in deal)
