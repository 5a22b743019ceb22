"""The judges of players (`benchmarks/gnubg_judge.py`, `benchmarks/lay_aways.py`): what they compare is what they say."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from random import Random
from statistics import fmean

import pytest
from brute_tables import BACKGAMMON, BACKGAMMON_START, Side, opposed, pool_of
from tables_support import both, pool, position

from benchmarks import gnubg_judge as tables
from benchmarks import lay_aways as cards
from benchmarks.gnubg_judge import Outlook, Standing
from benchmarks.shows_baseline import show
from hoyle import Game, State, load
from hoyle.running.chance import PLAYER, Chance


@cache
def game_of(name: str) -> Game:
    return load(name, engine="python")


# ---- Backgammon ------------------------------------------------------------------------------------------------------


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


# ---- Cribbage --------------------------------------------------------------------------------------------------------

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
