"""Games side by side are those of the series: with the same chance, the same actions and the same ends, in whichever lane and by however many threads they are played."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest
from engines import engine, engine_of, with_compiler
from faults import FAULTS, ruleset
from games import game, names
from tiers import in_tiers

from interpreter import load
from interpreter.game.playouts import counted
from interpreter.native.lanes import Lanes, address
from interpreter.running.chance import PLAYER, Chance

pytestmark = with_compiler
SEED = 7
SHIPPED = in_tiers([name for name, _ in names()], quick=["golf", "cribbage", "hearts"], whole=["klondike", "president"])


def numbers(lanes: Lanes) -> tuple[array[int], int]:
    """Room for what is chosen, and where it lies."""
    found = array("q", bytes(8 * lanes.size))
    return found, address(found)


@pytest.mark.whole
@pytest.mark.parametrize("name", SHIPPED)
def test_at_random_they_come_to_what_python_counts(name: str) -> None:
    lanes = Lanes(engine(name), 2, SEED, most=400)
    width, totals = 3 + 2 * lanes.sides, lanes.play(500)
    for lane in range(2):
        decisions, *others = totals[lane * width : (lane + 1) * width]
        assert decisions == 500
        assert others == at_random(name, lane, decisions, most=400)


def at_random(name: str, first: int, decisions: int, most: int) -> list[int]:
    """Of every second random game: how many end, or are left, within so many decisions, and what the former come to."""
    one = game(name).compiled
    sides = len(one.ruleset.sides)
    found, index = [0] * (2 + 2 * sides), first
    while True:
        played = counted(one, SEED, index)
        decisions, index = decisions - min(played.decisions, most), index + 2
        if decisions < 0:
            return found
        ended = played.decisions <= most
        came_to = (ended, not ended, *(n * ended for n in (*played.scores, *played.wins)))
        found = [a + b for a, b in zip(found, came_to, strict=True)]


@pytest.mark.parametrize("name", in_tiers([name for name, _ in names()], quick=["cribbage"], whole=["crapette"]))
def test_a_lane_stands_where_the_game_does(name: str) -> None:
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


@pytest.mark.whole
@pytest.mark.parametrize("threads", [2, 3, 50])
def test_threads_play_what_one_plays(threads: int) -> None:
    alone, together = (Lanes(engine("golf"), 20, SEED, threads=n) for n in (1, threads))
    assert together.play(300) == alone.play(300)
    assert [together.core(n).key() for n in range(20)] == [alone.core(n).key() for n in range(20)]


def test_what_goes_on_for_too_long_is_left_with_scores_so_far() -> None:
    lanes = Lanes(engine("cribbage"), 1, SEED, most=40)
    _, where = numbers(lanes)
    for decision in range(1, 41):
        lanes.pick(where)
        lanes.step(where)
        assert (lanes.cut[0], lanes.length[0], lanes.index[0]) == ((1, 40, 1) if decision == 40 else (0, 0, 0))
    assert counted(game("cribbage").compiled, SEED, 0).decisions > 40
    assert any(lanes.results[:2]) and not any(lanes.results[2:])
    assert lanes.core(0).key() == game("cribbage").machine.start(Chance.stream(SEED, 1)).key()
    lanes.begin(SEED)
    assert (lanes.index[0], lanes.cut[0], [*lanes.results]) == (0, 0, [0, 0, 0, 0])


@pytest.mark.whole
@pytest.mark.parametrize(("step", "code"), [row[:2] for row in FAULTS][:1])
def test_a_fault_of_the_rules_leaves_the_game(step: str, code: str, tmp_path: Path) -> None:
    lanes = Lanes(engine_of(load(ruleset(step, code, tmp_path), engine="python")), 2, SEED)
    totals = lanes.play(6)
    assert totals[1] == 0 and totals[2] > 0
    assert not any(totals[3:7])


OVER = """
ruleset: 1
game: over
players: {count: 2, seats: [A, B]}
tables: {ranks: {rows: {low: {}, high: {}}}}
pieces: {card: {of: [ranks], from: box}}
piles: {box: {}}
state: {total: {each: player, range: 0..9}}
moves: {go: {rule: {at: §1, en: Go.}}}
flow:
  game:
    first: {set: {total of A: 3}}
    second: {when: total of A is 9, by: A, choose: [go]}
result: {best: total of p}
"""


@pytest.mark.whole
def test_a_game_that_is_over_when_it_begins_is_told_at_the_next_step(tmp_path: Path) -> None:
    path = tmp_path / "over.yaml"
    path.write_text(OVER, encoding="utf-8")
    lanes = Lanes(engine_of(load(path, engine="python")), 1, SEED)
    assert (lanes.count[0], lanes.actor[0], lanes.over[0]) == (0, -1, 0)
    assert [*lanes.play(4)] == [0, 4, 0, 12, 0, 4, 0]
