"""Means and proportions with their 95 % intervals."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

from msgspec import Struct

from hoyle.series.student import quantile

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


def measure(values: Sequence[float], least: float = -math.inf) -> Measure:
    """A mean with the interval of Student's distribution, which does not go below the least that a value can be."""
    return _about(values, quantile(0.975, len(values) - 1), least)


def _about(values: Sequence[float], errors: float, least: float = -math.inf) -> Measure:
    """With an interval of so many standard errors on either side."""
    mean, sd = statistics.fmean(values), _sd(values)
    half = errors * sd / math.sqrt(len(values)) if sd else 0.0
    return Measure(mean, max(least, mean - half), mean + half, sd, min(values), max(values))


def _sd(values: Sequence[float]) -> float:
    return statistics.stdev(values) if len(values) > 1 else 0.0


def share(part: int, whole: int) -> Measure:
    """A proportion with its Wilson interval, which stays between 0 and 1."""
    p, z = part / whole, Z95
    centre = (p + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z / (1 + z * z / whole) * math.sqrt(p * (1 - p) / whole + z * z / (4 * whole * whole))
    low, high = (abs(round(end, 12)) for end in (centre - half, centre + half))  # exactly 0 and 1 at the ends
    sd = math.sqrt(p * (1 - p) * whole / (whole - 1)) if whole > 1 else 0.0
    return Measure(p, min(low, p), max(high, p), sd, float(part == whole), float(part > 0))


def proportion(parts: Sequence[float]) -> Measure:
    """The part of games in which something was so: of those that are 0 or 1 as `share` has it, else, where some are between, their mean."""
    return share(int(sum(parts)), len(parts)) if all(part in (0.0, 1.0) for part in parts) else mean_share(parts)


def mean_share(shares: Sequence[float]) -> Measure:
    """A mean of values from 0 to 1. Its interval is that of Agresti and Coull (1998), as for proportions: reckoned as if two more had
    been 0 and two 1, so that a few that happen to be alike do not look certain."""
    mean, more = statistics.fmean(shares), _about([*shares, 0.0, 0.0, 1.0, 1.0], Z95)
    low, high = max(0.0, min(more.low, mean)), min(1.0, max(more.high, mean))
    return Measure(mean, low, high, _sd(shares), min(shares), max(shares))
