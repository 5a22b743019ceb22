"""All shows of Cribbage, counted: `python -m benchmarks.shows`.

The ruleset's own formula, `worth(hand of A)`, for each of the 12,994,800 hands of four with their starter, as machine code; beside it, in turns,
some of the same hands by the program written by hand (`shows_baseline`). Time is that of the processor: on a busy machine a wait of one is not the other's.
"""

from __future__ import annotations

import time
from array import array
from collections import Counter
from collections.abc import Iterator
from itertools import chain, combinations
from statistics import median
from typing import Any

from benchmarks.shows_baseline import RANKS, show
from hoyle.game.evaluators import Evaluator
from hoyle.game.game import Game, load

FORMULA, PILES = "worth(hand of A)", ("hand of A", "starter")
SUITS = 4
BESIDE = 1000
"""Hands that the program written by hand counts in each turn."""


def pack(game: Game) -> list[int]:
    """The number of each card; they come in the order of `shows_baseline`."""
    return [game.piece("A23456789TJQK"[card % RANKS] + "SHDC"[card // RANKS]) for card in range(SUITS * RANKS)]


def shows_with(starter: int, pieces: list[int]) -> tuple[memoryview, array[int]]:
    """All hands for one starter: a row of four numbers of pieces each, and the starter as often."""
    hands = array("i", chain.from_iterable(combinations([piece for piece in pieces if piece != starter], 4)))
    count = len(hands) // 4
    return memoryview(hands).cast("B").cast("i", (count, 4)), array("i", [starter]) * count


def all_shows(game: Game) -> Iterator[tuple[memoryview, array[int]]]:
    pieces = pack(game)
    for starter in pieces:
        yield shows_with(starter, pieces)


def distribution(worth: Evaluator, game: Game) -> Counter[int]:
    """How many shows are worth so much."""
    found: Counter[int] = Counter()
    for hands, starters in all_shows(game):
        found.update(worth.many(hands, starters))
    return found


def by_hand(hands: memoryview, starter: int, pieces: list[int]) -> float:
    """How many a second."""
    card = {piece: number for number, piece in enumerate(pieces)}
    rows: Any = hands.tolist()
    dealt = [[card[piece] for piece in row] for row in rows[:: len(rows) // BESIDE]]
    begun = time.process_time()
    for hand in dealt:
        show(hand, card[starter])
    return len(dealt) / (time.process_time() - begun)


def main() -> None:
    game = load("cribbage")
    worth = game.evaluator(FORMULA, *PILES)
    found: Counter[int] = Counter()
    rates, ratios = [], []
    worth.many(*shows_with(pack(game)[0], pack(game)))  # builds it
    for hands, starters in all_shows(game):
        begun = time.process_time()
        values = worth.many(hands, starters)
        rates.append(len(values) / (time.process_time() - begun))
        ratios.append(rates[-1] / by_hand(hands, starters[0], pack(game)))
        found.update(values)
    for points, count in sorted(found.items()):
        print(f"{points:6}{count:12,}")
    total = sum(found.values())
    print(f"{total:,} shows, mean {sum(points * count for points, count in found.items()) / total:.6f}")
    print(f"{median(rates):,.0f} a second, {median(ratios):.0f} times the program written by hand")


if __name__ == "__main__":
    main()
