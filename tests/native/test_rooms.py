"""Lists that are made anew whenever a loop goes round need not be kept for the next time; those that are found once must be."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from interpreter.language.kinds import Piece
from interpreter.native.constants import told
from interpreter.native.rooms import set_before_used

CASES = {
    "set and then used": ("v = []\nv.append(1)", True),
    "used and then set": ("v.append(1)\nv = []", False),
    "set to what it was with more": ("v = v + [1]", False),
    "added to": ("v += [1]", False),
    "found once": ("if not done:\n    v = [1]\n    done = 1\nw = v[0]", False),
    "set on either way, each for itself": ("if done:\n    v = [1]\n    w = v\nelse:\n    v = [2]\n    w = v", True),
    "set on one way only, used on the other": ("if done:\n    v = [1]\nelse:\n    w = v", False),
    "used in the condition": ("if v:\n    v = [1]", False),
    "gone through": ("for v in many:\n    w = v", True),
    "gone through, and used after": ("for v in many:\n    w = v\nw = v", False),
    "gone through where it is": ("for w in v:\n    v = []", False),
    "set in a loop within": ("for w in many:\n    v = []\n    v.append(w)", True),
    "set in a loop within, used after": ("for w in many:\n    v = []\nw = v", False),
    "set in a loop without end": ("while True:\n    v = [1]\n    break", True),
    "set in a loop without end, used after": ("while True:\n    v = [1]\n    break\nw = v", False),
    "used in a loop without end": ("while True:\n    w = v\n    v = [1]", False),
    "not there at all": ("w = 1", True),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_a_list_is_set_before_it_is_used(text: str, expected: bool) -> None:
    assert set_before_used(ast.parse(dedent(text)).body, "v") is expected


def test_constants_are_told_in_an_order_that_is_always_the_same() -> None:
    """What two processes write differently would be built by each of them; no C is written from kinds."""
    kinds = Piece("card", frozenset({"hand", "heap", "pack"}))
    assert told({"A_1": (1, 2), "K_2": kinds, "w_top": len, "HITS": [3]}) == "A_1 = (1, 2)"
