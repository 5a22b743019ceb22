"""The program that measures how strong players are."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.patience import patiences
from benchmarks.strength import asked, for_several, pairs, table


def test_who_plays_whom() -> None:
    assert [*pairs(asked(["golf"]))] == [("search:100", "random")]
    assert [*pairs(asked(["golf", "--doubling", "25", "110"]))] == [
        ("search:50", "search:25"),
        ("search:100", "search:50"),
    ]


@pytest.mark.whole
def test_a_row_of_the_table() -> None:
    given = ["scopa", "--a", "first", "--deals", "5", "--engine", "python"]
    _, _, row = table(asked(given))
    assert row == "| scopa | first | random | 10 | 90.0 % [43.4 – 100.0] | 50 % | 5.20 [1.64 – 8.76] |"


@pytest.mark.slow
def test_who_plays_alone_meets_nobody() -> None:
    found = for_several()
    assert "cribbage" in found and not {"golf", "klondike"} & {*found}


PAGE = Path(__file__).parents[2] / "docs/players.md"


def told(heading: str) -> list[str]:
    """The first column of the table in docs/players.md that has this heading."""
    _, table = PAGE.read_text(encoding="utf-8").split(f"| {heading} |", 1)
    return re.findall(r"^\| `([a-z0-9-]+)` \|", table.partition("\n\n")[0], re.MULTILINE)


@pytest.mark.slow
def test_every_game_is_in_the_tables_of_the_page() -> None:
    assert told("game | games | wins of `search:100`") == sorted(for_several())
    assert told("patience | games at random") == patiences()
