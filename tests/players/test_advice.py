"""How long trial games are, and that those which the rules cannot carry on tell nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from sights import advised

from interpreter import State, load
from interpreter.players import advice
from interpreter.running.chance import Chance

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


@pytest.mark.parametrize("longest", [0, 49, 119, 200])
def test_trial_game_is_so_long_or_to_its_end(longest: int, tmp_path: Path) -> None:
    state = steady(tmp_path, 120)
    ended = advice._after(state.game, state.core, 0, Chance.stream(1), longest)
    assert (ended.over, ended.cells[0]) == (longest >= 119, min(longest + 1, 120))


def test_no_advice_where_the_rules_cannot_go_on(tmp_path: Path) -> None:
    state = steady(tmp_path, 4)
    assert advice._leads(state.game, state.core, Chance.stream(1), [0, 1], 3) == {0: 0.0, 1: 0.0}
    assert advice._leads(state.game, state.core, Chance.stream(1), [0, 1], 9) is None
    assert advised(state, 3) is None
