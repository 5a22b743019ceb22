"""Compare random games of both engines at every decision: legal actions in their order, states, events, chance.

    python tests/native_agreement.py [GAME…] [--games 1000] [--first 0] [--jobs 2] [--most 2000] [--settings]

Without names, all shipped games are compared. Each line tells how many games and decisions of a game were compared and how long
that took, or the first seed at which the engines differ, and in what; then the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "support")]

from engines import Difference, compared
from games import names

from interpreter import Game, Refused, load
from interpreter.native.engine import Native
from interpreter.native.made import native
from interpreter.series.crew import shared
from interpreter.series.pairs import settings, values_of

PART = 20
"""Games that a process compares before it reports."""


class Part(NamedTuple):
    """Games of a series."""

    game: str
    options: tuple[tuple[str, Any], ...]
    seeds: range
    most: int


class Told(NamedTuple):
    """The result: the first seed at which the engines differ, and in what, if they do."""

    games: int
    decisions: int
    seconds: float
    seed: int = 0
    differs: Difference | str | None = None


def compare(part: Part) -> Told:
    began, decisions = time.perf_counter(), 0
    one, other = both(part.game, part.options)
    if not isinstance(other, Native):
        return Told(0, 0, 0.0, part.seeds.start, str(other))
    for count, seed in enumerate(part.seeds):
        more, differs = compared(one, other, seed, part.most)
        decisions += more
        if differs is not None:
            return Told(count, decisions, time.perf_counter() - began, seed, differs)
    return Told(len(part.seeds), decisions, time.perf_counter() - began)


@lru_cache(maxsize=1)
def both(name: str, options: tuple[tuple[str, Any], ...]) -> tuple[Game, object]:
    """The game, and its native engine or the reason why there is none."""
    one = load(name, dict(options), engine="python")
    return one, native(one.ruleset, one.machine)


def comparing() -> Callable[[Part], Told]:
    return compare


def parts(name: str, games: int, first: int, most: int, of_settings: bool) -> Iterator[Part]:
    """The parts of one game: with `of_settings`, spread over settings that hold every pair of choices."""
    rows = [*playable(name)] if of_settings else [()]
    for number, options in enumerate(rows):
        low, high = (first + games * n // len(rows) for n in (number, number + 1))
        for start in range(low, high, PART):
            yield Part(name, options, range(start, min(start + PART, high)), most)


def playable(name: str) -> Iterator[tuple[tuple[str, Any], ...]]:
    """Settings of options that the game accepts."""
    for row in settings(values_of(load(name))):
        try:
            load(name, row)
        except Refused:
            continue
        yield tuple(row.items())


def line(name: str, told: list[tuple[Part, Told]]) -> str:
    games, decisions, seconds = (
        sum(getattr(one, field) for _, one in told) for field in ("games", "decisions", "seconds")
    )
    counted = f"{name:<28}{games:>7,} games{decisions:>12,} decisions{seconds:>9.1f} s"
    wrong = next(((part, one) for part, one in told if one.differs is not None), None)
    if wrong is None:
        return f"{counted}  the same"
    part, one = wrong
    options = "".join(f" {option}={value}" for option, value in part.options)
    return f"{counted}  DIFFER with seed {one.seed}{options}: {str(one.differs)[:300]}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=int, default=2000, help="decisions of a game that are compared")
    parser.add_argument("--settings", action="store_true", help="spread the games over settings of the options")
    given = parser.parse_args()
    wanted = given.names or [name for name, _ in names()]
    todo = [part for name in wanted for part in parts(name, given.games, given.first, given.most, given.settings)]
    told = zip(todo, shared(comparing, todo, given.jobs), strict=True)
    differ = 0
    for name, some in groupby(told, key=lambda one: one[0].game):
        found = [*some]
        differ += any(one.differs is not None for _, one in found)
        print(line(name, found), flush=True)
    return 1 if differ else 0


if __name__ == "__main__":
    raise SystemExit(main())
