"""The same games of several editions, and what they differ in: paired differences, their intervals, and what is beyond chance."""

from __future__ import annotations

import math
import random
import statistics
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.diagnostics import Refused
from interpreter.running.machine import Engine
from interpreter.series import comparing
from interpreter.series.comparing import Comparison, Figure, Paired, compared
from interpreter.series.editions import Edition, Plan, Played, by_edition, opened, play
from interpreter.series.grids import grid
from interpreter.series.measures import Measure, proportion, share
from interpreter.series.simulate import Order, joined, series, traced
from interpreter.series.workers import ALONE, Workers

TAKING = """\
ruleset: 1
game: taking
players: {count: 2..4, seats: [A, B, C, D], default: 2}
options: {gain: {range: 1..3, default: 2, en: gain}, rounds: {range: 1..4, default: 2, en: rounds}}
constraints: {not too long: {is: gain * rounds <= 8, at: §2, en: It would be too long.}}
tables: {ranks: {columns: {worth: 0..3}, rows: {bad: {worth: 0}, fair: {worth: 2}, good: {worth: 3}}}}
pieces: {card: {of: [ranks], from: pack, copies: 4}}
piles: {pack: {face: down}, luck: {each: player, face: up}}
state: {score: {each: player, range: 0..99}}
moves:
  take much: {rule: {at: §1, en: Take much.}, then: {more: {score: gain, to: me}}}
  take one: {rule: {at: §1, en: Or one.}, then: {more: {score: 1, to: me}}}
flow:
  game:
    shuffle: {shuffle: pack}
    lucky: {deal: pack, count: 2, to: luck, from: A}
    gather: {turns: turn, from: A, rounds: rounds}
    count: {for: p in players, score: sum(c.rank.worth for c in luck of p), to: p}
  turn: {ask: {choose: [take much, take one]}}
result: {best: score of p}
"""
"""Luck is dealt; who takes much has more points, which options change."""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> str:
    place = tmp_path_factory.mktemp("comparing") / "taking.yaml"
    place.write_text(TAKING, encoding="utf-8")
    return str(place)


def plan(
    game: str, *options: dict[str, int], games: int = 40, engine: Engine = "python", usual: str = "random"
) -> Plan:
    return Plan(tuple(Edition(game, tuple(one.items())) for one in options), games, 3, (), usual, engine)


def comparison(wanted: Plan, workers: Workers = ALONE) -> Comparison:
    games = [game for game, _ in opened(wanted)]
    return compared(games, play(wanted, workers))


def paired(found: Comparison, section: str, name: str = "") -> Paired:
    one = found.figure((section, name)).paired[0]
    assert one is not None
    return one


# ---- the same games --------------------------------------------------------------------------------------------------


def test_each_edition_plays_the_games_of_its_series(game: str) -> None:
    """Game number i is that of `simulate` with the same seed: of all editions, so that they differ in rules alone."""
    wanted = plan(game, {}, {"gain": 3})
    for chunks, edition in zip(play(wanted), wanted.editions, strict=True):
        order = Order(game, edition.options, 3, ("random", "random"), "python")
        assert joined(chunks)[0] == series(traced(order), order, 40)[0]


