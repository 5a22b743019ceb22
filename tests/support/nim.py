"""A game so small that the right move is known: who leaves four stones, or eight, wins."""

from __future__ import annotations

from pathlib import Path

from interpreter import Game, load

NIM = """
ruleset: 1
game: nim
title: {en: Nim}
source: {text: A game with nine stones., year: 2026}
notes: {§1: "One, two or three stones in turn; whoever takes the last one wins."}
players: {count: 2, seats: [A, B]}
pieces: {stone: {copies: 9, from: heap}}
piles: {heap: {}, gone: {}}
state: {last: {kind: player, optional: true}}
moves:
  take stones:
    rule: {at: §1, en: "One, two or three stones are taken."}
    with: {n: 1..3}
    if: {are there: n <= count(heap)}
    then: {off: {move: "first(heap, n)", from: heap, to: gone}, mine: {set: {last: me}}}
flow:
  game: {go: {turns: take, from: A, until: heap is empty}}
  take: {taking: {choose: [take stones]}}
result: {best: if last is p then 1 else 0}
"""


def nim_at(folder: Path) -> Game:
    place = folder / "nim.yaml"
    place.write_text(NIM, encoding="utf-8")
    return load(place)
