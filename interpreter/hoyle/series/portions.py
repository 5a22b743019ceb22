"""A series some games at a time, so that whoever waits sees that they go on, and whoever stops it has what was played until then."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from typing import TypeVar

Portion = TypeVar("Portion")
Tick = Callable[[int], None]
"""Hears how many more are done."""
_AT_ONCE = 0.2  # seconds of play after which somebody hears of it, about: what Ctrl-C may cost


def timed(indices: range) -> Iterator[range]:
    """The games for one who plays them as they are asked for: as many at a time as take about as long as somebody waits to see that they go on."""
    size = 1
    while indices:
        began, some, indices = time.perf_counter(), indices[:size], indices[size:]
        yield some
        size = 2 * size if time.perf_counter() - began < _AT_ONCE else max(1, size // 2)


def gather(
    portions: Generator[Portion, None, None], done: list[Portion], tick: Tick, size: Callable[[Portion], int]
) -> None:
    """Adds each portion to those done as soon as it is played; `tick` hears its `size`."""
    with closing(portions):
        for portion in portions:
            done.append(portion)
            tick(size(portion))