def test_editions_come_share_by_share(game: str) -> None:
    """So whoever stops has the same games of each."""
    shares = [*plan(game, {}, {"gain": 3}, games=70).shares()]
    assert [number for number, _ in shares] == [0, 1] * (len(shares) // 2)
    for number in (0, 1):
        indices = [range_ for n, range_ in shares if n == number]
        assert all(a.stop == b.start for a, b in pairwise(indices))
        assert (indices[0].start, indices[-1].stop) == (0, 70)


def test_what_was_stopped_has_the_same_games_of_each(game: str) -> None:
    wanted, done = plan(game, {}, {"gain": 3}), list[Played]()

    def stop(_: int) -> None:
        if len(done) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(wanted, tick=stop, done=done)
    a, b = by_edition(done, 2)
    assert len(done) == 5 and len(a) == len(b) == 2


@pytest.mark.whole
def test_figures_do_not_depend_on_who_plays(game: str) -> None:
    wanted = plan(game, {}, {"rounds": 3})
    assert comparison(wanted) == comparison(wanted, Workers(2))


@pytest.mark.parametrize("usual", ["first", "greedy"])
def test_players_that_think_play_the_same_deals(game: str, usual: str) -> None:
    found = comparison(plan(game, {}, {"rounds": 3}, games=4, usual=usual))
    assert paired(found, "length", "decisions").difference.mean == 2


# ---- differences -----------------------------------------------------------------------------------------------------


def test_an_edition_does_not_differ_from_itself(game: str) -> None:
    found = comparison(plan(game, {}, {}))
    differences = [one.paired[0] for one in found.figures]
    assert all(one is not None and (one.difference.mean, one.chance) == (0, 1) for one in differences)
    assert found.beyond == ((),)


def test_what_rules_add_is_found_exactly(game: str) -> None:
    """Players who take the first move listed have `gain` in each round: luck falls out of the differences."""
    found = comparison(plan(game, {}, {"gain": 3}, usual="first"))
    more = paired(found, "score", "A")
    assert (more.difference.low, more.difference.mean, more.difference.high) == (2, 2, 2)
    assert found.beyond == ((("score", "A"), ("score", "B")),) or set(found.beyond[0]) == {
        ("score", "A"),
        ("score", "B"),
    }
    assert found.figure(("score", "A")).means[0] != found.figure(("score", "B")).means[0]  # there was luck


def test_what_only_one_has_is_not_compared(game: str) -> None:
    found = comparison(plan(game, {}, {"players": 3}))
    only = found.figure(("wins", "C"))
    assert only.means[0] is None and only.means[1] is not None and only.paired == (None,)


@pytest.mark.whole
@pytest.mark.parametrize("units", [8, 32, 400])
def test_intervals_hold_what_they_should_as_often_as_they_say(units: int) -> None:
    """Of 1,000 series of differences that are 0.3 on the average."""
    stream = random.Random(units)
    within = 0
    for _ in range(1000):
        found = comparing._difference([stream.gauss(0.3, 1) for _ in range(units)], False)
        within += found.low <= 0.3 <= found.high
    assert within == pytest.approx(950, abs=25)


@pytest.mark.parametrize(("changed", "units"), [(0.02, 200), (0.2, 60), (0.5, 400)])
def test_intervals_of_proportions_hold_what_they_should(changed: float, units: int) -> None:
    """Pairs of which some change, three of four of these for the better."""
    stream = random.Random(units)
    within = 0
    for _ in range(1000):
        pairs = [stream.choice([1, 1, 1, -1]) if stream.random() < changed else 0 for _ in range(units)]
        found = comparing._difference([float(one) for one in pairs], True)
        within += found.low <= changed / 2 <= found.high
    assert within >= 935


def test_ratios_are_of_means() -> None:
    found = comparing._ratio([1.0, 2.0, 3.0], [2.0, 4.0, 6.0])
    assert found is not None and (found.low, found.times, found.high) == pytest.approx((2, 2, 2))
    assert comparing._ratio([0.0, 0.0], [1.0, 2.0]) is None and comparing._ratio([-1.0, 2.0], [1.0, 2.0]) is None


def test_holm_stops_at_the_first_that_may_be_chance() -> None:
    """0.005 ≤ 0.05/4 and 0.01 ≤ 0.05/3, but 0.03 > 0.05/2, so 0.04 is not asked; what cannot differ is not counted."""
    none = Measure(0, 0, 0, 0, 0, 0)
    chances = {"a": 0.03, "b": 0.005, "c": 0.04, "d": 0.01, "e": 1.0}
    figures = [
        Figure(("length", n), (None, None), (Paired(none, None, p, 0, None, n.encode()),)) for n, p in chances.items()
    ]
    assert comparing._beyond(figures, 0) == (("length", "b"), ("length", "d"))


def test_what_two_figures_tell_alike_is_one_fact() -> None:
    """Were the wins of both asked apart, 0.04 > 0.05/2."""
    first, other = ([1.0] * won + [0.0] * (60 - won) for won in (20, 35))
    other = other[::-1]
    columns = [{("wins", "A"): comparing._Column(some)} for some in (first, other)]
    chance = comparing._figure(("wins", "A"), columns, [2]).paired[0]
    assert chance is not None and 0.025 < chance.chance < 0.05, chance
    for column in columns:
        column["wins", "B"] = comparing._Column([1 - won for won in column["wins", "A"].values])
    figures = [comparing._figure(("wins", side), columns, [1]) for side in "AB"]
    assert comparing._beyond(figures, 0) == (("wins", "A"), ("wins", "B"))


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=6), st.lists(st.integers(-3, 3), min_size=2, max_size=6))
def test_facts_are_the_same_where_differences_or_their_opposites_are(one: list[int], two: list[int]) -> None:
    is_same = one in (two, [-value for value in two])
    assert (comparing._fact(one) == comparing._fact(two)) is is_same


