"""Programs that measure and judge: patiences, strength of players, the cost of decisions, and comparisons."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean

import pytest
from brute_tables import BACKGAMMON, BACKGAMMON_START, Side, opposed, pool_of
from rules import find_rules
from shells import ROOT
from tables_support import both, pool, position

from benchmarks import gnubg_judge as tables
from benchmarks import lay_aways as cards
from benchmarks import patience, strength, winnable
from benchmarks.gnubg_judge import Outlook, Standing
from benchmarks.guard import GAMES, WAYS, change
from benchmarks.shows_baseline import show
from hoyle import Game, State, load
from hoyle.game.playouts import play_game
from hoyle.players.bots import create_players
from hoyle.running.chance import PLAYER, Chance
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


@cache
def game_of(name: str) -> Game:
    return load(name, engine="python")


def as_judged(mine: Side, theirs: Side) -> Standing:
    """As the enumerator counts, 0 is off the board; the judge counts from the first point."""
    return mine[1:], theirs[1:]


def on_the_way(decisions: int) -> list[State]:
    """The beginnings of turns in a random game."""
    state, stream, found = game_of("backgammon").start(seed=5), Random(5), []
    for _ in range(decisions):
        log = state.core.log or []
        if not any(event[0] == "move" for event in log) or log[-1][0] == "roll":
            found.append(state)
        state = state.play(stream.choice(state.moves()))
    return found


@pytest.mark.whole
def test_a_position_is_read_from_both_seats() -> None:
    seats = set()
    for state in on_the_way(60):
        who = str(state.to_act)
        seats.add(who)
        assert tables.standing(state.game, state.core, state.core.actor) == as_judged(*both(state, who, opposed))
        assert sorted(tables.dice(state.game, state.core)) == sorted(pool(state)[:2])
    assert seats == {"white", "black"}


@pytest.mark.whole
@pytest.mark.parametrize(("who", "dice"), [("white", (6, 5)), ("black", (4, 4))])
def test_the_ends_of_a_turn_are_those_of_an_enumerator(who: str, dice: tuple[int, int]) -> None:
    start = BACKGAMMON_START
    state = game_of("backgammon").position(position(start, start, pool_of(dice), opposed, who))
    expected = {as_judged(*end) for end in BACKGAMMON.finals((start, start), pool_of(dice))}
    found = tables.ends(state.game, state.core)
    assert found.keys() == expected
    assert len({after.chance.state for after in found.values()}) == 1  # the same throw is next
    assert tables.chosen(state.game, state.core, "random", Chance.stream(1, 0, PLAYER)) in found


def end(*points: int) -> Standing:
    return tuple(points), ()


@pytest.mark.whole
def test_a_turn_gives_away_what_the_best_end_is_worth_above_it() -> None:
    asked = []

    def judge(end: Standing, plies: int) -> Outlook:
        asked.append((end[0][0], plies))
        return Outlook([0.5, 0.4, -0.9, 0.1][end[0][0]] + plies * [-0.2, 0.0, 0.0, 0.0][end[0][0]], 0.5)

    found = {end(number): game_of("backgammon").start().core for number in range(4)}
    assert tables.at_once(judge, found) == end(0)
    asked.clear()
    given = tables.given(judge, found, {"a": end(0), "b": end(1), "c": end(2)}, plies=1)
    assert {who: round(one.equity, 9) for who, one in given.items()} == {"a": 0.1, "b": 0.0, "c": 1.3}
    assert {number for number, plies in asked if plies} == {0, 1, 2, 3}  # all may win as often
    asked.clear()
    tables.given(lambda end, plies: Outlook(*[judge(end, plies).equity] * 2), found, {"c": end(2)}, plies=1)
    assert {number for number, plies in asked if plies} == {0, 1, 2}


def test_the_net_is_asked_about_the_other_side() -> None:
    class Net:
        def probabilities(self, board: Sequence[Sequence[int]], plies: int) -> tuple[float, ...]:
            assert (board, plies) == ([[1, 0], [0, 2]], 2)
            return 0.6, 0.2, 0.1, 0.1, 0.05

    found = tables.judge_of(Net())(((1, 0), (0, 2)), 2)
    assert found == pytest.approx(Outlook(-0.35, 0.4))


SIX = [4, 17, 10, 50, 14, 34]
"""5♠ 5♥ J♠ Q♣ 2♥ 9♦, as the program written by hand counts."""


@cache
def worth() -> cards.Worth:
    return cards.worth_of(game_of("cribbage"))


def pieces(numbers: Sequence[int]) -> list[int]:
    return [worth().pack[number] for number in numbers]


@pytest.mark.whole
def test_cards_that_are_kept_are_worth_the_mean_of_all_starters() -> None:
    found = cards.kept(worth(), pieces(SIX))
    starters = [card for card in range(52) if card not in SIX]
    for pair in combinations(SIX, 2):
        held = [card for card in SIX if card not in pair]
        one, other = sorted(pieces(pair))
        assert found[one, other] == pytest.approx(fmean(show(held, starter) for starter in starters))
    assert len(found) == 15


@pytest.mark.whole
def test_a_crib_is_worth_the_mean_of_all_that_may_come_to_it() -> None:
    unseen = [0, 13, 3, 30, 43, 24, 22, 6]
    others = cards.cribs(pieces(unseen))
    found = cards.with_each(worth(), (worth().pack[4], worth().pack[17]), others)
    for pair, value in zip(combinations(unseen, 2), found, strict=True):
        starters = [card for card in unseen if card not in pair]
        assert value == pytest.approx(fmean(show([4, 17, *pair], starter, crib=True) for starter in starters))


@pytest.mark.whole
def test_both_seats_lay_away_from_the_hands_that_were_dealt() -> None:
    for kind in ("first", "search:3"):
        found = [*cards.laid_away(game_of("cribbage"), kind, 0, seed=1)]
        assert sorted(own for _, own, _ in found) == [False, True]
        assert all(set(pair) <= {*six} and len({*six}) == 6 for six, _, pair in found)
        assert not {*found[0][0]} & {*found[1][0]}
        assert [six for six, _, _ in found] == [
            six for six, _, _ in cards.laid_away(game_of("cribbage"), "random", 0, 1)
        ]


@pytest.mark.slow
def test_both_judges_agree_where_the_other_has_no_habits() -> None:
    """And whoever has the crib wants it to be worth much."""
    soon, even = cards.worth_of(load("cribbage")), dict.fromkeys(cards.sorts(worth()), 1.0)
    own, others = (cards.judged(soon, pieces(SIX), own, {True: even, False: even}) for own in (True, False))
    for pair, alone in own.alone.items():
        assert own.any_two[pair] == pytest.approx(own.well_laid[pair])
        assert own.any_two[pair] + others.any_two[pair] == pytest.approx(2 * alone)
        assert own.any_two[pair] > others.any_two[pair]
    assert cards.given(own, max(own.any_two, key=lambda pair: own.any_two[pair])).any_two == 0
