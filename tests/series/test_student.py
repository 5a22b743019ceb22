"""Student's distribution, beside that of SciPy; and that intervals of means hold what they should."""

from __future__ import annotations

import math
import random

import pytest
from scipy import stats

from interpreter.series.measures import measure
from interpreter.series.student import quantile, tail

FREEDOMS = (1, 2, 3, 7, 29, 30, 63, 200, 999, 1000, 5000, 10**6)


@pytest.mark.parametrize("freedom", FREEDOMS)
def test_tails_and_quantiles_are_those_of_scipy(freedom: int) -> None:
    for value in (0.0, 0.1, 1.0, 1.96, 2.5, 3.3, 4.5, 6.0):
        assert tail(value, freedom) == pytest.approx(2 * stats.t.sf(value, freedom), rel=1e-4, abs=1e-14)
    for part in (0.5, 0.8, 0.975, 0.999, 1 - 0.05 / 62):
        assert quantile(part, freedom) == pytest.approx(stats.t.ppf(part, freedom), rel=1e-6, abs=1e-9)


def test_of_many_it_is_the_normal_one_and_of_none_nothing_is_known() -> None:
    assert quantile(0.975, math.inf) == pytest.approx(1.959964) and tail(1.959964, math.inf) == pytest.approx(0.05)
    assert quantile(0.975, 0) == math.inf
    assert tail(40.0, math.inf) >= 0 and tail(1e6, 5) >= 0


@pytest.mark.parametrize("units", [3, 5, 20, 100])
def test_intervals_of_means_hold_what_they_should_as_often_as_they_say(units: int) -> None:
    stream, within = random.Random(units), 0
    for _ in range(2000):
        found = measure([stream.gauss(3, 2) for _ in range(units)])
        within += found.low <= 3 <= found.high
    assert within == pytest.approx(1900, abs=35)


def test_a_mean_of_counts_is_not_below_nothing() -> None:
    found = measure([0.0, 0.0, 9.0], 0.0)
    assert (found.low, found.mean) == (0.0, 3.0) and found.high > 9