def test_what_the_same_games_are_worth_is_how_many_others_they_save() -> None:
    """Half of what varies is the same in both: twice as many games of their own would be needed. Where nothing is the same, as many."""
    stream = random.Random(1)

    def worth(alike: float) -> float:
        shared = [stream.gauss(0, alike) for _ in range(4000)]
        first, other = (comparing._Column([one + stream.gauss(0, 1) for one in shared]) for _ in range(2))
        found = comparing._paired(("length", ""), first, other).worth
        assert found is not None
        return found

    assert worth(1.0) == pytest.approx(2, rel=0.1) and worth(0.0) == pytest.approx(1, rel=0.1)
    same = comparing._Column([1.0, 2.0])
    assert comparing._paired(("length", ""), same, same).worth is None


@pytest.mark.whole
@pytest.mark.parametrize("units", [2, 5, 20, 200])
def test_what_is_chance_is_called_beyond_it_as_often_as_that_may_be(units: int) -> None:
    """Also of very few pairs."""
    stream = random.Random(units)

    def chance() -> float:
        first, other = ([stream.gauss(0, 1) for _ in range(units)] for _ in range(2))
        return comparing._paired(("length", ""), comparing._Column(first), comparing._Column(other)).chance

    called = sum(chance() < 0.05 for _ in range(2000))
    assert (
        called == pytest.approx(100, abs=30) if units > 5 else called == 0
    )  # a few may as well go the same way by chance


def test_of_a_single_unit_nothing_is_compared() -> None:
    one = comparing._Column([1.0])
    figure = comparing._figure(("obligation", ""), [{("obligation", ""): one}] * 2, [1])
    assert figure.paired == (None,) and figure.means[0] is not None


@pytest.mark.whole
@pytest.mark.parametrize("units", [5, 12, 100])
def test_a_difference_that_probably_shows_mostly_shows(units: int) -> None:
    """`seen`: four plays of five find it, where only one figure is asked."""
    stream = random.Random(units)

    def pairs(shift: float) -> Paired:
        values = [stream.gauss(0, 1) for _ in range(units)]
        other = comparing._Column([value + stream.gauss(shift, 1) for value in values])
        return comparing._paired(("score", "A"), comparing._Column(values), other)

    seen = statistics.fmean(pairs(0).seen or math.nan for _ in range(400))
    if units == 5:  # of so few none could: all five may as well go the same way by chance
        assert math.isnan(seen)
    else:
        assert sum(pairs(seen).chance < 0.05 for _ in range(1000)) == pytest.approx(800, abs=60)


@pytest.mark.whole
@pytest.mark.parametrize("units", [2, 3, 5, 8])
@pytest.mark.parametrize("values", [(0, 1), (-1, 1), (1, 2, 3), (0, 0, 0, 5)])
def test_a_few_differences_that_are_equal_are_not_certain(units: int, values: tuple[int, ...]) -> None:
    """Two editions that are alike, whose figures are small whole numbers: at most one play of twenty calls any of three figures different."""
    stream = random.Random(units)

    def is_called() -> bool:
        columns = [
            {("score", n): comparing._Column([float(stream.choice(values)) for _ in range(units)]) for n in "ABC"}
            for _ in range(2)
        ]
        many = [comparing._facts(*columns)]
        return bool(comparing._beyond([comparing._figure(name, columns, many) for name in columns[0]], 0))

    assert sum(is_called() for _ in range(600)) <= 30 + 15


