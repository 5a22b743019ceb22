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


STEADY = """
ruleset: 1
game: steady
players: {count: 2, seats: [A, B]}
tables: {sorts: {rows: {one: {}}}}
pieces: {chip: {of: [sorts], from: bag}}
piles: {bag: {}}
state: {count: {range: 0..MOST}}
moves:
  pass: {rule: {at: §1, en: Nothing is done.}}
  wait: {rule: {at: §2, en: Nothing is done for a while.}}
flow:
  game: {all: {turns: turn, from: A, rounds: 60}}
  turn: {move: {choose: [pass, wait]}, told: {set: {count: count + 1}}}
result: {best: count}
"""


def steady(folder: Path, most: int) -> State:
    """A game of 120 decisions, of which the rules carry out so many."""
    (folder / "steady.yaml").write_text(STEADY.replace("MOST", str(most)), encoding="utf-8")
    return load(folder / "steady.yaml").start()


@pytest.mark.parametrize(("most", "looked"), [(49, 0), (50, 1), (99, 1), (100, 2), (200, 2)])
def test_a_trial_game_looks_at_the_time_now_and_then(most: int, looked: int, tmp_path: Path) -> None:
    state, looks = steady(tmp_path, 120), count()
    ended = advice._after(state.game, state.core, 0, Chance.stream(1), most, lambda: next(looks) < 0)
    assert (next(looks), ended.over, ended.cells[0]) == (looked, most == 200, min(most + 1, 120))


def test_trial_games_for_which_there_is_no_time_tell_nothing(tmp_path: Path) -> None:
    state = steady(tmp_path, 120)
    assert advice._leads(state.game, state.core, Chance.stream(1), [0, 1], 49, lambda: True) == {0: 0.0, 1: 0.0}
    assert advice._leads(state.game, state.core, Chance.stream(1), [0, 1], 50, lambda: True) is None


def test_nothing_is_advised_where_the_rules_cannot_go_on(tmp_path: Path) -> None:
    state = steady(tmp_path, 4)
    assert advice.advise(state, 9, 3) is None
    assert advice._horizon(state, Chance.stream(1), 99, advice._Clock(None)) == advice.SHORTEST
