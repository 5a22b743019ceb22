"""How long advice is thought over, by a clock that goes on a second each time it is looked at."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest

from interpreter import State, load
from interpreter.players import advice
from interpreter.running.chance import Chance

PILES = {"hand of A": "5l 2r", "ladder": ["6l", "1r", "4l 6r"], "hand of B": "3l"}


@pytest.fixture(scope="module")
def state() -> State:
    ladder = load(Path(__file__).parents[1] / "game" / "scenes" / "ladder.yaml")
    return ladder.position({"at": "turn / once", "to_act": "A", "piles": PILES}, 1)


@pytest.fixture(autouse=True)
def looks(monkeypatch: pytest.MonkeyPatch) -> count[int]:
    """How often the clock has been looked at."""
    found = count()
    monkeypatch.setattr(advice, "time", SimpleNamespace(monotonic=lambda: next(found)))
    return found


@pytest.mark.parametrize(
    ("seconds", "games", "looked"), [(-1, None, 5), (0, None, 5), (9, 2, 11), (30, 23, 32)], ids=str
)
def test_no_longer_than_the_time_there_is(
    seconds: int, games: int | None, looked: int, state: State, looks: count[int]
) -> None:
    found = advice.advise(state, seconds)
    assert (found and found.games, next(looks)) == (games, looked)


@pytest.mark.parametrize(("each", "most"), [(0.5, 50), (3, 300), (0.05, advice.SHORTEST)], ids=str)
def test_a_trial_game_is_as_long_as_there_is_time_for(each: float, most: int, state: State) -> None:
    """Five states are tried for twenty decisions each, in a second."""
    assert advice._horizon(state, Chance.stream(1), each, advice._Clock(None)) == most
