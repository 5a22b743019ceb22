"""The same games of several editions: paired differences, their intervals, and which are beyond chance."""

import random
import statistics

import pytest
from gathering import gathering_at
from hypothesis import given
from hypothesis import strategies as st

from hoyle.diagnostics import Refused
from hoyle.series import comparison as comparing
from hoyle.series.comparison import Comparison, Figure, Paired, _Column, compare_series
from hoyle.series.measures import Measure, measure_proportion
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


# ---- the same games --------------------------------------------------------------------------------------------------


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


# ---- differences -----------------------------------------------------------------------------------------------------


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
def test_interval_and_chance_of_differences(
    values: list[float], are_parts: bool, low: float, high: float, chance: float
) -> None:
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


# ---- several differences ---------------------------------------------------------------------------------------------


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


# ---- statistics: how often ------------------------------------------------------------------------------------------


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


# ---- grids -----------------------------------------------------------------------------------------------------------


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
