"""Compiled code says that it stands where the ruleset does."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from interpreter.compiling.linetable import placed

TEXT = """
def first(P, C):
    found = [p for p in P if p in C]
    for piece in found:
        if piece > 2 and (
            piece < 5
            or not C
        ):
            return lambda: piece
    with C as c:
        found += c
    return 7


def second():
    return 3
"""
LINES = TEXT.count("\n")


def lines_of(code: CodeType) -> Iterator[int | None]:
    """Where this code and all within it begin, and the line of each of their instructions."""
    yield code.co_firstlineno
    for start, end, line in code.co_lines():
        yield from [line or None] * (end - start)
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from lines_of(part)


@pytest.mark.whole
@settings(max_examples=examples(3, 100, 33))
@given(st.permutations(range(1, LINES + 1)), st.integers(0, 100_000))
def test_every_instruction_stands_where_it_comes_from(order: list[int], further: int) -> None:
    origins = [line + further for line in order]
    written = compile(TEXT, "game.yaml", "exec")
    moved = placed(written, origins)
    assert list(lines_of(moved)) == [origins[line - 1] if line else None for line in lines_of(written)]
    assert moved.co_code == written.co_code
