"""Rows called like words of the language: they are meant where a row is expected, and words are what they are everywhere else."""

from functools import cache
from typing import Any

import pytest
from rules import load_rules, read_cases

from hoyle import State

CASES = read_cases("language/names")


@cache
def state() -> State:
    return load_rules("language/names").position(
        {
            "at": "game / asked",
            "to_act": "A",
            "piles": {"heap": "4S 5S"},
            "state": {"leader": "B", "way": "me", "mark of first": 3, "mark of me": 4},
        }
    )


@pytest.mark.parametrize(("formula", "value"), CASES["what a name means"])
def test_what_a_name_means(formula: str, value: Any) -> None:
    assert state().value(formula).plain == value
