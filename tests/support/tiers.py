"""Which cases run in which tier, and how many of them."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable
from typing import Any

import pytest

_short, _whole = False, False
THOROUGH = "thorough"


def shorten(config: pytest.Config) -> None:
    """Called before tests are collected: `pytest -m quick` takes samples, a plain run more of them; one that asks for slow tests takes all,
    and so does `.ci/run`, which says HYPOTHESIS_PROFILE=thorough."""
    global _short, _whole
    tier = str(config.option.markexpr).strip()
    _short, _whole = tier == "quick", tier != "not slow" or os.environ.get("HYPOTHESIS_PROFILE") == THOROUGH


def sized(quick: int, full: int) -> int:
    """How many cases a test tries: a sample in `pytest -m quick`, so that it touches everything in seconds, a third of all in a plain run."""
    return quick if _short else full if _whole else min(full, max(quick, full // 3))


def examples(quick: int, full: int, part: int = 3) -> int:
    """How many random examples a property is tried with: like `sized`, but any run tries a third, which finds what is usually there to
    be found, or less where each takes long (`part`). `.ci/run` says HYPOTHESIS_PROFILE=thorough and tries all."""
    every = os.environ.get("HYPOTHESIS_PROFILE") == THOROUGH
    return quick if _short else full if every else max(1, full // part)


def some_now(cases: Iterable[Any], count: int) -> list[Any]:
    """The first `count` cases as they are, the others marked slow. A case of several arguments is a tuple."""
    found = list(cases)
    if _short:
        return found[:count]
    return [*found[:count], *(_marked(case, pytest.mark.slow) for case in found[count:])]


def spread(cases: Iterable[Any], count: int) -> list[Any]:
    """So many of the cases, as far from each other as can be, as they are, the others marked slow. A case of several arguments is a tuple."""
    found = list(cases)
    taken = {n * len(found) // count for n in range(count)}
    if _short:
        return [case for n, case in enumerate(found) if n in taken]
    return [case if n in taken else _marked(case, pytest.mark.slow) for n, case in enumerate(found)]


def in_tiers(cases: Iterable[Any], quick: Collection[Any] = (), whole: Collection[Any] = ()) -> list[Any]:
    """Those of `quick` as they are, those of `whole` for a plain run, the others marked slow."""
    if _short:  # the others would only be made and left out
        return [c for c in cases if c in quick] or [_marked(next(iter(cases)), pytest.mark.whole)]
    return [_marked(c, *([] if c in quick else [pytest.mark.whole if c in whole else pytest.mark.slow])) for c in cases]


def _marked(case: Any, *marks: pytest.MarkDecorator) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=marks)
