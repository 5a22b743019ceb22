"""Functions that give several numbers, each of which is asked for by its place, make no list of them."""

from __future__ import annotations

import ast

import pytest

from interpreter.native.forms import Body
from interpreter.native.several import kept_apart, several

GIVES = "return (1, n, 3)"
ASKS = "v = f(P)\nk = v[0] + v[2]"


def body(name: str, text: str) -> Body:
    return Body(name, ["P"], ast.parse(text).body, "a.yaml", [])


CASES = {
    "asked for by places": (GIVES, ASKS, 3),
    "gives as many in each case": (f"if n:\n    return (4, 5, 6)\n{GIVES}", ASKS, 3),
    "asked twice": (GIVES, f"{ASKS}\n{ASKS}", 3),
    "never asked": (GIVES, "k = 1", 3),
    "gives others as well": (f"if n:\n    return (4, 5)\n{GIVES}", ASKS, None),
    "gives what is a list elsewhere": (f"if n:\n    return xs\n{GIVES}", ASKS, None),
    "gives what is put together": ("return (1, *xs, 3)", ASKS, None),
    "asked for a place that is not there": (GIVES, f"{ASKS}\nk = v[3]", None),
    "asked for the last": (GIVES, f"{ASKS}\nk = v[-1]", None),
    "asked for a place that is worked out": (GIVES, f"{ASKS}\nk = v[n]", None),
    "gone through": (GIVES, f"{ASKS}\nfor k in v: n = k", None),
    "kept": (GIVES, f"{ASKS}\nk = v", None),
    "changed": (GIVES, f"{ASKS}\nv[0] = 1", None),
    "one name for two": (GIVES, f"{ASKS}\nv = g(P)", None),
    "asked for at once": (GIVES, "k = f(P)[0]", None),
    "asked in a condition, too": (GIVES, f"{ASKS}\nif f(P): k = 1", None),
}


@pytest.mark.parametrize(("gives", "asks", "size"), CASES.values(), ids=CASES)
def test_numbers_that_are_given_apart(gives: str, asks: str, size: int | None) -> None:
    bodies = {"f": body("f", gives), "g": body("g", "return (1,)"), "b1": body("b1", asks)}
    found = several(bodies, {"f": "L"}, ())
    assert found == ({"f": size} if size else {})
    assert set(kept_apart(bodies["b1"], found)) == ({"v"} if size and "v" in asks else set())


def test_what_is_called_by_its_row_or_gives_a_number_is_left_alone() -> None:
    bodies = {"f": body("f", GIVES), "b1": body("b1", ASKS)}
    assert several(bodies, {"f": "L"}, ["f"]) == {}
    assert several(bodies, {"f": "I"}, ()) == {}
