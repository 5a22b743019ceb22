"""Paired differences between editions, Student's distribution, and intervals of means and shares."""

import math
import random
import statistics
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules import gathering_at

from hoyle.diagnostics import Refused
from hoyle.language.sentences import LANGUAGES, load_catalogue
from hoyle.presentation import catalogue as presentation
from hoyle.series import comparison as comparing
from hoyle.series.comparison import Comparison, Figure, Paired, _Column, compare_series
from hoyle.series.measures import (
    LENGTHS,
    Measure,
    measure_mean,
    measure_mean_share,
    measure_proportion,
    measure_share,
    quantile,
    tail_probability,
)
from hoyle.series.simulate import Order, join_chunks, load_traced, play_series
from hoyle.series.variants import Plan, Played, Variant, group_by_variant, load_games, make_grid, play_plan


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> str:
    return gathering_at(tmp_path_factory.mktemp("comparing"))


def plan(game: str, *options: dict[str, int], games: int = 40, usual: str = "random") -> Plan:
    return Plan(tuple(Variant(game, tuple(one.items())) for one in options), games, 3, (), usual, "python")


def comparison(wanted: Plan) -> Comparison:
    games = [game for game, _ in load_games(wanted)]
    return compare_series(games, play_plan(wanted))


def paired(found: Comparison, section: str, name: str = "") -> Paired:
    one = found.figure((section, name)).paired[0]
    assert one is not None
    return one


@pytest.mark.whole
def test_each_edition_plays_the_games_of_its_series(game: str) -> None:
    """Game number i is that of `simulate` with the same seed in all editions."""
    wanted = plan(game, {}, {"gain": 3})
    for chunks, edition in zip(play_plan(wanted), wanted.editions, strict=True):
        order = Order(game, edition.options, 3, ("random", "random"), "python")
        assert join_chunks(chunks)[0] == play_series(load_traced(order), order, 40)[0]


def test_stopped_plan_has_the_same_games_of_each_edition(game: str) -> None:
    wanted, done = plan(game, {}, {"gain": 3}), list[Played]()

    def stop(_: int) -> None:
        if len(done) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_plan(wanted, tick=stop, done=done)
    a, b = group_by_variant(done, 2)
    assert len(done) == 5 and len(a) == len(b) == 2


@pytest.mark.whole
def test_points_that_rules_add_are_found_exactly(game: str) -> None:
    """Players who take the first move listed have `gain` in each round: luck falls out of the differences."""
    found = comparison(plan(game, {}, {"gain": 3}, usual="first"))
    more = paired(found, "score", "A")
    assert (more.difference.low, more.difference.mean, more.difference.high) == (2, 2, 2)
    assert len(found.beyond) == 1 and {*found.beyond[0]} == {("score", "A"), ("score", "B")}
    assert found.figure(("score", "A")).means[0] != found.figure(("score", "B")).means[0]  # there was luck


def test_single_unit_is_not_compared() -> None:
    one = _Column([1.0])
    figure = comparing._figure(("obligation", ""), [{("obligation", ""): one}] * 2, [1])
    assert figure.paired == (None,) and figure.means[0] is not None


SCORES = [0.5, -1.0, 2.0, 1.5, 0.0, 3.0, 1.0, -0.5]
"""Differences of eight pairs."""
WINS = [1.0] * 7 + [-1.0] * 2 + [0.0] * 21
"""Nine of thirty pairs changed."""


@pytest.mark.parametrize(
    ("values", "are_parts", "low", "high", "chance"),
    [(SCORES, False, -0.3032826, 1.9282826, 0.12876171), (WINS, True, -0.02971625, 0.34221625, 0.09960452)],
)
def test_interval_of_differences(values: list[float], are_parts: bool, low: float, high: float, chance: float) -> None:
    """Student's as SciPy has it; of proportions those of Agresti and Min (2005)."""
    found = comparing._difference(values, are_parts)
    assert (found.mean, found.low, found.high) == pytest.approx((statistics.fmean(values), low, high))
    assert comparing._chance(values, are_parts) == pytest.approx(chance)


@pytest.mark.parametrize(("many", "seen"), [(1, 1.53858732), (3, 1.89858608)])
def test_detectable_difference(many: int, seen: float) -> None:
    """The quantiles at 1 - 0.05 / 2m and at 0.8, in standard errors."""
    first, other = _Column([0.0] * 8), _Column(SCORES)
    assert comparing._paired(("score", "A"), first, other, many).seen == pytest.approx(seen)


def test_a_difference_too_large_for_a_share_is_not_detectable() -> None:
    assert comparing._paired(("wins", "A"), _Column([0.0, 1.0] * 4), _Column([1.0, 0.0] * 4)).seen is None
    assert comparing._paired(("wins", "A"), _Column([0.0, 1.0] * 200), _Column([1.0] * 400)).seen


@pytest.mark.parametrize("values", [[1.0] * 5, [1.0, 1.0, 1.0, 1.01, 1.0], [0.0, 1.0, 1.0, 1.0, 1.0, 1.0]])
@pytest.mark.parametrize("are_parts", [False, True])
def test_a_few_differences_of_one_direction_may_be_chance(values: list[float], are_parts: bool) -> None:
    """Five that all go the same way do so in one of sixteen cases; one that is 0 does not count."""
    assert comparing._chance(values, are_parts) >= 1 / 16 > 0.05 > comparing._chance([1.0] * 8, are_parts)


