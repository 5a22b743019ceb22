"""Which cases run in a plain `pytest`, and which only with the slow ones."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def some_now(cases: Iterable[Any], count: int) -> list[Any]:
    """The first `count` cases as they are, the others marked slow. A case of several arguments is a tuple."""
    found = list(cases)
    return [*found[:count], *(_slow(case) for case in found[count:])]


def _slow(case: Any) -> Any:
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.slow)
