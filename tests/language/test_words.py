"""Every word of the table with arguments of every kind: it is refused with a diagnostic, or both meanings agree."""

from __future__ import annotations

import random
from itertools import product

import everything
import pytest
from oracle import agree, checked
from tiers import in_tiers, spread

from interpreter.language.vocabulary import WORDS

VALUES = (
    "true",
    "3",
    "(-2)",
    "debt",
    "size",
    "(bid of hearts)",
    "none",
    "me",
    "partner",
    "pair(A, B)",
    "first(pairs)",
    "team",
    "ace",
    "best",
    "trump",
    "style",
    "c",
    "top(hand)",
    "top(box)",
    "shown",
    "fault",
)
LISTS = (
    "hand",
    "pack",
    "(tableau at debt)",
    "vacant(tableau)",
    "tableau",
    "reserve",
    "(tableau + tableau)",
    "ranks",
    "players",
    "others",
    "pairs",
    "(1..3)",
    "(3, none, debt)",
    "(5, 5)",
    "(trump, hearts)",
    "(partner, me)",
    "(shown, c)",
    "(vacant(tableau), pack)",
    "cards(tableau)",
    "kinds(hand)",
    "last(hand, 2)",
    "tails(last(pack, 3))",
    "subsets(players)",
    "subsets(players, 2)",
    "(flag of p for p in players)",
    "(x for x in hand where false)",
    "(hand + pack)",
    "(last(hand of p, 2) for p in players)",
    "((1..2), (3, 1))",
)
EMPTY = (
    *(f"(x for x in {lists[0]} where false)" for lists in everything.LISTS.values()),
    "(s for s in tails(hand) where false)",
)
"""Lists of every sort that have no item."""
FEW = ("true", "7", "none", "debt", "(bid of hearts)", "me", "team", "partner", "hand", "trump", "tableau", "(1..3)")


def judged(text: str) -> bool:
    """Was the formula accepted? Then it is sound; if not, something was said."""
    expr, problems = checked(text)
    if problems.errors:
        return False
    assert expr.kind.name != "unknown", f"{text}: refused without a word"
    agree(expr, random.Random(text), states=4)
    return True


@pytest.mark.parametrize("word", in_tiers(sorted(WORDS), quick=sorted(WORDS)[::2], whole=WORDS))
def test_a_word_with_one_argument_of_every_kind(word: str) -> None:
    found = [judged(f"{word}({one})") for one in VALUES + LISTS + EMPTY]
    assert not all(found)
    assert any(found) == (len(WORDS[word].takes) - WORDS[word].optional == 1)


@pytest.mark.whole
@pytest.mark.parametrize("word", spread(sorted(WORDS), 9))
def test_a_word_with_two_arguments_of_every_kind(word: str) -> None:
    takes_two = len(WORDS[word].takes) == 2 or WORDS[word].many
    pairs = product(VALUES + LISTS + EMPTY, FEW) if takes_two else zip(VALUES + LISTS, LISTS + VALUES, strict=True)
    found = [judged(f"{word}({one}, {two})") for one, two in pairs]
    assert any(found) == takes_two


@pytest.mark.parametrize("word", sorted(WORDS))
@pytest.mark.parametrize("arguments", ["", "3, debt, none", "hand, pack, tableau", "me, A, 3", "pair(A, B), 1, 1"])
def test_a_word_with_too_few_or_many(word: str, arguments: str) -> None:
    assert not judged(f"{word}({arguments})") or WORDS[word].many


FORMS = (
    "{0} is {1}",
    "{0} is not {1}",
    "{0} < {1}",
    "{0} in {1}",
    "{1} not in {0}",
    "{0} + {1}",
    "{0} - {1}",
    "{0} * {1}",
    "{0} div {1}",
    "{0} mod {1}",
    "{0} otherwise {1}",
    "{0} and {1}",
    "not {0} or {1}",
    "{0} at {1}",
    "{0}..{1}",
    "({0}, {1})",
    "-{0}",
    "{0} is none",
    "{0} is empty",
    "if {1} is none then {0} else {1}",
    "if bonus then {0} else {1}",
    "some x in {0} has x is {1}",
    "most x in {0} by {1}",
    "least x in {0} where x is {1} by x",
    "(x for x in {0} where x is not {1})",
    "({1} for x in {0})",
    "hand of {0}",
    "layout of {0}",
    "score of {0}",
    "bid of {0}",
    "taker at {0}",
    "spot at {0}",
    "shelf at {0}",
    "laid of {0} of {1}",
    "turns of {0} of {1}",
    "index(spot at {0})",
    "count(x for x in bank where owner_of of x is {0})",
    "count(x for x in bank where laid of x of {0} is me)",
    "played of {0} of {1}",
    "owner_of of {0}",
    "doubled of {0}",
    "{0}.rank",
    "{0}.order",
    "{0}.worth",
    "{0}.partner",
    "{0}.cost({1})",
    "{0}.match({1}, c)",
    "{0}.owner",
    "fits({0}, {1})",
    "twice({0})",
    "suited({0}, {1})",
    "highest({0})",
)


@pytest.mark.whole
@pytest.mark.parametrize("form", spread(FORMS, 16))
def test_a_form_with_operands_of_every_kind(form: str) -> None:
    found = [judged(form.format(one, two)) for one, two in product(VALUES + LISTS, FEW if "{1}" in form else [""])]
    assert any(found)
