"""Players for seats without a person: what each chooses, from what it may see."""

from collections import Counter

import pytest
from few_cards import last_trick
from sights import advised_move, seen_in

from hoyle import State
from hoyle.players.bots import create_player, find_limits, is_kind
from hoyle.running.chance import Chance


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
