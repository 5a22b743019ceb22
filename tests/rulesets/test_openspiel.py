"""Games that OpenSpiel has, too: where it is installed, both systems have the same rules."""

import random
from importlib.util import find_spec
from typing import Any

import pytest

from benchmarks.spiel_tables import TABLES, loaded
from hoyle import load

asks_openspiel = pytest.mark.skipif(find_spec("pyspiel") is None, reason="`open_spiel` is not there")
asks_its_python = pytest.mark.skipif(
    not all(find_spec(name) for name in ("pyspiel", "absl", "numpy")), reason="`open_spiel` is not there"
)


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
    [*((name, kind) for name in ("cribbage", "hearts") for kind in ("ismcts", "mcts")), ("backgammon", "mcts")],
)
def test_a_deal_against_its_players(name: str, kind: str) -> None:
    from benchmarks.spiel_match import Meeting, played

    other, table = loaded(name)[1], TABLES[name]
    game = load(name, dict(table.options), engine="python")
    deal = played(Meeting(name, game, other, kind, 2, None, 1.0, 1.0, 3), 0)
    assert len(deal) == len(game.seats)
    assert all(sum(one.wins) >= 1 for one in deal)
