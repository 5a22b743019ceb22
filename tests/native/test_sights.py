"""What is written as C beside functions is read off a machine that does not play: it must know what the one that plays knows."""

from __future__ import annotations

import pytest
from games import game, originals
from tiers import in_tiers

from interpreter.compiling.game import lowered
from interpreter.native.engine import places_of
from interpreter.native.sights import sights, unseen
from interpreter.running.machine import Machine

PLAYED_WITH = {"blocks", "apply", "space", "source", "sought", "hits", "told"}
"""What only the machine that plays has: functions, what they name, what they note, and what it keeps of moves it has told."""
GAMES = in_tiers(originals(), quick=["cribbage", "scopa"], whole=["backgammon", "hearts", "oh-hell"])


@pytest.mark.parametrize("name", GAMES)
def test_a_machine_that_is_written_knows_what_one_that_plays_knows(name: str) -> None:
    plays, written = game(name).machine, lowered(game(name).ruleset).machine
    known = [field for field in Machine.__struct_fields__ if field not in PLAYED_WITH]
    assert [field for field in known if getattr(plays, field) != getattr(written, field)] == []
    assert sights(written, places_of(plays)) == sights(plays, places_of(plays))


@pytest.mark.parametrize("name", GAMES)
def test_of_each_decision_it_is_known_whether_it_is_made_unseen(name: str) -> None:
    one = game(name)
    found = unseen(lowered(one.ruleset).machine)
    assert {pc: found[pc] for pc in one.machine.points} == {
        pc: int(point.together is not None) for pc, point in one.machine.points.items()
    }
