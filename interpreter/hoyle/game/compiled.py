"""A ruleset compiled to a playable game."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import Struct, field

from hoyle.compiling.game import compile_game
from hoyle.compiling.outline import outline_of
from hoyle.language.evaluate import Setting
from hoyle.language.model import Ruleset, count_of
from hoyle.language.value_types import ValueType
from hoyle.reading.merge import Merged
from hoyle.running.hit_counts import Watch
from hoyle.running.machine import Machine
from hoyle.running.naming import Cache, Namer
from hoyle.running.state import Core

Result = TypeVar("Result")


class Compiled(Struct, frozen=True):
    """A ruleset with fixed options, the tree it was read from, the machine that plays it, and the names of its
    things."""

    ruleset: Ruleset
    merged: Merged
    machine: Machine
    namer: Namer
    cache: Cache[tuple[Any, ...], Any] = field(default_factory=Cache)
    """Results of `cached`, of all rooms that look at a game."""

    def cached(self, key: tuple[Any, ...], make: Callable[[], Result]) -> Result:
        """Return the result of `make`, called once for a key. The key names its use first."""
        found: Result | None = self.cache.get(key)
        if found is None:
            found = self.cache[key] = make()
        return found

    def __deepcopy__(self, memo: Any) -> Compiled:
        return self

    @property
    def name(self) -> str:
        return self.ruleset.name

    @property
    def seats(self) -> tuple[str, ...]:
        return self.ruleset.seats

    @property
    def digest(self) -> str:
        return self.ruleset.digest

    @property
    def options(self) -> dict[str, Any]:
        """Options in force: numbers, truth values, or names of choices; `players` if their number may change."""
        found = {
            name: option.choices[option.value] if option.choices else option.value
            for name, option in self.ruleset.options.items()
        }
        return {**found, "players": len(self.seats)} if len(self.ruleset.may_play) > 1 else found

    @property
    def set_options(self) -> dict[str, Any]:
        """Options that are not at their defaults; `players` if their number may change."""
        options = self.ruleset.options
        return {n: v for n, v in self.options.items() if n not in options or options[n].value != options[n].default}

    def to_act(self, core: Core) -> str | None:
        """Return the seat that decides; None after the end of the game."""
        return self.seats[core.actor] if core.actor >= 0 and not core.over else None

    def place(self, core: Core) -> str:
        """Return the path of the decision at which a state stands."""
        point = self.machine.points.get(core.pc)
        return " / ".join(point.path) if point and not core.over else ""

    def count_of(self, value_type: ValueType) -> int:
        """Return how many values a finite type has."""
        return count_of(value_type, self.ruleset)

    def setting(self, core: Core) -> Setting:
        """Return what formulas are evaluated in: a state and the constants of the game."""
        return self.machine.setting(core)


def compile_outline(ruleset: Ruleset, merged: Merged) -> Compiled:
    """Compile a checked ruleset to names of its things, without a machine that can play."""
    machine = outline_of(ruleset)
    return Compiled(ruleset, merged, machine, Namer(machine))


Rules = tuple[Ruleset, Merged]
"""Everything that a game is compiled from. Sending this to another process needs no files."""


def compile_ruleset(ruleset: Ruleset, merged: Merged, trace: bool = False, watch: Watch | None = None) -> Compiled:
    """Compile a checked ruleset. `trace` counts uses of rules, `watch` all places that are reached. Raises Refused."""
    machine = compile_game(ruleset, trace, watch)
    return Compiled(ruleset, merged, machine, Namer(machine))


def _pickled(game: Compiled) -> tuple[Any, ...]:
    """Pickle the rules, because generated functions cannot be pickled. Counting is lost."""
    return compile_ruleset, (game.ruleset, game.merged)


copyreg.pickle(Compiled, _pickled)
