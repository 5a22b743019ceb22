"""Subsets of a pile that are only chosen from are counted, and listed when one is taken or all are shown."""

from __future__ import annotations

import ast
from textwrap import indent

import pytest
from engines import engine, with_compiler
from games import game
from tiers import sized, some_now

from interpreter.native.rewriting import rewritten

LISTED = "v = w_subsets(P, P[4 + me], 2)\nacts += [(7, c,) for c in v]"
ASKED = "if not acts: return 3\ns.acts = acts; s.actor = me; s.pc = 5\nreturn -1"
KEPT = {
    "some are left out": f"{LISTED}\ngood = [a for a in acts if a[1]]\nacts = good",
    "it is asked how many they are": f"{LISTED}\nif len(acts) > 2: n = 1",
    "others are added": f"{LISTED}\nacts.append((8,))",
    "others come before": f"acts.append((8,))\n{LISTED}",
    "of what is put together": LISTED.replace("P[4 + me]", "[*P[4], *P[5]]"),
    "of a size that is not known": LISTED.replace("2)", "n)"),
    "of none": LISTED.replace("2)", "0)"),
    "of any size": LISTED.replace(", 2)", ")"),
    "with something beside": LISTED.replace("(7, c,)", "(7, c, 1,)"),
    "only some of them": LISTED.replace("for c in v", "for c in v if f(c)"),
    "of others": LISTED.replace("for c in v", "for c in w"),
}


def made(text: str) -> str:
    function = ast.parse(f"def b5(s):\n{indent(f'acts = []{chr(10)}{text}{chr(10)}{ASKED}', '    ')}").body[0]
    assert isinstance(function, ast.FunctionDef)
    return ast.unparse(rewritten(function))


def test_subsets_that_are_only_chosen_from_are_listed_later() -> None:
    found = made(LISTED)
    assert "acts = later(7, 4 + me, 2)" in found
    assert "w_subsets" not in found


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT)
def test_others_are_listed(text: str) -> None:
    assert "later(" not in made(text)


@with_compiler
@pytest.mark.parametrize("name", some_now(["cribbage", "hearts"], 1))
@pytest.mark.slow
def test_the_one_that_is_taken_is_the_one_of_its_number(name: str) -> None:
    """A random game is played to a decision without coming back, so that only what is taken is listed before; all that may be taken then are shown."""
    python, native = game(name).machine, engine(name)
    taken = set()
    for seed in range(sized(20, 200)):
        for most in range(6):
            ours, _ = python.playout(seed, most=most)
            theirs = native.playout(seed, 0, most, log=False)
            assert theirs is not None
            assert (theirs[0].key(), theirs[0].acts) == (ours.key(), ours.acts)
            taken.add(str(ours.acts[0]))
    assert len(taken) > 20
