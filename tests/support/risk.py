"""A game of one choice, in which who wants to win and who wants points choose otherwise."""

from __future__ import annotations

from pathlib import Path

from interpreter import Game, load

RISK = """
ruleset: 1
game: risk
title: {en: Risk}
source: {text: A game of one choice., year: 2026}
notes: {§1: "A coin for sure wins; who stakes it, with either hand, gets twenty if a five or a six falls, and else the other gets one."}
players: {count: 2, seats: [A, B]}
use: [dice]
pieces: {die: {of: [faces], copies: 1, from: cup}}
piles: {cup: {holds: die}, thrown: {holds: die}}
state: {score: {each: player, range: 0..20}}
moves:
  keep:
    rule: {at: §1, en: "A coin is kept."}
    then: {mine: {score: 1, to: me}}
  stake:
    rule: {at: §1, en: "A coin is staked."}
    then:
      throw: {roll: 1, from: cup, to: thrown}
      won: {when: top(thrown).face.order >= 5, score: 20, to: me}
      lost: {when: top(thrown).face.order < 5, score: 1, to: opponent of me}
  stake otherwise:
    rule: {at: §1, en: "A coin is staked with the left hand."}
    like: stake
flow:
  game: {only: {by: A, choose: [keep, stake, stake otherwise]}}
result: {best: score of p}
"""
"""Staking wins a third of the games, and gains six points a game."""


def risk_at(folder: Path) -> Game:
    place = folder / "risk.yaml"
    place.write_text(RISK, encoding="utf-8")
    return load(place)
