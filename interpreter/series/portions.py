"""A series of games some at a time, by this process or by several: the same results in the same order, and whoever stops it has what
was played until then."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import closing
from typing import TypeVar

from interpreter.series.crew import Prepare, shared

Portion = TypeVar("Portion")
Play = Callable[[range], Portion]
"""Plays these games of a series."""
Tick = Callable[[int], None]
"""Hears how many more are done."""
_AT_ONCE = 0.2  # seconds of play after which one process reports, about: what Ctrl-C may cost


def alone(play: Play[Portion], indices: range) -> Generator[Portion, None, None]:
    """The games by this process, as many at a time as take about as long as somebody waits to see that they go on."""
    size = 1
    while indices:
        began, some, indices = time.perf_counter(), indices[:size], indices[size:]
        yield play(some)
        size = 2 * size if time.perf_counter() - began < _AT_ONCE else max(1, size // 2)


def by_several(
    prepare: Prepare[range, Portion], indices: range, jobs: int, most: int
) -> Generator[Portion, None, None]:
    """The games by several processes, at most so many at a time."""
    size = max(1, min(most, len(indices) // jobs))
    ranges = (range(start, min(start + size, indices.stop)) for start in range(indices.start, indices.stop, size))
    yield from shared(prepare, ranges, min(jobs, len(indices)))


def gather(
    portions: Generator[Portion, None, None], done: list[Portion], tick: Tick, size: Callable[[Portion], int]
) -> None:
    """Adds each portion to those done as soon as it is played; `tick` hears its `size`."""
    with closing(portions):
        for portion in portions:
            done.append(portion)
            tick(size(portion))
