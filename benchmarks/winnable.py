"""How many deals of a patience can be won by somebody who knows all cards, those that lie face down, too: `python -m benchmarks.winnable GAME`.

    python -m benchmarks.winnable freecell --set cells=1,2,3,4 --games 100 --jobs 2
    python -m benchmarks.winnable klondike --states 5000000 --games 200

A deal that is won has been played to its end; one that cannot be won has been gone through, all that may come of it, within the rules as they stand. Of others it was not found
out by looking at so many states. Deals of the same number are those of `hoyle simulate`; the same seed and number of states find the same.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from hoyle import Game, load
from hoyle.players.search.win_search import decide_winnable
from hoyle.series.measures import measure_share
from hoyle.series.plots import Intervals, Line, Plot, draw_plot
from hoyle.series.variants import Axis, Variant, make_grid
from hoyle.series.workers import Workers, run_tasks

Count = Counter[bool | None]
KINDS = {True: "won", False: "cannot be won", None: "not known"}


def opened(edition: Variant, engine: str) -> Game:
    return load(edition.game, dict(edition.options), engine=engine)  # type: ignore[arg-type]


def deal(game: Game, seed: int, states: int, index: int) -> bool | None:
    return decide_winnable(game.compiled, game.start(seed, index).core, seed, states)


def worker(edition: Variant, given: argparse.Namespace) -> Callable[[int], bool | None]:
    """What a process does: it opens the game once."""
    return partial(deal, opened(edition, given.engine), given.seed, given.states)


def counted(edition: Variant, given: argparse.Namespace) -> Count:
    here = worker(edition, given)
    return Counter(run_tasks(here, partial(worker, edition, given), range(given.games), Workers(given.jobs)))


def table(given: argparse.Namespace) -> Iterator[str]:
    """Also draws it, if that is wanted."""
    yield "| | won | cannot be won | not known | a perfect player wins |"
    yield "|---|---|---|---|---|"
    found: dict[str, Count] = {}
    for edition in make_grid(given.game, given.set).editions:
        found[called(edition)] = counted(edition, given)
        yield row(edition, found[called(edition)])
    if given.plot:
        Path(given.plot).write_bytes(
            draw_plot(plot(given.game, found), "png" if given.plot.endswith(".png") else "svg")
        )


def plot(game: str, found: Mapping[str, Count]) -> Plot:
    lines = [line for group, key in enumerate(KINDS) for line in _lines(found, key, group)]
    panel = Intervals("95 % intervals", tuple(lines), "% of deals", groups=tuple(KINDS.values()))
    return Plot(f"{game}: what can be won by who knows all cards", (panel,))


def _lines(found: Mapping[str, Count], key: bool | None, group: int) -> Iterator[Line]:
    for name, count in found.items():
        part = measure_share(count[key], sum(count.values()))
        yield Line(name, 100 * part.mean, 100 * part.low, 100 * part.high, key is not None, group)


def called(edition: Variant) -> str:
    return ", ".join(f"{name}={value}" for name, value in edition.options) or edition.game


def row(edition: Variant, found: Count) -> str:
    """The last column: from the least that is likely if no other deal can be won, to the most if all others can."""
    games = sum(found.values())
    won, lost = measure_share(found[True], games), measure_share(found[False], games)
    counts = " | ".join(str(found[key]) for key in KINDS)
    return f"| {called(edition)} | {counts} | {100 * won.low:.1f} to {100 * (1 - lost.low):.1f} % |"


def axis(text: str) -> Axis:
    name, _, values = text.partition("=")
    return name, tuple(map(_value, values.split(",")))


def _value(text: str) -> Any:
    return {"true": True, "false": False}.get(text, int(text) if text.isdigit() else text)


def asked(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--set", action="append", type=axis, default=[], metavar="OPTION=VALUE,…")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--states", type=int, default=1_000_000, help="looked at in each deal, at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--plot", metavar="FILE", help="SVG or PNG, drawn by matplotlib")
    parser.add_argument("--engine", choices=("auto", "python", "native"), default="native")
    return parser.parse_args(arguments)


def main() -> None:
    for line in table(asked()):
        print(line, flush=True)


if __name__ == "__main__":
    main()
