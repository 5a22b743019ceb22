"""Hints of the display, worked out in a state as all may know it: every piece is absent that not everybody sees, so whatever a hint says,
it betrays none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from hoyle.compiling.formula import function_of
from hoyle.game.compiled import Compiled
from hoyle.language.evaluate import Setting, evaluate
from hoyle.language.ir import ABSENT, Expr, Var
from hoyle.language.kinds import families_of
from hoyle.language.step_analysis import Touched, reads
from hoyle.running.state import Core

Sees = Callable[[int, int, int, int], bool]
"""Does everybody see a piece: of a pile (its number), a height, the number of pieces, the piece?"""


class Hint(Struct, frozen=True):
    """A formula as a function of piles, cells and what its variables are, and the families of piles that it may look into."""

    run: Callable[..., Any]
    looks: Touched


class Public(Struct, frozen=True):
    """A state as all may know it, and the families of piles in which something is hidden."""

    game: Compiled
    setting: Setting
    hidden: Touched

    def value(self, expr: Expr, names: Mapping[Var, Any]) -> Any:
        """Compiled formulas take for granted that what lies in a pile is there; where it may not be, the formula is looked at part by part."""
        hint = self._hint(expr, tuple(names))
        if not hint.looks.isdisjoint(self.hidden):
            return evaluate(expr, self.setting, dict(names))
        found = hint.run(self.setting.piles, self.setting.cells, *names.values())
        return bool(found) if expr.kind.name == "bool" else found

    def _hint(self, expr: Expr, names: tuple[Var, ...]) -> Hint:
        key = ("hint", id(expr), names)
        found: Hint | None = self.game.kept.get(key)
        if found is None:
            piles = [families_of(var.kind) for var in names if var.kind.name in ("pile", "list")]
            run = function_of(expr, names, self.game.machine)
            found = self.game.kept[key] = Hint(run, reads(expr).union(*piles))
        return found


def public(game: Compiled, core: Core, sees: Sees) -> Public:
    """The state as all may know it."""
    piles = [
        [piece if sees(n, height, len(pile), piece) else ABSENT for height, piece in enumerate(pile)]
        for n, pile in enumerate(core.piles[:-1])
    ]
    hidden = frozenset(game.namer.family(n).name for n, pile in enumerate(piles) if ABSENT in pile)
    return Public(game, replace(game.setting(core), piles=[*piles, []]), hidden)
