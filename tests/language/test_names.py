"""Rows called like words of the language: they are meant where a row is expected, and words are what they are everywhere else."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter import State, load

RULES = """
ruleset: 1
game: names
title: Names
use: [french]
players: {count: 2, seats: [A, B]}
tables:
  ways: {rows: {up: {}, down: {}, first: {}, me: {}, opponent: {}, players: {}, count: {}, order: {}, move: {}}}
pieces: {card: {of: [ranks, suits], from: pack}}
piles: {pack: {}, heap: {}}
state: {way: {kind: ways}, mark: {each: ways, range: 0..9}, leader: {kind: player}}
moves: {go on: {rule: {at: 1, en: Play goes on.}}}
flow: {game: {asked: {by: A, choose: [go on]}}}
result: {best: mark of up}
"""


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> State:
    path = tmp_path_factory.mktemp("names") / "names.yaml"
    path.write_text(RULES, encoding="utf-8")
    return load(str(path)).position(
        {
            "at": "game / asked",
            "to_act": "A",
            "piles": {"heap": "4S 5S"},
            "state": {"leader": "B", "way": "me", "mark of first": 3, "mark of me": 4},
        }
    )


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("way is me", True),
        ("leader is me", False),
        ("way is opponent", False),
        ("leader is opponent", True),
        ("me", "A"),
        ("mark of me", 4),
        ("mark of first", 3),
        ("count(w for w in ways where w in (me, opponent))", 2),
        ("up(top(heap))", True),
        ("first(heap).rank", "four"),
        ("count(players)", 2),
        ("up < first", True),
        ("(w.order for w in ways where w is order)", [8]),
        ("way is ways.count", False),
    ],
)
def test_what_a_name_means(formula: str, value: Any, state: State) -> None:
    assert state.value(formula).plain == value