def test_an_event_that_never_came_may_come_yet() -> None:
    """Three in a hundred games are not excluded (Hanley and Lippman-Hand, 1983)."""
    never = comparing._mean(("move", "fly"), _Column([0.0] * 100))
    assert (never.low, never.mean) == (0, 0) and 0.03 < never.high < 0.04
    assert comparing._mean(("obligation", "fly"), _Column([0.0] * 100, by_share=True)).high == 0


def test_ratios_are_of_means() -> None:
    found = comparing._ratio([1.0, 2.0, 4.0, 3.0], [2.0, 3.0, 5.0, 6.0])
    assert found is not None and (found.times, found.low, found.high) == pytest.approx((1.6, 1.03482178, 2.47385592))
    assert comparing._ratio([0.0, 0.0], [1.0, 2.0]) is None and comparing._ratio([-1.0, 2.0], [1.0, 2.0]) is None


def test_worth_of_the_same_games_is_how_many_others_they_save() -> None:
    """Differences vary a third as much as both games together: three times as many games of their own are needed."""
    found = comparing._paired(("length", ""), _Column([1.0, 2.0, 3.0]), _Column([1.0, 3.0, 4.0]))
    assert found.worth == pytest.approx((1 + 7 / 3) / (1 / 3))
    same = _Column([1.0, 2.0])
    assert comparing._paired(("length", ""), same, same).worth is None


SOME_PARTS = st.lists(st.sampled_from([0.0, 1 / 3, 0.5, 1.0]) | st.floats(0, 1), min_size=2, max_size=20)


@pytest.mark.whole
@given(SOME_PARTS, st.booleans())
def test_intervals_stay_where_figures_can_be(parts: list[float], is_whole: bool) -> None:
    """Those of shares between 0 and 1, those of their differences between -1 and 1; the figure lies within."""
    first = [float(round(part)) for part in parts] if is_whole else parts
    found, other = measure_proportion(first), first[::-1] if is_whole else [1 - part for part in first]
    assert 0 <= found.low <= found.mean <= found.high <= 1
    difference = comparing._paired(("draws", ""), _Column(first), _Column(other)).difference
    assert -1 <= difference.low <= difference.mean <= difference.high <= 1


def test_holm_stops_at_the_first_that_may_be_chance() -> None:
    """0.005 ≤ 0.05/4 and 0.01 ≤ 0.05/3, but 0.03 > 0.05/2, so 0.04 is not asked; what cannot differ is not counted."""
    none = Measure(0, 0, 0, 0, 0, 0)
    chances = {"a": 0.03, "b": 0.005, "c": 0.04, "d": 0.01, "e": 1.0}
    figures = [
        Figure(("length", n), (None, None), (Paired(none, None, p, 0, None, n.encode()),)) for n, p in chances.items()
    ]
    assert comparing._beyond(figures, 0) == (("length", "b"), ("length", "d"))


def test_figures_that_tell_the_same_are_one_fact() -> None:
    """If the wins of both were asked apart, 0.04 > 0.05/2."""
    first, other = ([1.0] * won + [0.0] * (60 - won) for won in (20, 35))
    columns = [{("wins", "A"): _Column(some)} for some in (first, other[::-1])]
    chance = comparing._figure(("wins", "A"), columns, [2]).paired[0]
    assert chance is not None and 0.025 < chance.chance < 0.05, chance
    for column in columns:
        column["wins", "B"] = _Column([1 - won for won in column["wins", "A"].values])
    assert comparing._facts(*columns) == 1
    figures = [comparing._figure(("wins", side), columns, [1]) for side in "AB"]
    assert comparing._beyond(figures, 0) == (("wins", "A"), ("wins", "B"))


@pytest.mark.slow
@pytest.mark.parametrize("units", [2, 5, 8])
@pytest.mark.parametrize("values", [(0, 1), (-1, 1), (0, 0, 0, 5)])
def test_equal_editions_rarely_differ(units: int, values: tuple[int, ...]) -> None:
    """At most one play of twenty calls any of three figures different, though these are small whole numbers."""
    stream = random.Random(units)

    def is_called() -> bool:
        columns = [
            {("score", n): _Column([float(stream.choice(values)) for _ in range(units)]) for n in "ABC"}
            for _ in range(2)
        ]
        many = [comparing._facts(*columns)]
        return bool(comparing._beyond([comparing._figure(name, columns, many) for name in columns[0]], 0))

    assert sum(is_called() for _ in range(600)) <= 30 + 15


def test_grid_has_all_combinations_that_are_allowed(game: str) -> None:
    found = make_grid(game, [("gain", (2, 3)), ("rounds", (1, 4))])
    assert [tuple(dict(one.options).values()) for one in found.editions] == [(2, 1), (2, 4), (3, 1)]
    [(excluded, reason)] = found.excluded
    assert dict(excluded.options) == {"gain": 3, "rounds": 4} and "too long" in str(reason.message)


