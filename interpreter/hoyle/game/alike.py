"""Places that nothing tells apart: moves that differ only in which of them is meant come to the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hoyle.checking.reads import all_formulas
from hoyle.game.compiled import Compiled
from hoyle.game.moves import Move
from hoyle.language.evaluate import everything
from hoyle.language.ir import Chosen, Expr, Item, WordCall
from hoyle.language.kinds import families_of
from hoyle.running.state import Action, Core


def folded(game: Compiled, core: Core, moves: Sequence[Move]) -> list[Move]:
    """The moves, of those alone that come to the same the first."""
    found: dict[object, Move] = {}
    for move in moves:
        found.setdefault(_what_it_comes_to(game, core, move), move)
    return list(found.values())


def _what_it_comes_to(game: Compiled, core: Core, move: Move) -> object:
    definition = game.ruleset.moves[move.name]
    if definition.target is None:
        return move.action
    pile = move.action[len(definition.bindings)]
    family = game.namer.family(pile)
    if core.piles[pile] or not family.has_columns or family.name in _told_apart(game):
        return move.action
    return _without_target(move.action, len(definition.bindings)), family.name, game.namer.member(pile)


def _without_target(action: Action, at: int) -> Action:
    return (*action[:at], None, *action[at + 1 :])


def _told_apart(game: Compiled) -> frozenset[str]:
    """The families of which some formula picks a column by its number, or asks for the number."""
    found: frozenset[str] | None = game.kept.get(("told apart",))
    if found is None:
        formulas = (part for formula in all_formulas(game.ruleset) for part in everything(formula))
        found = game.kept["told apart",] = frozenset(_picked(formulas))
    return found


def _picked(parts: Iterable[Expr]) -> Iterable[str]:
    for part in parts:
        if part.kind.name == "pile" and (isinstance(part, Item | Chosen) or _is_first(part)):
            yield from families_of(part.kind)
        elif isinstance(part, WordCall) and part.word == "index":
            yield from families_of(part.args[0].kind)


def _is_first(part: Expr) -> bool:
    """Does a word pick one of several, by its place among them? Of those where nothing lies each is as good as another."""
    return isinstance(part, WordCall) and part.word != "vacant"
