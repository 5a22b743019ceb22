"""Programs that measure: how often patiences come out, how strong players are, what decisions cost (`benchmarks/guard.json`)."""

import re
from pathlib import Path

import pytest
from rules import find_rules
from shells import ROOT

from benchmarks import patience, strength, winnable
from benchmarks.guard import GAMES, WAYS, change
from hoyle import State, load
from hoyle.game.playouts import play_game
from hoyle.players.bots import create_players
from hoyle.series.variants import Variant

PATIENCES = 4


@pytest.mark.whole
def test_a_row_of_patiences_has_the_deals_of_a_series() -> None:
    given = ["golf", "--kind", "first", "--games", "2", "--seconds", "1", "--engine", "python"]
    found = [*patience.table(patience.asked(given))]
    game, score = load("golf", engine="python"), 0
    for index in range(2):
        players, memories = create_players(["first"], game)
        score += play_game(game.compiled, 1, index, players, memories).scores[0]
    assert found[2].startswith("| golf | random |")
    assert found[3] == f"| golf | first | 2 | 0.0 % [0.0 – 65.8] | {score / 2:.1f} |"


@pytest.mark.whole
def test_a_numbered_deal_is_dealt_as_the_rules_deal_it() -> None:
    here, there = (load("freecell", deal=number, engine="python") for number in (0, 617))
    found, dealt = patience.as_dealt(here, 617), there.start()
    assert [move.id for move in found.moves()] == [move.id for move in dealt.moves()]
    assert found.core.piles == dealt.core.piles


def test_solved_deals_are_counted() -> None:
    solved = [
        patience.Solved(1, True, 0.5, 90),
        patience.Solved(2, False, 11.0, 40),
        patience.Solved(3, True, 3.0, 80),
    ]
    assert patience.summary(solved, "search:9") == "2 of 3 deals won by search:9; half of them in 3.0 s"
    assert patience.summary([], "easy") == "0 of 0 deals won by easy; half of them in 0.0 s"


def can_be_won(state: State) -> bool:
    """By going through all that may come."""
    seen, left = set[str](), [state]
    while left:
        one = left.pop()
        if one.winners:
            return True
        key = repr(one.core.piles)
        if key not in seen and not one.is_over:
            seen.add(key)
            left += [one.play(move) for move in one.moves()]
    return False


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["2", "1"])
def test_a_deal_is_winnable_if_one_way_through_it_wins(jobs: str, tmp_path: Path) -> None:
    rules = find_rules("players/stones")
    game = load(rules)
    won = sum(can_be_won(game.start(1, index)) for index in range(PATIENCES))
    words = [str(rules), "--games", str(PATIENCES), "--engine", "python", "--jobs", jobs]
    plot = ["--plot", str(tmp_path / "a.svg")] if jobs == "1" else []
    found = [*winnable.table(winnable.asked([*words, *plot]))]
    assert len(found) == 3 and found[2].split("|")[2:5] == [f" {won} ", f" {PATIENCES - won} ", " 0 "]
    assert not plot or "cannot be won" in (tmp_path / "a.svg").read_text(encoding="utf-8")


def test_bounds_hold_whatever_the_others_come_to() -> None:
    """Wilson's: of 10 deals 6 or more can be won, and 7 or fewer, with the chance of ten deals."""
    found = winnable.row(Variant("stones", (("wide", 3),)), {True: 6, False: 3, None: 1})  # type: ignore[arg-type]
    assert found == "| wide=3 | 6 | 3 | 1 | 31.3 to 89.2 % |"


def test_values_of_options_are_typed() -> None:
    given = winnable.asked(["freecell", "--set", "cells=1,2", "--set", "take_back=true"])
    assert given.set == [("cells", (1, 2)), ("take_back", (True,))]


def test_pairs_of_players() -> None:
    assert [*strength.pairs(strength.asked(["golf"]))] == [("search:100", "random")]
    doubling = strength.asked(["golf", "--doubling", "25", "110"])
    assert [*strength.pairs(doubling)] == [("search:50", "search:25"), ("search:100", "search:50")]


@pytest.mark.whole
def test_a_row_of_strengths() -> None:
    _, _, row = strength.table(strength.asked(["scopa", "--a", "first", "--deals", "5", "--engine", "python"]))
    assert row == "| scopa | first | random | 10 | 90.0 % [43.4 – 100.0] | 50 % | 5.20 [1.64 – 8.76] |"


def games_of(heading: str) -> list[str]:
    """The first column of the table in docs/search.md that has this heading."""
    _, table = (ROOT / "docs/search.md").read_text(encoding="utf-8").split(f"| {heading} |", 1)
    return re.findall(r"^\| `([a-z0-9-]+)` \|", table.partition("\n\n")[0], re.MULTILINE)


@pytest.mark.slow
def test_every_game_is_in_the_tables_of_the_page() -> None:
    several, alone = strength.for_several(), patience.patiences()
    assert "cribbage" in several and {"golf", "klondike"} <= {*alone} and not {*several} & {*alone}
    assert games_of("game | games | wins of `search:100`") == sorted(several)
    assert games_of("patience | games at random") == alone


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("game", GAMES)
def test_a_decision_costs_no_more(way: str, game: str) -> None:
    more, most = change(way, game)
    assert more <= most
