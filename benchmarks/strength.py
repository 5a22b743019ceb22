"""How strong players are: `python -m benchmarks.strength`, one row of a table for each game.

    python -m benchmarks.strength                                    # search:100 against random, every game for several
    python -m benchmarks.strength cribbage --a search:500 --b greedy
    python -m benchmarks.strength cribbage hearts --doubling 25 3200 # each number of games against half of it

Matches are those of `hoyle match` with the same seed, and so are the figures of so many deals; `--seconds` says for how long deals are begun in each match.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import partial

from hoyle.cli.commands.games import list_names
from hoyle.game.game import load
from hoyle.running.machine import Engine
from hoyle.series.match import Deal, Match, Outcome, play_match, summarize_match
from hoyle.series.workers import Workers


class Enough(Exception):
    """The time is up."""


def played(match: Match, deals: int, seconds: float, jobs: int) -> Outcome | None:
    """What a match comes to: of so many deals, or those begun in so long; None if there was not one."""
    until, done = time.monotonic() + seconds, list[Deal]()
    with suppress(Enough):
        play_match(load(match.game), match, deals, Workers(jobs), partial(_tick, until), done)
    return summarize_match(done) if done else None


def _tick(until: float, done: int) -> None:
    if time.monotonic() > until:
        raise Enough


def for_several() -> list[str]:
    """Shipped games and variants that somebody can win against somebody else."""
    return [name for name in list_names() if len(load(name).sides) > 1]


def pairs(given: argparse.Namespace) -> Iterator[tuple[str, str]]:
    """Who plays whom."""
    if given.doubling is None:
        yield given.a, given.b
        return
    low, high = given.doubling
    while 2 * low <= high:
        yield f"search:{2 * low}", f"search:{low}"
        low *= 2


def row(game: str, a: str, b: str, found: Outcome) -> str:
    wins, lead = found.wins, found.lead
    cells = [game, a, b, str(found.games)]
    cells += [f"{100 * wins.mean:.1f} % [{100 * wins.low:.1f} – {100 * wins.high:.1f}]", f"{100 * found.even:.0f} %"]
    cells += [f"{lead.mean:.2f} [{lead.low:.2f} – {lead.high:.2f}]".replace("-", "−")]
    return f"| {' | '.join(cells)} |"


def table(given: argparse.Namespace) -> Iterator[str]:
    yield "| game | A | B | games | wins of A | if equal | score of A over B |"
    yield "|---|---|---|---|---|---|---|"
    for game in given.names or for_several():
        for a, b in pairs(given):
            found = played(Match(game, (), given.seed, (a, b), given.engine), given.deals, given.seconds, given.jobs)
            yield row(game, a, b, found) if found else f"| {game} | {a} | {b} | 0 | | | |"


def asked(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME")
    parser.add_argument("--a", default="search:100", help="a kind of player")
    parser.add_argument("--b", default="random", help="whom it meets")
    parser.add_argument("--doubling", nargs=2, type=int, metavar=("FROM", "TO"), help="searches of more and more games")
    parser.add_argument("--deals", type=int, default=500, help="at most so many for a match")
    parser.add_argument("--seconds", type=float, default=45, help="for a match")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    engines: tuple[Engine, ...] = ("auto", "python", "native")
    parser.add_argument("--engine", choices=engines, default="auto")
    return parser.parse_args(arguments)


def main() -> None:
    for line in table(asked()):
        print(line, flush=True)


if __name__ == "__main__":
    main()
