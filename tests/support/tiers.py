"""Which cases run in which tier, and how many of them.

Three tiers: `pytest -m quick` takes a cheap sample of every room, `pytest` everything that is not slow, `pytest -m slow` the rest.
A test is marked `whole` to keep it out of the quick tier, `slow` to keep it out of a plain run.
"""

import os
from collections import defaultdict
from collections.abc import Collection, Iterable
from hashlib import sha256
from typing import Any, Literal

import pytest

Tier = Literal["quick", "plain", "slow"]
THOROUGH = "thorough"
"""The hypothesis profile with which `.ci/thorough` tries all random examples."""
QUICK_CASES = 6
"""How many cases of a test function the quick tier takes."""
_LIGHT = ["alaska", "backgammon", "freecell", "golf", "klondike", "russian-solitaire", "spider", "yukon"]
"""Shipped games with which the quick tier takes more than one case of a function: others take long to load."""
_tier: Tier = "plain"


def choose_tier(config: pytest.Config) -> None:
    """Called before collection. A marker expression other than `quick` and `not slow` means that all cases are wanted."""
    global _tier
    _tier = {"quick": "quick", "not slow": "plain"}.get(str(config.option.markexpr).strip(), "slow")  # type: ignore[assignment]


def tier() -> Tier:
    return _tier


def is_thorough() -> bool:
    """True in `.ci/thorough`, which tries everything."""
    return os.environ.get("HYPOTHESIS_PROFILE") == THOROUGH


def sized(quick: int, full: int) -> int:
    """The number of cases that one test tries: `quick`, in a plain run a third of all, in the slow tier `full`."""
    return {"quick": quick, "plain": min(full, max(quick, full // 3)), "slow": full}[_tier]


def examples(quick: int, full: int, part: int = 3) -> int:
    """The number of random examples of a property: `full / part`, and `full` with HYPOTHESIS_PROFILE=thorough."""
    if _tier == "quick":
        return quick
    return full if is_thorough() else max(1, full // part)


def some_now(cases: Iterable[Any], count: int) -> list[Any]:
    """Mark all but the first `count` cases slow. A case of several arguments is a tuple."""
    found = list(cases)
    return _cases(found, found[:count])


def spread(cases: Iterable[Any], count: int) -> list[Any]:
    """Mark all but `count` evenly spaced cases slow. A case of several arguments is a tuple."""
    found = list(cases)
    return _cases(found, [found[n * len(found) // count] for n in range(count)])


def in_tiers(cases: Iterable[Any], quick: Collection[Any] = (), whole: Collection[Any] = ()) -> list[Any]:
    """Leave the cases in `quick` unmarked, mark those in `whole` so, and all others slow."""
    return _cases(list(cases), [*quick, *whole], quick)


def _cases(cases: list[Any], now: Collection[Any], quick: Collection[Any] | None = None) -> list[Any]:
    """The cases with their marks: `quick` (or `now`) unmarked, the rest of `now` whole, others slow, of which only the slow tier makes any."""
    quick = now if quick is None else quick
    found = [
        _marked(case, *([] if case in quick else [pytest.mark.whole if case in now else pytest.mark.slow]))
        for case in cases
        if _tier == "slow" or case in quick or (case in now and _tier == "plain")
    ]
    return found or [_marked(cases[0], pytest.mark.whole if _tier == "quick" else pytest.mark.slow)]


def _marked(case: Any, *marks: pytest.MarkDecorator) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=marks)


def is_left_out(marks: Collection[str]) -> bool:
    """Return whether this tier runs no test with these marks, so that none need be generated."""
    return (_tier != "slow" and "slow" in marks) or (_tier == "quick" and "whole" in marks)


def sample(items: list[pytest.Item]) -> None:
    """Keep at most `QUICK_CASES` cases of each test function, evenly spaced, with games that load fast if there are any."""
    from hoyle.resources import shipped

    taken, heavy = set[int](), shipped().keys() - _LIGHT
    for every in _by_function(items):
        cases = [item for item in every if not _values(item) & heavy] or every[:1]
        count = min(QUICK_CASES, len(cases))
        taken |= {id(cases[n * len(cases) // count]) for n in range(count)}
    items[:] = [item for item in items if id(item) in taken]


def share(items: list[pytest.Item], turn: str, always: Collection[str] = ()) -> None:
    """Keep one part of the tests: `2/6` is the third of six parts, which together hold all of them.

    The cases of a function are spread over the parts, and in one part the functions take different cases. Cases of a game in
    `always` are kept in every part.
    """
    number, _, parts = turn.partition("/")
    taken = set[int]()
    for cases in _by_function(items):
        first = int(sha256(_function(cases[0]).encode()).hexdigest(), 16)
        taken |= {id(case) for n, case in enumerate(cases) if (first + n + int(number)) % int(parts) == 0}
    items[:] = [item for item in items if id(item) in taken or _values(item) & set(always)]


def _function(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _by_function(items: Iterable[pytest.Item]) -> Iterable[list[pytest.Item]]:
    found: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        found[_function(item)].append(item)
    return found.values()


def _values(item: pytest.Item) -> set[str]:
    """The texts that a case is called with: names of games, among others."""
    called = getattr(item, "callspec", None)
    return set() if called is None else {value for value in called.params.values() if isinstance(value, str)}
