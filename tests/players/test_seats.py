"""Players for seats without a person: what each chooses, what it remembers, and how long trial games are."""

from collections import Counter
from pathlib import Path

import pytest
from games import game
from rules import change_rules
from sights import advised, advised_move, remembered, seen_in
from small_games import last_trick
from tiers import in_tiers

from hoyle import State
from hoyle.game.views.redaction import redact
from hoyle.players import bots
from hoyle.players.bots import create_player, create_players, find_limits, is_kind
from hoyle.players.inference.knowledge import Memory, has_hidden_information
from hoyle.players.search.driver import sample_worlds
from hoyle.running.chance import Chance
from hoyle.running.outcomes import Bounds


@pytest.fixture(scope="module")
def state() -> State:
    return last_trick()


def chosen(kind: str, state: State) -> Counter[str]:
    moves, chooses = state.moves(), create_player(kind, state.game, "python")
    return Counter(moves[chooses(seen_in(state), Chance.stream(seed))].id for seed in range(12))


@pytest.mark.whole
def test_choices_of_each_kind(state: State) -> None:
    assert chosen("first", state) == {state.moves()[0].id: 12}
    assert chosen("greedy", state) == {"play-a-card 2C": 12}
    assert len(chosen("random", state)) == 2


@pytest.mark.parametrize(
    ("told", "far"),
    [("1", (1, None)), ("999999", (999_999, None)), ("0.001s", (None, 0.001)), ("999.999s", (None, 999.999))],
)
def test_reach_of_a_search(told: str, far: tuple[int | None, float | None], state: State) -> None:
    assert (
        find_limits(f"search:{told}", state.game.compiled)
        == find_limits(f"search:{told}:score", state.game.compiled)
        == far
    )


def test_impossible_reach_is_no_kind() -> None:
    wrong = [
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
    ]
    assert not [told for told in ("", *wrong) if is_kind(f"search:{told}")]


def test_advice_is_about_winning_and_not_scores(state: State) -> None:
    found = advised_move(state, 3)
    assert found is not None
    assert found[0] == "play-a-card 2C"
    assert state.standings == [-score for score in state.scores.values()]


@pytest.mark.parametrize("longest", [0, 49, 119, 200])
def test_trial_game_is_so_long_or_to_its_end(longest: int, tmp_path: Path) -> None:
    state = change_rules("players/steady", tmp_path, {"MOST": "120"}).start()
    ended = bots._play_out(state.game, state.core, 0, Chance.stream(1), longest)
    assert (ended.over, ended.cells[0]) == (longest >= 119, min(longest + 1, 120))


def test_no_advice_where_the_rules_cannot_go_on(tmp_path: Path) -> None:
    state = change_rules("players/steady", tmp_path, {"MOST": "4"}).start()
    for longest, count in ((3, 2), (9, 0)):
        found = bots._sum_leads(state.game, seen_in(state), Chance.stream(1), [0, 1], longest, 2)
        assert found == ({0: 0.0, 1: 0.0}, count)
    assert advised(state, 3) is None


HIDING = ["hearts", "cribbage", "gin-rummy", "klondike", "spades", "piquet", "crapette", "grabuge", "scopa"]


def test_moves_that_are_taken_back_are_forgotten() -> None:
    known, memories = [], list[Memory]()
    for _, memories in remembered(game("hearts").compiled, 2, 9):
        known.append([memory.now for memory in memories])
    for memory, before in zip(memories, known[4], strict=True):
        memory.back(5)
        assert memory.now is before


@pytest.mark.whole
def test_only_searching_players_of_games_with_secrets_remember() -> None:
    assert (has_hidden_information(game("backgammon").compiled), has_hidden_information(game("hearts").compiled)) == (
        False,
        True,
    )
    assert create_players(["search:5", "search:5"], game("backgammon"), "python")[1] == []
    assert len(create_players(["search:5", "random", "easy", "first"], game("hearts"), "python")[1]) == 2


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(HIDING, quick=["hearts"], whole=["gin-rummy"]))
def test_searched_worlds_agree_with_what_is_remembered(name: str) -> None:
    """A card whose place the seat knows lies there in all of them."""
    one = game(name).compiled
    *_, (core, memories) = remembered(one, 2, 30)
    knowledge = memories[core.actor].now
    assert knowledge is not None
    worlds = sample_worlds(one, redact(one, core, core.actor), Bounds(12), Chance.stream(1), knowledge=knowledge)
    assert worlds
    for world in worlds:
        for marks, pile in zip(knowledge.piles, world.piles, strict=True):
            assert all(knowledge.known.get(m, p >> 1) == p >> 1 for m, p in zip(marks, pile, strict=True))
