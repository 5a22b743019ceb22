"""A patience so small that every way is known: the blue stone lies on the red one, and the red one must leave first. Only chance can bring that about."""

from __future__ import annotations

from pathlib import Path

from interpreter import Game, load

REDS = """
ruleset: 1
game: reds
title: {en: Reds}
source: {text: A patience with two stones., year: 2026}
notes: {§1: "The stones are mixed as often as one likes, and taken from the top; the red one is to be first."}
players: {count: 1, seats: [A]}
tables: {colours: {rows: {red: {}, blue: {}}}}
pieces: {stone: {of: [colours], from: heap}}
piles: {heap: {}, gone: {}}
moves:
  mix:
    rule: {at: §1, en: "The stones are mixed."}
    if: {two: count(heap) is 2}
    then: {again: {shuffle: heap}}
  take:
    rule: {at: §1, en: "The stone on top is taken."}
    take: heap
    put: gone
flow:
  game: {go: {by: A, at_most: 40, play: [take, mix]}}
result: {best: count(gone), won: gone is not empty and bottom(gone).colour is red}
"""


def reds_at(folder: Path) -> Game:
    place = folder / "reds.yaml"
    place.write_text(REDS, encoding="utf-8")
    return load(place)
