"""A game in which one may do what one should not, and be called."""

from __future__ import annotations

from pathlib import Path

_RULES = """\
ruleset: 1
game: watched
title: Watched
source: {text: Two take stones; who can take two may not take one., year: 2026}
notes: {§1: Stones are taken in turn, §2: "What one should not do may be called, with the right word for it."}
players: {count: 2, seats: [A, B]}
tables:
  sorts: {rows: {stone: {}}}
  charges: {columns: {right: bool}, rows: {greed: {right: "false", en: greed, fr: trop}, thrift: {right: fault is two_first, en: thrift, fr: trop peu}}}
pieces: {stone: {of: [sorts], copies: 12, from: heap}}
piles: {heap: {}, box: {each: player}}
moves:
  take two: {en: take two, fr: en prendre deux, rule: {at: §1, en: Two are taken., fr: On en prend deux.}, if: {enough: count(heap) > 1}, then: {it: {move: heap, count: 2, to: box}}}
  take one: {en: take one, fr: en prendre une, rule: {at: §1, en: One is taken., fr: On en prend une.}, if: {enough: heap is not empty}, then: {it: {move: heap, count: 1, to: box}}}
  let it pass: {fr: laisser passer, rule: {at: §2, en: Nothing is said., fr: On ne dit rien.}}
  call:
    en: "“Stop!” {why}"
    fr: "« Halte ! » {why}"
    rule: {at: §2, en: A fault is called., fr: On relève une faute.}
    with: {why: charges}
    then:
      verdict:
        when: why.right
        do: {told: {say: {en: a fault it was, fr: c'était une faute}}, back: {take_back: last move}}
        else: {told: {say: {en: no such fault, fr: pas de faute}}}
obligations:
  two first: {en: two first, fr: deux d'abord, rule: {at: §1, en: Who can take two may not take one., fr: Qui peut en prendre deux n'en prend pas une.}, prefer: [take two], over: [take one], callable: "true"}
flow:
  game: {all: {turns: turn, from: A, until: heap is empty}}
  turn:
    stones:
      play: [take two, take one]
      obey: [two first]
      at_most: 2
      then:
        watch: {by: opponent, choose: [let it pass, call], unasked: let it pass}
        over: {when: heap is empty, leave: turn}
result: {best: count(box of p)}
"""


def watched_at(folder: Path) -> Path:
    """The file of its rules."""
    path = folder / "watched.yaml"
    path.write_text(_RULES, encoding="utf-8")
    return path
