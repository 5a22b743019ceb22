"""A game so short that many are played in a moment, for series. Luck is dealt, and whoever always takes much does best."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

GATHERING = """\
ruleset: 1
game: gathering
title: {en: Gathering}
source: {text: A short game., year: 2026}
notes: {§1: "Two cards of luck are dealt; then each takes much, or one.", §2: "It is short."}
players: {count: 2..4, seats: [A, B, C, D], default: 2}
options: {gain: {range: 1..3, default: 2, en: gain}, rounds: {range: 1..5, default: 2, en: rounds}}
constraints: {not too long: {is: gain * rounds <= 10, at: §2, en: It would be too long.}}
tables: {ranks: {columns: {worth: 0..3}, rows: {bad: {worth: 0}, fair: {worth: 2}, good: {worth: 3}}}}
pieces: {card: {of: [ranks], from: pack, copies: 4}}
piles: {pack: {face: down}, luck: {each: player, face: up}}
state: {score: {each: player, range: 0..99}}
moves:
  take much: {rule: {at: §1, en: Take much.}, then: {more: {score: gain, to: me}}}
  take one: {rule: {at: §1, en: Or one.}, then: {more: {score: 1, to: me}}}
flow:
  game:
    shuffle: {shuffle: pack}
    lucky: {deal: pack, count: 2, to: luck, from: A}
    gather: {turns: turn, from: A, rounds: rounds}
    count: {for: p in players, score: sum(c.rank.worth for c in luck of p), to: p}
  turn: {ask: {choose: [take much, take one]}}
result: {best: score of p}
"""
FEWEST = {"best: score of p": "best: -score of p, score: score of p"}
"""The fewest points win."""
SIDES = {
    "2..4,": "4, sides: {AC: [A, C], BD: [B, D]},",
    ", default: 2}\noptions": "}\noptions",
    "best: score of p": "best: sum(score of q for q in members(p))",
}
"""Two sides of two."""


def gathering_at(folder: Path, changes: Mapping[str, str] | None = None) -> str:
    """Write the game, with these texts replaced, and return its path."""
    text = GATHERING
    for old, new in (changes or {}).items():
        assert old in text
        text = text.replace(old, new)
    place = folder / "gathering.yaml"
    place.write_text(text, encoding="utf-8")
    return str(place)