def test_what_cannot_show_is_said_to_be_so() -> None:
    one, other = comparing._Column([0.0, 1.0, 1.0]), comparing._Column([1.0, 1.0, 0.0])
    assert comparing._paired(("wins", "A"), one, other).seen is None
    assert comparing._paired(("wins", "A"), comparing._Column([0.0, 1.0] * 200), comparing._Column([1.0] * 400)).seen


def test_what_never_came_may_come_yet() -> None:
    """Something that is done once in a game at most: three in so many are not excluded (Hanley and Lippman-Hand, 1983)."""
    never = comparing._mean(("move", "fly"), comparing._Column([0.0] * 100))
    assert (never.low, never.mean) == (0, 0) and 0.03 < never.high < 0.04
    by_share = comparing._mean(("obligation", "fly"), comparing._Column([0.0] * 100, by_share=True))
    assert by_share.high == 0


# ---- grids -----------------------------------------------------------------------------------------------------------


def test_all_combinations_that_are_allowed(game: str) -> None:
    found = grid(game, [("gain", (2, 3)), ("rounds", (1, 4))])
    assert [dict(one.options) for one in found.editions] == [
        {"gain": 2, "rounds": 1},
        {"gain": 2, "rounds": 4},
        {"gain": 3, "rounds": 1},
    ]
    [(excluded, reason)] = found.excluded
    assert dict(excluded.options) == {"gain": 3, "rounds": 4} and "too long" in str(reason.message)


@pytest.mark.parametrize(
    ("axes", "code"),
    [([("gain", (2, 7))], "R611"), ([("least", (2,))], "R610"), ([("gain", (3,)), ("rounds", (4,))], "R612")],
)
def test_what_is_none_of_an_option_is_refused(game: str, axes: list[tuple[str, tuple[int, ...]]], code: str) -> None:
    with pytest.raises(Refused) as refused:
        grid(game, axes)
    assert refused.value.cause.code == code


def test_no_edition_may_be_missing(tmp_path: Path) -> None:
    with pytest.raises(Refused):
        play(plan(str(tmp_path / "none.yaml"), {}))


PARTS = st.lists(st.sampled_from([0.0, 1 / 3, 0.5, 1.0]) | st.floats(0, 1), min_size=2, max_size=60)


@given(PARTS, st.booleans(), st.randoms())
def test_intervals_stay_where_figures_can_be(parts: list[float], is_whole: bool, stream: random.Random) -> None:
    """Of shares between 0 and 1, of their differences between -1 and 1; and the figure lies within."""
    first = [float(round(part)) for part in parts] if is_whole else parts
    found, other = proportion(first), stream.sample(first, len(first)) if is_whole else [1 - part for part in first]
    assert 0 <= found.low <= found.mean <= found.high <= 1
    paired = comparing._paired(("draws", ""), comparing._Column(first), comparing._Column(other)).difference
    assert -1 <= paired.low <= paired.mean <= paired.high <= 1


@given(st.integers(1, 400).flatmap(lambda games: st.tuples(st.integers(0, games), st.just(games))))
def test_the_same_share_has_the_same_interval_everywhere(counted: tuple[int, int]) -> None:
    part, games = counted
    one, found = share(part, games), proportion([1.0] * part + [0.0] * (games - part))
    assert one == found
    assert (one.min, one.max) == (float(part == games), float(part > 0))
    assert one.sd == pytest.approx(statistics.stdev([1.0] * part + [0.0] * (games - part)) if games > 1 else 0)


def test_editions_that_differ_in_every_game_differ_by_no_more_than_all() -> None:
    none, every = comparing._Column([0.0] * 20), comparing._Column([1.0] * 20)
    found = comparing._paired(("draws", ""), none, every)
    assert (found.difference.mean, found.difference.high) == (1, 1)
    assert found.difference.low > 0.7
    assert found.chance < 0.001