@pytest.mark.parametrize(
    ("axes", "code"),
    [([("gain", (2, 7))], "R611"), ([("least", (2,))], "R610"), ([("gain", (3,)), ("rounds", (4,))], "R612")],
)
def test_impossible_grid_is_refused(game: str, axes: list[tuple[str, tuple[int, ...]]], code: str) -> None:
    with pytest.raises(Refused) as refused:
        make_grid(game, axes)
    assert refused.value.cause.code == code


VALUES = (0.1, 1.96, 4.5)
PARTS = (0.5, 0.8, 0.975, 0.9995)
TABLE: dict[int, tuple[tuple[float, ...], tuple[float, ...]]] = {
    1: ((0.9365489651, 0.3003428918, 0.1392089745), (0.0, 1.37638192, 12.70620474, 636.6192488)),
    2: ((0.9294654384, 0.1890573096, 0.04600190799), (0.0, 1.060660172, 4.30265273, 31.59905458)),
    3: ((0.9266523488, 0.1448522086, 0.02049041234), (0.0, 0.9784723124, 3.182446305, 12.92397864)),
    30: ((0.9210096118, 0.0593423129, 9.519359392e-05), (0.0, 0.8537672615, 2.042272456, 3.645958635)),
    999: ((0.9203643891, 0.05027346273, 7.593903755e-06), (0.0, 0.8419811823, 1.962341461, 3.30029244)),
    1000: ((0.920364369, 0.05027318496, 7.593071026e-06), (0.0, 0.8419808222, 1.962339081, 3.300282648)),
    10**6: ((0.9203443455, 0.04999606759, 6.796110505e-06), (0.0, 0.841621593, 1.959966357, 3.290536461)),
}
"""By degrees of freedom: the two-sided tails of VALUES and the quantiles of PARTS, as SciPy has them."""


@pytest.mark.parametrize("freedom", TABLE)
def test_tails_and_quantiles_are_those_of_the_table(freedom: int) -> None:
    tails, quantiles = TABLE[freedom]
    assert [tail_probability(value, freedom) for value in VALUES] == pytest.approx(tails, rel=1e-4)
    assert [quantile(part, freedom) for part in PARTS] == pytest.approx(quantiles, rel=1e-6, abs=1e-9)


def test_infinite_freedom_is_normal_and_none_is_infinitely_wide() -> None:
    assert quantile(0.975, math.inf) == pytest.approx(1.959964) and tail_probability(
        1.959964, math.inf
    ) == pytest.approx(0.05)
    assert quantile(0.975, 0) == math.inf
    assert tail_probability(40.0, math.inf) >= 0 and tail_probability(1e6, 5) >= 0


def test_interval_of_a_mean_is_students() -> None:
    found = measure_mean([3.0, 5.0, 4.0, 8.0])
    assert (found.mean, found.low, found.high) == pytest.approx((5, 1.5625651, 8.4374349))
    assert (found.sd, found.min, found.max) == pytest.approx((2.1602469, 3, 8))
    counts = measure_mean([0.0, 0.0, 9.0], 0.0)
    assert (counts.low, counts.mean) == (0.0, 3.0) and counts.high > 9


def test_interval_of_a_share_is_wilsons() -> None:
    found = measure_share(3, 10)
    assert (found.low, found.high) == pytest.approx((0.1077912674, 0.6032218525))


def test_interval_of_mean_shares_is_that_of_agresti_and_coull() -> None:
    """But for the divisor n - 1 of a sample's variance: 10 wins in 20 are 0.299 to 0.701 at 95 %."""
    found = measure_mean_share([1.0, 0.0] * 10)
    assert (found.mean, found.low, found.high) == pytest.approx((0.5, 0.296, 0.704), abs=1e-3)
    found = measure_mean_share([1.0, 0.5, 0.25])
    assert (found.low, found.high) == pytest.approx((0.19041883, 0.88100974))


def test_a_few_equal_deals_are_not_certain() -> None:
    """Six coins that all fall on one side are beyond chance (1 in 32), five are not (1 in 16)."""
    assert measure_mean_share([1.0] * 6).low > 0.5 > measure_mean_share([1.0] * 5).low
    assert measure_mean_share([0.0] * 6).high < 0.5 < measure_mean_share([0.0] * 5).high
    assert (measure_mean_share([1.0]).high, measure_mean_share([0.0]).low) == (1.0, 0.0)


@given(st.integers(1, 400).flatmap(lambda games: st.tuples(st.integers(0, games), st.just(games))))
def test_share_and_proportion_agree(counted: tuple[int, int]) -> None:
    part, games = counted
    values = [1.0] * part + [0.0] * (games - part)
    one = measure_share(part, games)
    assert one == measure_proportion(values)
    assert (one.min, one.max) == (float(part == games), float(part > 0))
    assert one.sd == pytest.approx(statistics.stdev(values) if games > 1 else 0)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_measure_of_length_has_words(lang: str) -> None:
    words = load_catalogue(Path(presentation.__file__).parent, lang)
    assert {name for name in LENGTHS if f"simulate.{name}" not in words} == set()
