"""A patience so small that all that may come of a deal can be gone through: eight stones in columns, which leave in order of their numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from interpreter import Game, State, load

STONES = """
ruleset: 1
game: stones
title: {en: Stones}
source: {text: A patience with eight stones., year: 2026}
notes: {§1: "Stones are dealt into columns and leave in order of their numbers; one may be laid aside, and a lower one upon a higher one."}
players: {count: 1, seats: [A]}
tables:
  numbers:
    columns: {weight: 1..8}
    rows:
      {one: {weight: 1}, two: {weight: 2}, three: {weight: 3}, four: {weight: 4}, five: {weight: 5}, six: {weight: 6}, seven: {weight: 7}, eight: {weight: 8}}
pieces: {stone: {of: [numbers], from: heap}}
piles: {heap: {face: down}, column: {columns: WIDE}, aside: {room: 1}, gone: {}}
moves:
  leave:
    rule: {at: §1, en: The next stone leaves.}
    take: [column, aside]
    put: gone
    if: {next: card.number.weight is count(gone) + 1}
  lay aside:
    rule: {at: §1, en: One stone may be laid aside.}
    take: column
    put: vacant(aside)
  lay upon:
    rule: {at: §1, en: A lower stone may be laid upon a higher one.}
    take: [column, aside]
    put: column
    if: {lower: to is not empty and card.number.weight < top(to).number.weight}
flow:
  game:
    mix: {shuffle: heap}
    deal: {for: n in 1..8, move: heap, count: 1, to: column at ((n - 1) mod WIDE + 1)}
    go: {by: A, at_most: 500, play: [leave, lay aside, lay upon]}
result: {best: count(gone), won: count(gone) is 8}
"""


def stones_at(folder: Path, wide: int = 3, **more: Any) -> Game:
    place = folder / "stones.yaml"
    place.write_text(STONES.replace("WIDE", str(wide)), encoding="utf-8")
    return load(place, **more)


def can_be_won(state: State) -> bool:
    """By going through all that may come."""
    seen, left = set[str](), [state]
    while left:
        one = left.pop()
        if one.winners:
            return True
        key = repr(one.core.piles)
        if key not in seen and not one.is_over:
            seen.add(key)
            left += [one.play(move) for move in one.moves()]
    return False
