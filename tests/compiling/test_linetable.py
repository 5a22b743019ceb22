"""Instructions of compiled code stand at the lines of the ruleset that they come from."""

import random
from collections.abc import Iterator
from types import CodeType

import pytest
from tiers import some_now

from hoyle.compiling.python import place_lines

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
    """The first line of this code and of all code within it, and the line of each of their instructions."""
    yield code.co_firstlineno
    for start, end, line in code.co_lines():
        yield from [line or None] * (end - start)
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from lines_of(part)


@pytest.mark.parametrize("further", some_now([0, 100_000, 1, 30, 31, 32, 63, 64, 2_000], 2))
def test_every_instruction_stands_where_it_comes_from(further: int) -> None:
    chance, written = random.Random(further), compile(TEXT, "game.yaml", "exec")
    for _ in range(5):
        origins = [line + chance.choice((0, further)) for line in chance.sample(range(1, LINES + 1), LINES)]
        moved = place_lines(written, origins)
        assert list(lines_of(moved)) == [origins[line - 1] if line else None for line in lines_of(written)]
        assert moved.co_code == written.co_code
