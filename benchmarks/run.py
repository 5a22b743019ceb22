"""How fast is it? `python -m benchmarks.run` prints the tables that `benchmarks/README.md` explains.

Engines and hand-written games take turns in one process, a short while each, so that a busy machine slows all alike.
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import time
from array import array
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count, cycle
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import backgammon_baseline, cribbage_baseline, grabuge_baseline, hearts_baseline
from benchmarks.measuring import Work, by_hand, head, in_turns, row
from benchmarks.shows import FORMULA, PILES, SUITS, pack, shows_with
from benchmarks.shows_baseline import RANKS, show
from hoyle import Refused, load
from hoyle.game.evaluators import Evaluator
from hoyle.native.compiler import NoCompiler, find_compiler
from hoyle.native.engine import NativeMachine

ROOT = Path(__file__).resolve().parent.parent
FITS = "some t in tableau has fits(top(turned of A), t)"
HANDS = 500
BATCH = 20
GAMES = 10  # that the native engine plays at a time

Options = dict[str, Any]
Playout = Callable[[random.Random], object]


# ---- random games ----------------------------------------------------------------------------------------------------


def by_python(game: str, options: Options) -> Work:
    machine, index = load(game, options).machine, count()

    def work() -> int:
        machine.playout(0, next(index))
        return 1

    return work


def by_native(game: str, options: Options) -> Work | None:
    machine, first = load(game, options, engine="native").machine, count(0, GAMES)
    native = machine.native if isinstance(machine, NativeMachine) else None
    if native is None:
        return None

    def work() -> int:
        played, _ = native.series(0, next(first), GAMES)
        return len(played)

    return work


ENGINES: dict[str, Callable[[str, Options], Work | None]] = {"python": by_python, "native": by_native}
"""What plays a ruleset: a game with its options → the work; none where the engine is not there."""

BY_HAND = "by hand"
COLUMNS = [BY_HAND, *ENGINES]


def random_games(game: str, options: Options, playout: Playout | None) -> dict[str, Work]:
    found = {BY_HAND: by_hand(playout)} if playout is not None else {}
    works = {name: engine(game, options) for name, engine in ENGINES.items()}
    return found | {name: work for name, work in works.items() if work is not None}


# ---- hands counted ---------------------------------------------------------------------------------------------------


def shows() -> dict[str, Work]:
    """The same hands with their starters, again and again, in small batches; all hands with one starter as machine code."""
    stream, cribbage = random.Random(0), load("cribbage")
    dealt = [stream.sample(range(SUITS * RANKS), 5) for _ in range(HANDS)]
    piece = pack(cribbage)
    worth = cribbage.evaluator(FORMULA, *PILES)
    numbers = [([piece[card] for card in cards[:4]], [piece[cards[4]]]) for cards in dealt]
    found = {
        BY_HAND: counting(show, [(cards[:4], cards[4]) for cards in dealt]),
        "python": counting(worth, numbers),
    }
    return found | ({"native": at_once(worth, *shows_with(piece[0], piece))} if has_compiler() else {})


def has_compiler() -> bool:
    return not isinstance(find_compiler(), NoCompiler)


def at_once(worth: Evaluator, hands: memoryview, starters: array[int]) -> Work:
    worth.many(hands, starters)  # builds it
    return lambda: len(worth.many(hands, starters))


def counting(worth: Callable[[Any, Any], object], hands: list[tuple[Any, Any]]) -> Work:
    following = cycle([hands[start : start + BATCH] for start in range(0, len(hands), BATCH)])

    def work() -> int:
        for hand, starter in next(following):
            worth(hand, starter)
        return BATCH

    return work


MEASURED: dict[str, Callable[[], dict[str, Work]]] = {
    "grabuge": partial(random_games, "grabuge", {}, grabuge_baseline.playout),
    "grabuge-4-packs": partial(random_games, "grabuge", {"decks": 4}, partial(grabuge_baseline.playout, packs=4)),
    "grabuge-8-packs": partial(random_games, "grabuge", {"decks": 8}, partial(grabuge_baseline.playout, packs=8)),
    "cribbage": partial(random_games, "cribbage", {}, cribbage_baseline.playout),
    "backgammon": partial(random_games, "backgammon", {}, backgammon_baseline.playout),
    "hearts": partial(random_games, "hearts", {}, hearts_baseline.playout),
    "cribbage-shows": shows,
}


def compared(names: list[str], seconds: float) -> Iterator[str]:
    """A line for each; a game that nobody wrote by hand is compared with the first engine."""
    yield head("a second", COLUMNS)
    for name in names:
        works = MEASURED[name]() if name in MEASURED else random_games(name, {}, None)
        yield row(name, COLUMNS, in_turns(works, seconds))


# ---- formulas and commands -------------------------------------------------------------------------------------------


def formulas(seconds: float) -> Iterator[str]:
    game = load("grabuge")
    holds = game.evaluator(FITS, "turned of A", "tableau at 1", "tableau at 2")
    card, one, two = ([game.piece(sign)] for sign in ("8H", "4C", "7D"))

    def work() -> int:
        holds(card, one, two)
        return 1

    found = in_turns({"formula": work}, seconds)["formula"].a_second
    yield f"{'formulas a second':28}{found:12,.0f}   {FITS}"


def command(*arguments: str) -> float:
    """Seconds until a command has ended."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-m", "hoyle", *arguments], cwd=ROOT, capture_output=True, check=True)
    return time.perf_counter() - start


def commands(times: int) -> Iterator[str]:
    for arguments in (["--help"], ["validate", "grabuge"], ["validate", "rulesets"]):
        taken = median(command(*arguments) for _ in range(times))
        yield f"{'hoyle ' + ' '.join(arguments):28}{1000 * taken:12.0f} ms"


def everything(seconds: float) -> Iterator[str]:
    yield from compared(list(MEASURED), seconds)
    yield from formulas(seconds)
    yield from commands(max(3, round(seconds)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    known = ", ".join(MEASURED)
    parser.add_argument(
        "game",
        nargs="*",
        help=f"only these: {known}, or any other ruleset (default: all of them, formulas and commands)",
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each measurement (default: 1)")
    arguments = parser.parse_args()
    lines = compared(arguments.game, arguments.seconds) if arguments.game else everything(arguments.seconds)
    try:
        for line in lines:
            print(line, flush=True)
    except Refused as refused:
        parser.error(str(refused))


if __name__ == "__main__":
    main()
