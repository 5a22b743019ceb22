"""Members of families by their keys, and whole numbers as people write them."""

import random

import pytest
from everything import position, world
from oracle import CARD, ME, OTHER, checked, compiled, setting
from rules import find_rules, read_cases

from hoyle import load
from hoyle.diagnostics import Refused
from hoyle.language.evaluate import evaluate
from hoyle.language.syntax import parse_integer

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


LONG = "9" * 5000
NO_NUMBERS = ("", "-", "--1", "+1", "²", "٣", "1.0", "1e3", " 1", "1_000", "0x1", "9" * 19, LONG, f"-{LONG}")


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("007", 7), ("-12", -12), ("9" * 18, 10**18 - 1), *((text, None) for text in NO_NUMBERS)],
)
def test_a_text_is_a_whole_number_or_none(text: str, number: int | None) -> None:
    assert parse_integer(text) == number


@pytest.mark.whole
def test_options_and_players_are_such_numbers() -> None:
    ruleset = find_rules("language/packs")
    assert load(ruleset, {"decks": "2", "players": "3"}).options == {"decks": 2, "players": 3}
    for option in ("decks", "players"):
        for text in ("", "٣", "1.0", LONG, f"-{LONG}"):
            with pytest.raises(Refused) as refused:
                load(ruleset, {option: text})
            assert {d.code for d in refused.value.diagnostics} <= {"R611", "R610"}
