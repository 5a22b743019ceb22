"""A compiled formula has the value that the evaluator gives it, which is simple and slow, and defines what formulas mean."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest
from formulas import LISTED, SORTS, Maker
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from oracle import agree, checked
from tiers import examples, sized

from interpreter.language.vocabulary import WORDS, Role, Word


def sound(text: str, seed: int) -> None:
    expr, problems = checked(text)
    assume(not problems.errors)
    agree(expr, random.Random(seed))


def maker(draw: Any) -> Maker:
    return Maker(lambda n: int(draw(st.integers(0, n - 1))), [("c", "card"), ("p", "player")])


@st.composite
def formulas(draw: Any) -> str:
    found, sort = maker(draw), draw(st.sampled_from(SORTS))
    return found.some(sort, draw(st.integers(1, 4)))


@st.composite
def lists(draw: Any) -> str:
    return maker(draw).list(draw(st.sampled_from(LISTED)), draw(st.integers(1, 3)))


RELAXED = settings(
    deadline=None,
    max_examples=examples(20, 400, 6),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


@RELAXED
@given(formulas(), st.integers(0, 2**32))
def test_a_formula_means_the_same_when_compiled(text: str, seed: int) -> None:
    sound(text, seed)


@RELAXED
@given(lists(), st.integers(0, 2**32))
def test_a_list_means_the_same_when_compiled(text: str, seed: int) -> None:
    sound(text, seed)


def call(make: Maker, word: Word, depth: int) -> str:
    """The word with arguments as its row says, each of some sort; whether they fit together the checker says."""
    count = len(word.takes) - make.choose(word.optional + 1) + (make.choose(3) if word.many else 0)
    roles = [word.takes[min(i, len(word.takes) - 1)] for i in range(count)]
    return f"{word.name}({', '.join(_argument(make, role, depth) for role in roles)})"


def _argument(make: Maker, role: Role, depth: int) -> str:
    match role:
        case "list" | "list or pair" | "list or number":
            single = {"list or pair": "pair", "list or number": "number"}.get(role)
            alone = single is not None and make.choose(2) == 0
            return make.some(single, depth) if single and alone else make.list(make.pick(list(LISTED)), depth)
        case "piles":
            return make.list("pile", depth)
        case "pile" | "number" | "perhaps a player":
            return make.some(role.removeprefix("perhaps a "), depth)
        case "present number" | "player" | "side":
            return make.sure("player" if role == "side" else role.removeprefix("present "), depth)
        case "piece":
            return make.some(make.pick(["card", "man", "coin"]), depth)


COUNT = sized(6, 24)
"""How many calls of each word are tried."""


@pytest.mark.parametrize("word", WORDS.values(), ids=lambda word: word.name)
def test_a_word_means_the_same_when_compiled(word: Word) -> None:
    """With arguments as its row in the table asks for them, so that no new word must be named here."""
    chance = random.Random(word.name)
    make = Maker(chance.randrange, [("c", "card"), ("p", "player")])
    calls = (checked(call(make, word, 1)) for _ in range(1_000))
    accepted = list(islice((expr for expr, problems in calls if not problems.errors), COUNT))
    assert len(accepted) == COUNT
    for expr in accepted:
        agree(expr, random.Random(expr.span.text), states=4)
