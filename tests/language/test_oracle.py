"""A compiled formula has the value that the evaluator gives it, which is simple and slow, and defines what formulas mean."""

import random
from typing import Any

from formulas import LISTED, SORTS, Maker
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from oracle import agree, checked
from tiers import examples


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
