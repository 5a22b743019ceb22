"""What moves could be bound to, whether their conditions hold or not."""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.game.compiled import Compiled
from hoyle.language.evaluate import Names, Setting, evaluate
from hoyle.language.ir import Expr, Var
from hoyle.language.model import Move
from hoyle.running.state import Action, Core


def actions_of(game: Compiled, core: Core, move: Move) -> Iterator[Action]:
    """Every binding of a move as an action, for whoever acts."""
    setting = game.setting(core)
    for bound in _bindings(core, move, setting, {move.me: core.actor}):
        values = (bound[v] for v in move.bindings)
        yield (move.number, *(tuple(v) if isinstance(v, list) else v for v in values))


def names_of(move: Move, action: Action, actor: int) -> Names:
    """The names that the formulas of a move see."""
    return {move.me: actor, **dict(zip(move.bindings, action[1:], strict=True))}


def sources_of(game: Compiled, core: Core, move: Move) -> list[int]:
    """The piles a move takes from."""
    setting, names = game.setting(core), {move.me: core.actor}
    found = [n for take in move.takes for n in piles_in(take.source, setting, names)]
    return list(dict.fromkeys(found))


def piles_in(expr: Expr, setting: Setting, names: Names) -> list[int]:
    """The piles that a formula means, one or several; without those that are not there."""
    found = evaluate(expr, setting, names)
    return [n for n in ([found] if expr.kind.name == "pile" else found) if n >= 0]


def _bindings(core: Core, move: Move, setting: Setting, names: Names) -> Iterator[Names]:
    for taken in _taken(core, move, setting, names):
        for chosen in _chosen(move.withs, setting, taken):
            if move.put is None or move.target is None:
                yield chosen
                continue
            for place in piles_in(move.put, setting, chosen):
                yield {**chosen, move.target: place}


def _taken(core: Core, move: Move, setting: Setting, names: Names) -> Iterator[Names]:
    if move.taken is None:
        yield names
        return
    origin, card = move.taken
    for take in move.takes:
        for pile in piles_in(take.source, setting, names):
            pieces = core.piles[pile]
            for piece in dict.fromkeys(pieces if take.any_piece else pieces[-1:]):
                yield {**names, origin: pile, card: piece}


def _chosen(withs: list[tuple[Var, Expr]], setting: Setting, names: Names) -> Iterator[Names]:
    if not withs:
        yield names
        return
    var, items = withs[0]
    for item in evaluate(items, setting, names):
        yield from _chosen(withs[1:], setting, {**names, var: item})
