"""Compare random games of both engines at every decision: legal actions in their order, states, events, chance.

    python tests/native_agreement.py [GAME…] [--games 1000] [--first 0] [--jobs 2] [--most 2000] [--settings]

Without names, all shipped games are compared. Each line tells how many games and decisions of a game were compared and how long
that took, or the first seed at which the engines differ, and in what; then the exit code is 1.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "interpreter"), str(ROOT / "tests" / "support")]

from engines import compared
from games import names

from hoyle import Game, Refused, load
from hoyle.native.engine import Native
from hoyle.native.engine_builder import native
from hoyle.series.option_pairs import list_settings, list_values
from hoyle.series.workers import run_in_processes

PART = 20
"""Games that a process compares before it reports."""


class Part(NamedTuple):
    """Games of a series, with these settings of the options."""

    game: str
    options: tuple[tuple[str, Any], ...]
    seeds: range
    most: int


Told = tuple[int, int, float, str]
"""The games and decisions that were compared, the seconds, and where the engines differ, if they do."""


def compare(part: Part) -> Told:
    began, decisions = time.perf_counter(), 0
    one, other = both(part.game, part.options)
    if not isinstance(other, Native):
        return 0, 0, 0.0, str(other)
    for count, seed in enumerate(part.seeds):
        more, differs = compared(one, other, seed, part.most)
        decisions += more
        if differs is not None:
            options = "".join(f" {option}={value}" for option, value in part.options)
            return count, decisions, time.perf_counter() - began, f"seed {seed}{options}: {str(differs)[:300]}"
    return len(part.seeds), decisions, time.perf_counter() - began, ""


@lru_cache(maxsize=1)
def both(name: str, options: tuple[tuple[str, Any], ...]) -> tuple[Game, object]:
    """The game, and its native engine or the reason why there is none."""
    one = load(name, dict(options), engine="python")
    return one, native(one.ruleset, one.machine)


def comparing() -> Callable[[Part], Told]:
    return compare


def parts(name: str, given: argparse.Namespace) -> Iterator[Part]:
    """The parts of one game: with `--settings`, spread over settings that hold every pair of choices."""
    rows = [*playable(name)] if given.settings else [()]
    for number, options in enumerate(rows):
        low, high = (given.first + given.games * n // len(rows) for n in (number, number + 1))
        for start in range(low, high, PART):
            yield Part(name, options, range(start, min(start + PART, high)), given.most)


def playable(name: str) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Settings of options that the game accepts."""
    for row in list_settings(list_values(load(name))):
        try:
            load(name, row)
        except Refused:
            continue
        yield tuple(row.items())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME")
    for option, usual in (("games", 1000), ("first", 0), ("jobs", 2), ("most", 2000)):
        parser.add_argument(f"--{option}", type=int, default=usual)
    parser.add_argument("--settings", action="store_true", help="spread the games over settings of the options")
    given = parser.parse_args()
    todo = [part for name in given.names or [name for name, _ in names()] for part in parts(name, given)]
    told = zip(todo, run_in_processes(comparing, todo, given.jobs), strict=True)
    differ = False
    for name, some in groupby(told, key=lambda one: one[0].game):
        games, decisions, seconds, wrong = zip(*(found for _, found in some), strict=True)
        counted = f"{name:<28}{sum(games):>7,} games{sum(decisions):>12,} decisions{sum(seconds):>9.1f} s"
        first = next(filter(None, wrong), "")
        differ |= bool(first)
        print(f"{counted}  {f'DIFFER with {first}' if first else 'the same'}", flush=True)
    return int(differ)


if __name__ == "__main__":
    raise SystemExit(main())
