"""The program that measures how often patiences come out."""

from __future__ import annotations

import pytest

from benchmarks.patience import Solved, as_dealt, asked, patiences, summary, table
from interpreter import load
from interpreter.game.playouts import counted
from interpreter.players.seats import seated


@pytest.mark.whole
def test_a_row_of_the_table() -> None:
    """The deals are those of a series with the same seed."""
    given = ["golf", "--kind", "first", "--games", "2", "--seconds", "1", "--engine", "python"]
    found = [*table(asked(given))]
    game, score = load("golf", engine="python"), 0
    for index in range(2):
        players, memories = seated(["first"], game)
        score += counted(game.compiled, 1, index, players, memories).scores[0]
    assert found[2].startswith("| golf | random |")
    assert found[3] == f"| golf | first | 2 | 0.0 % [0.0 – 65.8] | {score / 2:.1f} |"


@pytest.mark.whole
def test_a_numbered_deal_is_dealt_as_the_rules_deal_it() -> None:
    here, there = (load("freecell", deal=number, engine="python") for number in (0, 617))
    found, dealt = as_dealt(here, 617), there.start()
    assert [move.id for move in found.moves()] == [move.id for move in dealt.moves()]
    assert found.core.piles == dealt.core.piles


def test_what_deals_come_to_is_said() -> None:
    found = [Solved(1, True, 0.5, 90), Solved(2, False, 11.0, 40), Solved(3, True, 3.0, 80)]
    assert summary(found, "search:9") == "2 of 3 deals won by search:9; half of them in 3.0 s"
    assert summary([], "easy") == "0 of 0 deals won by easy; half of them in 0.0 s"


@pytest.mark.slow
def test_patiences_are_for_one_alone() -> None:
    assert {"freecell", "golf", "klondike", "spider", "yukon"} <= {*patiences()}
    assert "cribbage" not in patiences()
