"""All combinations of the values that some options may have, but those which the ruleset itself forbids."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from msgspec import Struct

from hoyle.checking.build import ruleset
from hoyle.checking.constraints import EXCLUDED
from hoyle.diagnostics import Diagnostic, Refused
from hoyle.series.editions import Edition

Axis = tuple[str, tuple[Any, ...]]
"""An option, and the values it is to have."""


class Grid(Struct, frozen=True):
    """`editions`: one for each combination, the values of the last option changing first; `excluded`: what the constraints of the ruleset forbid, and why."""

    axes: tuple[Axis, ...]
    editions: tuple[Edition, ...]
    excluded: tuple[tuple[Edition, Diagnostic], ...]


def grid(game: str, axes: Sequence[Axis]) -> Grid:
    """Raises Refused where a value is none of its option, where there is no such option, or where no combination is allowed."""
    editions, excluded = list[Edition](), list[tuple[Edition, Diagnostic]]()
    for values in product(*(values for _, values in axes)):
        edition = Edition(game, tuple((name, value) for (name, _), value in zip(axes, values, strict=True)))
        reason = _reason(edition)
        if reason is None:
            editions.append(edition)
        else:
            excluded.append((edition, reason))
    if not editions:
        raise Refused([reason for _, reason in excluded])
    return Grid(tuple(axes), tuple(editions), tuple(excluded))


def _reason(edition: Edition) -> Diagnostic | None:
    """Why its ruleset does not allow an edition; None if it does."""
    try:
        ruleset(edition.game, dict(edition.options))
    except Refused as refused:
        if refused.cause.code != EXCLUDED:
            raise
        return refused.cause
    return None
