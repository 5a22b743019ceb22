"""Search other option values under which values that a ruleset excludes are allowed. Each is tried by checking the ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, combinations, islice, product
from typing import Any

from hoyle.checking.build import ruleset
from hoyle.checking.constraints import EXCLUDED, PLAYERS, looked_at
from hoyle.diagnostics import Refused
from hoyle.language.evaluate import everything
from hoyle.language.kinds import BOOL, bounds
from hoyle.language.model import Option, Ruleset

MOST_TRIES = 40
"""So many settings are tried at most: each takes some hundredths of a second."""
FEW = 12
"""All values of a range with so few are tried, of a larger one its ends."""

Setting = dict[str, Any]


def find_remedy(game: str, values: Setting, refused: Refused) -> Setting:
    """Return the fewest other options with which these values are allowed; none if a short search finds none."""
    base, _ = ruleset(game, {})
    places = {d.span for d in refused.diagnostics if d.code == EXCLUDED}
    broken = [c.expr for c in base.constraints.values() if c.span in places]
    named = looked_at([part for expr in broken for part in everything(expr)]) - values.keys()
    free = {name: found for name, found in _values(base).items() if name in named}
    tried = islice(_changes(free), MOST_TRIES)
    return next((change for change in tried if _is_allowed(game, {**values, **change})), {})


def _changes(free: Mapping[str, list[Any]]) -> Iterator[Setting]:
    """One option changed, then two."""
    groups = chain(combinations(free, 1), combinations(free, 2))
    return (dict(zip(names, row, strict=True)) for names in groups for row in product(*(free[n] for n in names)))


def _values(base: Ruleset) -> dict[str, list[Any]]:
    """The values of each option to be tried, those next to its default first."""
    found = {name: _values_of(option) for name, option in base.options.items()}
    return {**found, PLAYERS: [count for count in base.may_play if count != len(base.seats)]}


def _values_of(option: Option) -> list[Any]:
    default = int(option.default)
    if option.choices:
        return [choice for number, choice in enumerate(option.choices) if number != default]
    if option.kind == BOOL:
        return [not option.default]
    low, high = bounds(option.kind)
    numbers = range(low, high + 1) if high - low < FEW else (low, high)
    return sorted((n for n in numbers if n != default), key=lambda n: abs(n - default))


def _is_allowed(game: str, values: Setting) -> bool:
    try:
        ruleset(game, values)
    except Refused:
        return False
    return True
