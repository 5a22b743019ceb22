"""Student's distribution ("The probable error of a mean", Biometrika 6, 1908), for whole degrees of freedom; infinitely many are the normal one."""

from __future__ import annotations

import math
import statistics
from functools import cache

_NORMAL = statistics.NormalDist()
_MANY = 1000
"""From so many degrees of freedom on a few terms of a series are as good as the sum."""


@cache
def quantile(part: float, freedom: float) -> float:
    """What such a part of the distribution, half of it or more, lies below; to eight figures."""
    if freedom < 1:
        return math.inf
    if freedom >= _MANY:
        return _expanded(_NORMAL.inv_cdf(part), freedom)
    low, high = 0.0, 1.0
    while tail(high, freedom) > 2 * (1 - part):
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if tail(middle, freedom) > 2 * (1 - part) else (low, middle)
    return high


def _expanded(z: float, freedom: float) -> float:
    """From a quantile of the normal distribution (Abramowitz and Stegun, 26.7.5)."""
    terms = (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96
    return z + math.fsum(term / freedom**power for power, term in enumerate(terms, 1))


def tail(value: float, freedom: float) -> float:
    """How often it is that far from 0, or farther, on either side."""
    if freedom < _MANY:
        return max(0.0, 1 - _within(value, int(freedom)))
    z = value if freedom == math.inf else _normal_as_far(value, freedom)
    return math.erfc(z / math.sqrt(2))


def _normal_as_far(value: float, freedom: float) -> float:
    """Where the normal distribution is as far out (Wallace, Annals of Mathematical Statistics 30, 1959)."""
    return (8 * freedom + 1) / (8 * freedom + 3) * math.sqrt(freedom * math.log1p(value * value / freedom))


def _within(value: float, freedom: int) -> float:
    """How often it is between minus and plus a value: a finite sum (Abramowitz and Stegun, 26.7.3 and 4)."""
    angle = math.atan(value / math.sqrt(freedom))
    term, total = (math.cos(angle), 0.0) if freedom % 2 else (1.0, 0.0)
    for power in range(2 + freedom % 2, freedom + 1, 2):
        total += term
        term *= math.cos(angle) ** 2 * (power - 1) / power
    return (angle + math.sin(angle) * total) * 2 / math.pi if freedom % 2 else math.sin(angle) * total
