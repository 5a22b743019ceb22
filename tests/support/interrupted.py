"""A program that is interrupted again and again while the workers of a cluster do what it asks for. It is one of its own, so that whatever is said on standard error is said by it."""

from __future__ import annotations

import random
import signal
import time
from collections.abc import Callable

import interpreter.series.cluster  # noqa: F401  # Python itself cannot go on where an import was interrupted
from interpreter.series.workers import Workers, results

TIMES, TASKS, LONGEST = 8, 100, 0.4


def hurried(n: int) -> int:
    time.sleep(0.002)
    return n


def hurriedly() -> Callable[[int], int]:
    return hurried


def main(address: str, seed: int) -> None:
    """Ctrl-C comes while the client is made, while tasks are given, while one waits for them, or once it is over. Prints how often before that."""
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    stream, came = random.Random(seed), 0
    for _ in range(TIMES):
        coming = results(hurried, hurriedly, range(TASKS), Workers(cluster=address))
        try:
            signal.setitimer(signal.ITIMER_REAL, stream.uniform(0.001, LONGEST))
            assert list(coming) == list(range(TASKS))
            signal.setitimer(signal.ITIMER_REAL, 0)
        except KeyboardInterrupt:
            came += 1
        coming.close()
    assert list(results(hurried, hurriedly, [3], Workers(cluster=address))) == [3]
    print(came)
