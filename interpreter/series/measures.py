"""Means and proportions with their 95 % intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from msgspec import Struct

Z95 = statistics.NormalDist().inv_cdf(0.975)


class Measure(Struct, frozen=True):
    """A mean with its 95 % interval, and how far single values are from it."""

    mean: float
    low: float
    high: float
    sd: float
    min: float
    max: float

    def data(self) -> dict[str, float]:
        return {name: round(getattr(self, name), 6) for name in ("mean", "low", "high", "sd", "min", "max")}


def measure(values: Sequence[float]) -> Measure:
    mean, sd = statistics.fmean(values), _sd(values)
    half = Z95 * sd / math.sqrt(len(values))
    return Measure(mean, mean - half, mean + half, sd, min(values), max(values))


def _sd(values: Sequence[float]) -> float:
    return statistics.stdev(values) if len(values) > 1 else 0.0


def share(part: int, whole: int) -> Measure:
    """A proportion with its Wilson interval, which stays between 0 and 1."""
    p, z = part / whole, Z95
    centre = (p + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z / (1 + z * z / whole) * math.sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole))
    low, high = (abs(round(end, 12)) for end in (centre - half, centre + half))  # exactly 0 and 1 at the ends
    return Measure(p, low, high, math.sqrt(p * (1 - p)), 0.0, 1.0)


def mean_share(shares: Sequence[float]) -> Measure:
    """A mean of values from 0 to 1. Its interval is that of Agresti and Coull (1998), as for proportions: reckoned as if two more had
    been 0 and two 1, so that a few that happen to be alike do not look certain."""
    more = measure([*shares, 0.0, 0.0, 1.0, 1.0])
    ends = max(0.0, more.low), min(1.0, more.high)
    return Measure(statistics.fmean(shares), *ends, _sd(shares), min(shares), max(shares))
