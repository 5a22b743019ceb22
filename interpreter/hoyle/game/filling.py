"""Which piles pieces may come to in the part of the game that is being played: an empty one of the others plays no part now."""

from __future__ import annotations

from hoyle.checking.reads import ANY, Effect, Reader
from hoyle.game.compiled import Compiled
from hoyle.running.state import Core

_NEAR = 2
"""So many of the phases that a decision stands in count, from the innermost out: what it is part of, such as a trick, too."""


def may_come_to(game: Compiled, core: Core) -> frozenset[str] | None:
    """The families of piles that may be filled before the phases around this decision end; None where it may be any. Once the game is over
    nothing comes anywhere."""
    point = game.machine.points.get(core.pc)
    if core.over or point is None:
        return frozenset() if core.over else None
    known = ("filled", point.path)
    if known not in game.kept:
        game.kept[known] = _filled(game, point.path)
    found: frozenset[str] | None = game.kept[known]
    return found


def _filled(game: Compiled, path: tuple[str, ...]) -> frozenset[str] | None:
    reader, rules, effect = Reader(game.ruleset), game.ruleset, Effect()
    phases = {name for name, _ in rules.phases}
    for name in [step for step in path[:-1] if step in phases][-_NEAR:] or ["game"]:
        for acting in (False, True):
            effect.add(reader.phase(name, acting))
    effect.add(reader.by_themselves())
    return None if ANY in effect.fills else frozenset(name for section, name in effect.fills if section == "piles")
