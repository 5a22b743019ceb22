"""Piles that lose all their pieces one after another, which may leave at once; and that they come where they would have come one by one."""

from __future__ import annotations

import ast

import pytest
from engines import engine, with_compiler
from games import game

from interpreter.native.leaving import emptied_by

MOVES = "move_pieces(s, (c,), (10,), 11 + C[c >> 1], -1, 3)"
LOOP = f"for c in tuple(P[10]): {MOVES}"
CASES = {
    "each goes where it belongs": (LOOP, ("10", "11 + C[c >> 1]")),
    "a pile that is worked out": (LOOP.replace("10", "4 + C[2]"), ("4 + C[2]", "11 + C[c >> 1]")),
    "where it goes depends on what lies there": (LOOP.replace("C[c >> 1]", "len(P[4])"), None),
    "where it goes is asked of a function": (LOOP.replace("C[c >> 1]", "t0_place(P, C, -1, c)"), None),
    "another pile": (LOOP.replace("(10,)", "(12,)"), None),
    "two piles": (LOOP.replace("(10,)", "(10, 12)"), None),
    "another piece": (LOOP.replace("(c,)", "(d,)"), None),
    "only so many": (LOOP.replace("-1", "1"), None),
    "something more": (f"for c in tuple(P[10]):\n    {MOVES}\n    n += 1", None),
    "the pile itself": (LOOP.replace("tuple(P[10])", "P[10]"), None),
    "what is listed": (LOOP.replace("P[10]", "xs"), None),
}


@pytest.mark.parametrize(("text", "found"), CASES.values(), ids=CASES)
def test_piles_that_are_emptied(text: str, found: tuple[str, str] | None) -> None:
    loop = ast.parse(text).body[0]
    assert isinstance(loop, ast.For)
    emptied = emptied_by(loop)
    assert (emptied and tuple(map(ast.unparse, emptied))) == found


@with_compiler
def test_with_events_and_without_them_the_same_pieces_come_there() -> None:
    """Where events are told, pieces leave one by one; else all at once."""
    python, native = game("cribbage").machine, engine("cribbage")
    for seed in range(20):
        ours, _ = python.playout(seed, most=40)
        for log in (False, True):
            theirs = native.playout(seed, 0, 40, log=log)
            assert theirs is not None
            assert theirs[0].key() == ours.key()
