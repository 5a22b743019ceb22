"""How often a second something can be done, measured fairly: what is compared takes turns, so that a busy machine slows all alike."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping
from statistics import median
from typing import NamedTuple

SLICE = 0.1

Work = Callable[[], int]
"""Does a small part of what is measured, and says how many times over (games played, hands counted)."""


class Rate(NamedTuple):
    """How often a second, and how often for each time that the yardstick is done meanwhile: medians of the slices."""

    a_second: float
    ratio: float


def by_hand(playout: Callable[[random.Random], object]) -> Work:
    """Random games of a hand-written program."""
    stream = random.Random(0)

    def work() -> int:
        playout(stream)
        return 1

    return work


def rate(work: Work, seconds: float, clock: Callable[[], float] = time.perf_counter) -> float:
    done, start = 0, clock()
    while (passed := clock() - start) < seconds:
        done += work()
    return done / passed


def in_turns(
    works: Mapping[str, Work], seconds: float, clock: Callable[[], float] = time.perf_counter
) -> dict[str, Rate]:
    """The rates of all works, measured in slices that alternate, for so many seconds each, of this clock; the first of them is the yardstick."""
    rounds = [[rate(work, SLICE, clock) for work in works.values()] for _ in range(max(3, round(seconds / SLICE)))]
    return {
        name: Rate(median(found[n] for found in rounds), median(found[n] / found[0] for found in rounds))
        for n, name in enumerate(works)
    }


def head(title: str, names: list[str]) -> str:
    """The line over a table: what is compared with, then each of the others with its ratio."""
    return f"{title:28}{names[0]:>12}" + "".join(f"{name:>12}{'ratio':>8}" for name in names[1:])


def row(title: str, names: list[str], rates: Mapping[str, Rate]) -> str:
    """A line below `head`; what was not measured is left open."""
    cells = [f"{'  ' + title:28}{_rate(rates.get(names[0])):>12}"]
    cells += [f"{_rate(rates.get(name)):>12}{_ratio(rates.get(name)):>8}" for name in names[1:]]
    return "".join(cells)


def _rate(found: Rate | None) -> str:
    return "–" if found is None else f"{found.a_second:,.{0 if found.a_second >= 10 else 1}f}"


def _ratio(found: Rate | None) -> str:
    return "–" if found is None else f"{found.ratio:,.{0 if found.ratio >= 10 else 2}f}"
