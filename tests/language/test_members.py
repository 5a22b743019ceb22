"""Which member of a family a key names: players, rows, pairs, numbers that do not begin at 1, pieces of several kinds."""

import random

import pytest
from everything import position, world
from oracle import CARD, ME, OTHER, checked, compiled, setting
from rules import read_cases

from hoyle.language.evaluate import evaluate

CASES = read_cases("language/members")

PLACES = CASES["places"]


@pytest.mark.parametrize(("section", "formula", "member"), PLACES)
def test_the_member_that_a_key_names(section: str, formula: str, member: int) -> None:
    family = getattr(world(), section)[formula.removeprefix("last(").removeprefix("first(").split()[0]]
    at = position(random.Random(1))
    coin = world().pieces["coin"]
    at.piles[world().piles["bank"].base] = [2 * (coin.base + 1) + 1]
    marked = family.base + member
    if section == "state":
        at.cells[:] = [0] * len(at.cells)
        at.cells[marked] = 1
    expr, problems = checked(formula)
    assert not problems.errors
    values = (
        evaluate(expr, setting(at), {ME: 0, CARD: 0, OTHER: 0}),
        compiled(expr, inlined=False)[0](at.piles, at.cells, 0, 0, 0),
    )
    assert values == ((marked, marked) if section == "piles" else (1, 1))


ABSENT = ("taker at 1", "taker at 6", "laid of top(bank) of 2", "spot at 0", "spot at 5")
NUMBERED = ("index(spot at 1) is 1", "every n in 1..4 has index(spot at n) is n")


@pytest.mark.parametrize("formula", [*NUMBERED, *(f"({member}) is none" for member in ABSENT)])
def test_piles_are_numbered_and_other_members_are_absent(formula: str) -> None:
    expr, problems = checked(formula)
    assert not problems.errors
    at = position(random.Random(1))
    assert evaluate(expr, setting(at), {ME: 0, CARD: 0, OTHER: 0}) is True
    assert compiled(expr, inlined=False)[0](at.piles, at.cells, 0, 0, 0) is True
