"""Means and proportions with their 95 % intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from msgspec import Struct

from hoyle.running.outcomes import Tallies

_NORMAL = statistics.NormalDist()
_MANY = 1000
"""Use series expansions instead of exact sums from this many degrees of freedom."""


@cache
def quantile(part: float, freedom: float) -> float:
    """Return a quantile of Student's distribution, for a `part` of at least 0.5, to eight figures."""
    if freedom < 1:
        return math.inf
    if freedom >= _MANY:
        return _expanded(_NORMAL.inv_cdf(part), freedom)
    low, high = 0.0, 1.0
    while tail_probability(high, freedom) > 2 * (1 - part):
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tail_probability(middle, freedom) > 2 * (1 - part) else (low, middle)
    return high


def _expanded(z: float, freedom: float) -> float:
    """Convert a quantile of the normal distribution to Student's (Abramowitz and Stegun, 26.7.5)."""
    terms = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, 1))


def tail_probability(value: float, freedom: float) -> float:
    """Return the probability that a value of Student's distribution is at least this far from 0, on either side."""
    if freedom < _MANY:
        return max(0.0, 1 - _within(value, int(freedom)))
    z = value if freedom == math.inf else _normal_as_far(value, freedom)
    return math.erfc(z / math.sqrt(2))


def _normal_as_far(value: float, freedom: float) -> float:
    """Return the normal quantile with about the same tail (Wallace, Annals of Mathematical Statistics 30, 1959)."""
    return (8 * freedom + 1) / (8 * freedom + 3) * math.sqrt(freedom * math.log1p(value * value / freedom))


def _within(value: float, freedom: int) -> float:
    """Return the probability of a value between -value and +value, as a finite sum (Abramowitz and Stegun, 26.7.3 and 4)."""
    angle = math.atan(value / math.sqrt(freedom))
    term, total = (math.cos(angle), 0.0) if freedom % 2 else (1.0, 0.0)
    for power in range(2 + freedom % 2, freedom + 1, 2):
        total += term
        term *= math.cos(angle) ** 2 * (power - 1) / power
    return (angle + math.sin(angle) * total) * 2 / math.pi if freedom % 2 else math.sin(angle) * total


Z95 = statistics.NormalDist().inv_cdf(0.975)


class Length(Struct, frozen=True):
    """A measure of one game. A ratio (`is_ratio`) counts only games with a decision, and is `empty` if there is none."""

    of_game: Callable[[Tallies], float]
    is_ratio: bool = False
    empty: float = 0.0


LENGTHS: Mapping[str, Length] = {
    "decisions": Length(lambda game: game.decisions),
    "choices": Length(lambda game: game.choices),
    "turns": Length(lambda game: game.turns),
    "turn_length": Length(lambda game: game.decisions / max(1, game.turns), is_ratio=True, empty=1.0),
    "branching": Length(lambda game: game.offered / max(1, game.decisions), is_ratio=True),
    "most_branching": Length(lambda game: game.most_offered),
}
"""Measures of the length of games by name: series, comparisons and tables have them all. Their words are `simulate.NAME`."""


class Measure(Struct, frozen=True):
    """A mean with its 95 % interval, standard deviation, minimum and maximum."""

    mean: float
    low: float
    high: float
    sd: float
    min: float
    max: float

    def data(self) -> dict[str, float]:
        return {name: round(getattr(self, name), 6) for name in ("mean", "low", "high", "sd", "min", "max")}


def measure_mean(values: Sequence[float], least: float = -math.inf) -> Measure:
    """Return the mean with the interval of Student's distribution, cut off at `least`."""
    return _about(values, quantile(0.975, len(values) - 1), least)


def _about(values: Sequence[float], errors: float, least: float = -math.inf) -> Measure:
    """Return the mean with an interval of this many standard errors on either side."""
    mean, sd = statistics.fmean(values), _sd(values)
    half = errors * sd / math.sqrt(len(values)) if sd else 0.0
    return Measure(mean, max(least, mean - half), mean + half, sd, min(values), max(values))


def _sd(values: Sequence[float]) -> float:
    return statistics.stdev(values) if len(values) > 1 else 0.0


def measure_share(part: int, whole: int) -> Measure:
    """Return a proportion with its Wilson interval, which stays between 0 and 1."""
    p, z = part / whole, Z95
    centre = (p + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z / (1 + z * z / whole) * math.sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole))
    low, high = (abs(round(end, 12)) for end in (centre - half, centre + half))  # exactly 0 and 1 at the ends
    sd = math.sqrt(p * (1 - p) * whole / (whole - 1)) if whole > 1 else 0.0
    return Measure(p, min(low, p), max(high, p), sd, float(part == whole), float(part > 0))


def measure_proportion(parts: Sequence[float]) -> Measure:
    """Return the mean of shares of games: by `measure_share` if all are 0 or 1, else by `measure_mean_share`."""
    return (
        measure_share(int(sum(parts)), len(parts))
        if all(part in (0.0, 1.0) for part in parts)
        else measure_mean_share(parts)
    )


def measure_mean_share(shares: Sequence[float]) -> Measure:
    """Return the mean of values from 0 to 1, with the interval of Agresti and Coull (1998).

    The interval adds two values of 0 and two of 1, so that a few equal values do not look certain.
    """
    mean, more = statistics.fmean(shares), _about([*shares, 0.0, 0.0, 1.0, 1.0], Z95)
    low, high = max(0.0, min(more.low, mean)), min(1.0, max(more.high, mean))
    return Measure(mean, low, high, _sd(shares), min(shares), max(shares))
