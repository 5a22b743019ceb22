"""How fast is it? `python -m benchmarks.run` prints the table that `benchmarks/README.md` explains.

Engine and hand-written game take turns in one process, a short while each, so that a busy machine slows both.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from statistics import median

from benchmarks.grabuge_baseline import playout
from interpreter import load

ROOT = Path(__file__).resolve().parent.parent
SLICE = 0.1
FORMULA = "some t in tableau has fits(top(turned of A), t)"


def rate(work: Callable[[], object], seconds: float) -> float:
    """How often a second `work` can be done."""
    done, start = 0, time.perf_counter()
    while (passed := time.perf_counter() - start) < seconds:
        work()
        done += 1
    return done / passed


def in_turns(works: list[Callable[[], object]], seconds: float) -> list[list[float]]:
    """The rates of each work, measured in slices that alternate."""
    rounds = [[rate(work, SLICE) for work in works] for _ in range(max(3, round(seconds / SLICE)))]
    return [list(rates) for rates in zip(*rounds, strict=True)]


def by_engine(packs: int) -> Callable[[], object]:
    machine, index = load("grabuge", decks=packs).machine, count()
    return lambda: machine.playout(0, next(index))


def by_hand(packs: int) -> Callable[[], object]:
    stream = random.Random(0)
    return lambda: playout(stream, packs)


def playouts(seconds: float) -> Iterator[str]:
    yield f"{'random games a second':28}{'engine':>10}{'by hand':>10}{'ratio':>8}"
    for packs in (2, 4, 8):
        engine, hand = in_turns([by_engine(packs), by_hand(packs)], seconds)
        ratio = median(e / h for e, h in zip(engine, hand, strict=True))
        yield f"{f'  grabuge, {packs} packs':28}{median(engine):10.0f}{median(hand):10.0f}{ratio:8.2f}"


def formulas(seconds: float) -> Iterator[str]:
    game = load("grabuge")
    holds = game.evaluator(FORMULA, "turned of A", "tableau at 1", "tableau at 2")
    card, one, two = ([game.piece(sign)] for sign in ("8H", "4C", "7D"))
    found = median(in_turns([lambda: holds(card, one, two)], seconds)[0])
    yield f"{'formulas a second':28}{found:10,.0f}   {FORMULA}"


def command(*arguments: str) -> float:
    """Seconds until a command has ended."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "interpreter", *arguments], cwd=ROOT, capture_output=True, check=True)
    return time.perf_counter() - start


def commands(times: int) -> Iterator[str]:
    for arguments in (["--help"], ["validate", "grabuge"], ["validate", "rulesets"]):
        taken = median(command(*arguments) for _ in range(times))
        yield f"{'hoyle ' + ' '.join(arguments):28}{1000 * taken:10.0f} ms"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="time for each measurement (default: 3)")
    seconds = parser.parse_args().seconds
    for lines in (playouts(seconds), formulas(seconds), commands(max(3, round(seconds)))):
        for line in lines:
            print(line, flush=True)


if __name__ == "__main__":
    main()
