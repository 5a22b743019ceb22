"""The program that tells how many deals of a patience can be won."""

from __future__ import annotations

from pathlib import Path

import pytest
from stones import can_be_won, stones_at
from tiers import in_tiers

from benchmarks.winnable import asked, row, table
from interpreter.series.editions import Edition

GAMES = 4


@pytest.mark.whole
@pytest.mark.parametrize("jobs", in_tiers(["2", "1"], whole=["2"]))
def test_a_deal_is_winnable_if_one_way_through_it_wins(jobs: str, tmp_path: Path) -> None:
    game = stones_at(tmp_path)
    won = sum(can_be_won(game.start(1, index)) for index in range(GAMES))
    words = [str(tmp_path / "stones.yaml"), "--games", str(GAMES), "--engine", "python", "--jobs", jobs]
    found = [*table(asked(words))]
    assert len(found) == 3 and found[2].split("|")[2:5] == [f" {won} ", f" {GAMES - won} ", " 0 "]


@pytest.mark.slow
def test_the_plot_names_its_axis_and_its_areas(tmp_path: Path) -> None:
    stones_at(tmp_path)
    words = [str(tmp_path / "stones.yaml"), "--games", "4", "--engine", "python", "--plot", str(tmp_path / "a.svg")]
    assert len([*table(asked(words))]) == 3
    said = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "cannot be won" in said and "% of deals" in said


def test_bounds_hold_whatever_the_others_come_to() -> None:
    """Wilson's: of 10 deals 6 or more can be won, and 7 or fewer, with the chance of ten deals."""
    found = row(Edition("stones", (("wide", 3),)), {True: 6, False: 3, None: 1})  # type: ignore[arg-type]
    assert found == "| wide=3 | 6 | 3 | 1 | 31.3 to 89.2 % |"


def test_options_and_their_values() -> None:
    assert asked(["freecell", "--set", "cells=1,2", "--set", "take_back=true"]).set == [
        ("cells", (1, 2)),
        ("take_back", (True,)),
    ]
