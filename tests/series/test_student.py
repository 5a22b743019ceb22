"""Student's distribution, and intervals of means and shares."""

import math
import statistics
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hoyle.language.sentences import LANGUAGES, load_catalogue
from hoyle.presentation import catalogue as presentation
from hoyle.series.measures import (
    LENGTHS,
    measure_mean,
    measure_mean_share,
    measure_proportion,
    measure_share,
    quantile,
    tail_probability,
)

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
