"""Branches that are written as sums and choices, which no processor has to guess."""

from __future__ import annotations

import ast

import pytest

from interpreter.language.ir import NO_NUMBER
from interpreter.native.guessless import counted_if, counted_in, lesser, looked_up


def branch(text: str) -> ast.If:
    found = ast.parse(text).body[0]
    assert isinstance(found, ast.If)
    return found


COUNTED = {
    "compares numbers": ("if v == A[c]: n += 1", "n"),
    "compares with a constant": ("if v > 2: n += 1", "n"),
    "calls something": ("if f(v) > 2: n += 1", None),
    "compares what is worked out": ("if v + 1 == A[c]: n += 1", None),
    "asks for two things": ("if v == 1 and w == 2: n += 1", None),
    "looks whether it is there": ("if v in xs: n += 1", None),
    "adds more": ("if v == 1: n += 2", None),
    "takes away": ("if v == 1: n -= 1", None),
    "adds elsewhere": ("if v == 1: C[3] += 1", None),
    "does more": ("if v == 1:\n    n += 1\n    m = 2", None),
    "does something otherwise": ("if v == 1: n += 1\nelse: n += 2", None),
}


@pytest.mark.parametrize(("text", "name"), COUNTED.values(), ids=COUNTED)
def test_branches_that_count(text: str, name: str | None) -> None:
    assert counted_if(branch(text)) == name


LOOPS = {
    "how often a list has it": ("for x in xs:\n    if x == 15: n += 1", "n"),
    "what is not it": ("for x in xs:\n    if x != 15: n += 1", None),
    "another number": ("for x in xs:\n    if y == 15: n += 1", None),
    "what may change": ("for x in xs:\n    if x == n: n += 1", None),
    "something more": ("for x in xs:\n    if x == 15: n += 1\n    m = x", None),
    "more at once": ("for x in xs:\n    if x == 15: n += x", None),
}


@pytest.mark.parametrize(("text", "name"), LOOPS.values(), ids=LOOPS)
def test_loops_that_count(text: str, name: str | None) -> None:
    found = ast.parse(text).body[0]
    assert isinstance(found, ast.For)
    counted = counted_in(found)
    assert (counted and (counted[0], ast.unparse(counted[1]))) == (name and (name, "15"))


LESSER = {
    "the lesser": (f"if b == {NO_NUMBER} or v < b: b = v", ("b", "v")),
    "the greater": (f"if b == {NO_NUMBER} or v > b: b = v", None),
    "another beginning": ("if b == 0 or v < b: b = v", None),
    "what is not looked up": (f"if b == {NO_NUMBER} or w < b: b = w", None),
    "compared with another": (f"if b == {NO_NUMBER} or v < d: b = v", None),
    "set to another": (f"if b == {NO_NUMBER} or v < b: b = d", None),
    "something otherwise": (f"if b == {NO_NUMBER} or v < b: b = v\nelse: d = v", None),
}


@pytest.mark.parametrize(("text", "names"), LESSER.values(), ids=LESSER)
def test_the_lesser_of_two(text: str, names: tuple[str, str] | None) -> None:
    assert lesser(branch(text), {"v", "d"}) == names


def test_what_stands_in_tables_is_of_32_bits() -> None:
    text = "v = A[c]\nw = A[c]\nw = w + 1\nfor u in A: u = A[c]\nx = C[3]\ny = A[c]\ny = A[d]"
    assert looked_up(ast.parse(text).body, {"A"}) == {"v", "y"}
