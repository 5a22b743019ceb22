"""Which lists of a function need not be made: sums of subsets that only grow by doubling, and subsets that are only gone through."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from interpreter.native.doubling import sums
from interpreter.native.subsets import Walk, walks

DOUBLE = "v += [x + w for x in v]"
GROWING = {
    "begins as one 0 and doubles": (f"v = [0]\nfor w in many:\n    {DOUBLE}\nfor x in v:\n    n = x", {"v"}),
    "goes through what is worked out": (f"v = [0]\nfor w in found(many):\n    {DOUBLE}", {"v"}),
    "two of them": ("v = [0]\nu = [0]\nv += [x + w for x in v]\nu += [x + w for x in u]", {"u", "v"}),
    "only begins": ("v = [0]", {"v"}),
    "begins as something else": (f"v = [1]\n{DOUBLE}", set()),
    "begins as two": (f"v = [0, 0]\n{DOUBLE}", set()),
    "begins anew": (f"v = [0]\n{DOUBLE}\nv = [0]", {"v"}),
    "is set to another list": (f"v = [0]\n{DOUBLE}\nv = u", set()),
    "grows by another list": ("v = [0]\nu = [1]\nv += [x + w for x in u]", set()),
    "grows by some": ("v = [0]\nv += [x + w for x in v if x]", set()),
    "grows by what is no sum": ("v = [0]\nv += [x - w for x in v]", set()),
    "grows by a sum of two others": ("v = [0]\nv += [w + x for x in v]", set()),
    "is looked at": (f"v = [0]\n{DOUBLE}\nn = v[0]", set()),
    "is given to another": (f"v = [0]\n{DOUBLE}\nn = len(v)", set()),
    "is gone through in a list": (f"v = [0]\n{DOUBLE}\nu = [x for x in v]", {"v"}),
}


@pytest.mark.parametrize(("text", "expected"), GROWING.values(), ids=GROWING)
def test_sums_that_double(text: str, expected: set[str]) -> None:
    assert sums(ast.parse(dedent(text)).body) == expected


MADE = "v = w_subsets(P, items)"
WALKED = {
    "gone through": (f"{MADE}\nfor s in v:\n    n = len(s)", True),
    "gone through twice": (f"{MADE}\nfor s in v:\n    n = len(s)\nfor t in v:\n    n = len(t)", True),
    "not gone through": (MADE, False),
    "counted too": (f"{MADE}\nfor s in v:\n    n = 1\nn = len(v)", False),
    "a subset is kept": (f"{MADE}\nfor s in v:\n    k.append(s)", False),
    "two at a time": (f"{MADE}\nfor s, t in v:\n    n = 1", False),
    "of another word": ("v = w_pairs(P, items)\nfor s in v:\n    n = len(s)", False),
}


@pytest.mark.parametrize(("text", "walked"), WALKED.values(), ids=WALKED)
def test_subsets_that_are_gone_through(text: str, walked: bool) -> None:
    found = walks(ast.parse(dedent(text)).body, {"v": "LL", "s": "L", "t": "L", "k": "LL", "n": "I"}, {})
    assert [*found] == ["v"] * walked
    for walk in found.values():
        assert isinstance(walk, Walk)
        assert (ast.unparse(walk.of), walk.size, walk.tails) == ("items", None, False)
