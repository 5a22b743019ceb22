"""Obligations over some moves of a decision, beside moves with other bindings."""

from __future__ import annotations

from pathlib import Path

from interpreter import load

RULES = """
ruleset: 1
game: cards and dice
title: Cards and dice
use: [french, dice]
players: {count: 1, seats: [A]}
pieces:
  card: {of: [ranks, suits], from: pack}
  die: {of: [faces], copies: 2, from: cup}
piles:
  pack: {holds: card}
  heap: {holds: card}
  cup: {holds: die}
  board: {holds: die}
moves:
  lay: {rule: {at: 1, en: A}, take: cards(pack), put: heap}
  place: {rule: {at: 1, en: B}, take: cards(cup), put: board}
obligations:
  hearts: {rule: {at: 1, en: C}, prefer: card.suit is hearts, over: [lay]}
flow:
  game: {laid: {by: A, choose: [lay, place], obey: [hearts]}}
result: {best: count(heap)}
"""


def test_what_another_move_is_bound_to_is_absent_where_it_is_of_another_kind(tmp_path: Path) -> None:
    file = tmp_path / "cards-and-dice.yaml"
    file.write_text(RULES, encoding="utf-8")
    start = {"at": "game / laid", "to_act": "A", "piles": {"pack": "2H 3S", "cup": "6"}}
    assert [move.id for move in load(str(file)).position(start).moves()] == ["lay 2H", "place 6"]
