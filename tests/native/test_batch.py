"""Games in lanes are those of the series: the same chance, actions and ends, by however many threads they are played."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest
from engines import GAMES, engine, engine_of, with_compiler
from games import game
from tiers import some_now

from hoyle import load
from hoyle.game.playouts import play_game
from hoyle.game.results import count_scores
from hoyle.native.batch import Lanes, address
from hoyle.running.chance import PLAYER, Chance

pytestmark = [with_compiler, pytest.mark.whole]
SEED = 7


def numbers(lanes: Lanes) -> tuple[array[int], int]:
    found = array("q", bytes(8 * lanes.size))
    return found, address(found)


@pytest.mark.parametrize("name", some_now(GAMES, 1))
def test_random_games_come_to_the_counts_of_python(name: str) -> None:
    lanes = Lanes(engine(name), 2, SEED, most=400)
    width, totals = 3 + 2 * lanes.sides, lanes.play(500)
    for lane in range(2):
        decisions, *others = totals[lane * width : (lane + 1) * width]
        assert decisions == 500
        assert others == at_random(name, lane, decisions, most=400)


def at_random(name: str, first: int, decisions: int, most: int) -> list[int]:
    """Of every second random game: how many end, or are cut, within so many decisions, and the results of the former."""
    one = game(name).compiled
    sides = len(one.ruleset.sides)
    found, index = [0] * (2 + 2 * sides), first
    while True:
        played = play_game(one, SEED, index)
        decisions, index = decisions - min(played.decisions, most), index + 2
        if decisions < 0:
            return found
        ended = played.decisions <= most
        came_to = (ended, not ended, *(n * ended for n in (*played.scores, *played.wins)))
        found = [a + b for a, b in zip(found, came_to, strict=True)]


@pytest.mark.parametrize("name", some_now(GAMES, 1))
def test_a_lane_is_the_state_of_its_game(name: str) -> None:
    one, lanes = game(name), Lanes(engine(name), 3, SEED)
    ours = [one.machine.start(Chance.stream(SEED, index)) for index in range(3)]
    picks = [Chance.stream(SEED, index, PLAYER).below for index in range(3)]
    chosen, where = numbers(lanes)
    for _ in range(60):
        for lane, core in enumerate(ours):
            theirs = lanes.core(lane)
            assert (theirs.key(), theirs.acts, lanes.actor[lane]) == (core.key(), core.acts, core.actor)
            assert lanes.count[lane] == len(core.acts)
        lanes.pick(where)
        assert [*chosen] == [pick(len(s.acts)) if len(s.acts) > 1 else 0 for s, pick in zip(ours, picks, strict=True)]
        lanes.step(where)
        for core, number in zip(ours, chosen, strict=True):
            one.machine.play(core, core.acts[number])
        if any(core.over for core in ours):
            break
    assert [*lanes.over] == [core.over for core in ours]


@pytest.mark.parametrize("threads", some_now([3, 50], 1))
def test_threads_play_what_one_plays(threads: int) -> None:
    alone, together = (Lanes(engine("garanguet"), 20, SEED, threads=n) for n in (1, threads))
    assert together.play(50) == alone.play(50)
    assert [together.core(n).key() for n in range(20)] == [alone.core(n).key() for n in range(20)]


@pytest.mark.parametrize(("name", "most"), some_now([("backgammon", 40), ("hearts", 60)], 1))
def test_a_long_game_is_cut_with_its_scores_so_far(name: str, most: int) -> None:
    lanes = Lanes(engine(name), 1, SEED, most=most)
    _, where = numbers(lanes)
    for decision in range(1, most + 1):
        lanes.pick(where)
        lanes.step(where)
        assert (lanes.cut[0], lanes.length[0], lanes.index[0]) == ((1, most, 1) if decision == most else (0, 0, 0))
    core, count = game(name).machine.playout(SEED, most=most)
    assert count == most and not core.over
    assert [*lanes.results] == [*count_scores(game(name).compiled, core), *[0] * lanes.sides]
    assert lanes.core(0).key() == game(name).machine.start(Chance.stream(SEED, 1)).key()
    lanes.begin(SEED)
    assert (lanes.index[0], lanes.cut[0], any(lanes.results)) == (0, 0, False)


@pytest.mark.slow
def test_a_game_that_is_over_when_it_begins_ends_at_the_first_step() -> None:
    lanes = Lanes(engine_of(load(Path(__file__).parent / "over.yaml", engine="python")), 1, SEED)
    assert (lanes.count[0], lanes.actor[0], lanes.over[0]) == (0, -1, 0)
    assert [*lanes.play(4)] == [0, 4, 0, 12, 0, 4, 0]
