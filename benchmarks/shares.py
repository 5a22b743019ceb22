"""What it costs to share a series: between processes here, and between workers of a Dask cluster (`pip install "hoyle[cluster]"`).

    python -m benchmarks.shares               # some minutes
    python -m benchmarks.shares --rounds 9    # steadier figures

One process and two take turns with the same games, so that a busy machine slows both alike. How many times as fast two are is told by the clock, and is true only where two cores are idle; how much of
their work is of use, by the time of processors, which hangs less on what else the machine does. Overheads are those of shares in which nothing is done."""

from __future__ import annotations

import argparse
import os
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from hoyle.game.game import load
from hoyle.series.match import Match, play_match
from hoyle.series.result_file import ResultFile
from hoyle.series.simulate import FORMAT, SHARE, Chunk, Order, load_traced, make_header, play_games, play_series
from hoyle.series.workers import ALONE, Workers, run_tasks

SHARES = 200
"""Shares in which nothing is done."""


class Cost(NamedTuple):
    """Seconds: of the clock, of this process, and of those that it has begun, which have ended."""

    wall: float
    here: float
    others: float

    @property
    def all(self) -> float:
        return self.here + self.others


def cost(work: Callable[[], object]) -> Cost:
    begun, before = time.perf_counter(), os.times()
    work()
    after = os.times()
    here = after.user - before.user + after.system - before.system
    others = after.children_user - before.children_user + after.children_system - before.children_system
    return Cost(time.perf_counter() - begun, here, others)


# ---- one process and two ---------------------------------------------------------------------------------------------


class Series(NamedTuple):
    """So many games or deals, twice: what it takes to begin falls out of the difference."""

    few: int
    many: int
    play: Callable[[int, Workers], object]


def works() -> dict[str, Series]:
    python, native = Order("scopa", (), 1, (), "python"), Order("klondike", (), 1, (), "native")
    slow, quick, met = load_traced(python), load_traced(native), load("scopa")
    match = Match("scopa", (), 1, ("search:300", "random"))
    play_match(met, match, 1)
    return {
        "random games, Python": Series(64, 1064, lambda games, workers: play_series(slow, python, games, workers)),
        "random games, native": Series(64, 200_064, lambda games, workers: play_series(quick, native, games, workers)),
        "deals of a search, native": Series(2, 26, lambda deals, workers: play_match(met, match, deals, workers)),
    }


def efficiency(work: Series, rounds: int) -> str:
    found = [[_rest(work, workers) for workers in (ALONE, Workers(2))] for _ in range(rounds)]
    sooner = median(one.wall / two.wall for (one, _), (two, _) in found)
    more = median(two.all / one.all for (one, _), (two, _) in found)
    seconds, begin = median(one.all for (one, _), _ in found), median(to_begin.all for _, (_, to_begin) in found)
    return f"{seconds:8.1f} s{sooner:10.2f}{1 / more:10.0%}{begin:8.1f} s"


def _rest(work: Series, workers: Workers) -> tuple[Cost, Cost]:
    """Of what is played beyond a few games, and of these."""
    few, many = (cost(partial(work.play, games, workers)) for games in (work.few, work.many))
    return Cost(*(much - little for much, little in zip(many, few, strict=True))), few


# ---- shares in which nothing is done ---------------------------------------------------------------------------------


def nothing(number: int) -> int:
    return number


def idle() -> Callable[[int], int]:
    return nothing


class Same:
    """Gives the same chunk for every share: what it costs to bring it here."""

    def __init__(self, chunk: Chunk) -> None:
        self.chunk = chunk

    def __call__(self) -> Callable[[int], Chunk]:
        return lambda number: self.chunk


def overhead(prepare: Callable[[], Callable[[int], Any]], workers: Workers, rounds: int) -> str:
    """Milliseconds a share, when nothing else is to be done: of the clock, and of this process. What it takes to begin is taken off."""
    found: list[tuple[float, float]] = []
    for _ in range(rounds):
        few, many = (cost(partial(_all, prepare, n, workers)) for n in (20, SHARES + 20))
        found.append(((many.wall - few.wall) / SHARES * 1000, (many.here - few.here) / SHARES * 1000))
    return "".join(f"{median(column):10.2f} ms" for column in zip(*found, strict=True))


def _all(prepare: Callable[[], Callable[[int], Any]], shares: int, workers: Workers) -> None:
    for _ in run_tasks(nothing, prepare, range(shares), workers):
        pass


@contextmanager
def a_cluster() -> Iterator[str]:
    """A scheduler and two workers, processes of this machine."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as found:
        yield str(found.scheduler_address)


# ---- whoever shares it out -------------------------------------------------------------------------------------------


def of_the_master(chunk: Chunk, order: Order) -> str:
    """What one share costs whoever keeps it, and what a game takes of its memory."""
    with tempfile.TemporaryDirectory() as folder:
        with ResultFile(
            str(Path(folder) / "k.jsonl"), make_header(load_traced(order), order, SHARES * SHARE), FORMAT
        ) as kept:
            written = cost(partial(_keep, kept, chunk))
        size = (Path(folder) / "k.jsonl").stat().st_size / 100
    game = load_traced(order)
    tracemalloc.start()
    before, some = tracemalloc.get_traced_memory()[0], play_games(game, order, range(SHARE))
    memory = (tracemalloc.get_traced_memory()[0] - before) / len(some[0])
    tracemalloc.stop()
    return f"{written.here * 10:.2f} ms to keep, {size / 1024:.0f} KB in the file, {memory:.0f} bytes of memory a game"


def _keep(kept: ResultFile[Chunk], chunk: Chunk) -> None:
    for _ in range(100):
        kept.add(chunk)


def main() -> None:
    parser = argparse.ArgumentParser(description="What it costs to share a series.")
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    print(f"{'':28}{'alone':>10}{'2: times':>10}{'of use':>10}{'to begin':>10}")
    for name, work in works().items():
        print(f"{name:28}{efficiency(work, rounds)}", flush=True)
    order = Order("scopa", (), 1, (), "python")
    chunk = play_games(load_traced(order), order, range(SHARE))
    with a_cluster() as address:
        for who, workers in (("two processes", Workers(2)), ("a cluster of two", Workers(cluster=address))):
            for what, prepare in (("nothing", idle), (f"{SHARE} games", Same(chunk))):
                print(f"{who + ', a share of ' + what:48}{overhead(prepare, workers, rounds)}", flush=True)
    print(f"a share of {SHARE} games: {of_the_master(chunk, order)}")


if __name__ == "__main__":
    main()
