"""Whether a value that a move is told with may be known to who did not make the move."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

from hoyle.language.evaluate import everything, instances
from hoyle.language.ir import Cell, Expr, Local, Var, WordCall
from hoyle.language.kinds import Kind, List, Piece
from hoyle.language.model import Ruleset


def rests_on_hidden(ruleset: Ruleset, var: Var, values: Mapping[Var, Any]) -> bool:
    """Does what `let` gives come of a piece that lies face down, of piles into which not all see, or of secret state?"""
    if var.value is None:
        return False
    parts = [*everything(var.value)]
    handed_on = {parameter for part in parts for instance in instances(part) for parameter in instance.parameters}
    return any(_is_hidden(ruleset, part, values) for part in parts if not _stands_for(part, handed_on))


def _stands_for(part: Expr, handed_on: Container[Var]) -> bool:
    """Is this the parameter of a term? What it stands for is a part of the formula, too."""
    return isinstance(part, Local) and part.var in handed_on


def _is_hidden(ruleset: Ruleset, part: Expr, values: Mapping[Var, Any]) -> bool:
    if isinstance(part, Cell):
        return bool(ruleset.state[part.ref.family].secret)
    if isinstance(part, Local) and part.var in values:
        return part.var.kind.name == "piece" and not values[part.var] & 1
    seen = ("up", "top up", "top seen") if isinstance(part, WordCall) and part.word == "top" else ("up",)
    return any(ruleset.piles[name].face not in seen for name in _from(part.kind))


def _from(kind: Kind) -> frozenset[str]:
    """Where the pieces of this kind may come from."""
    while isinstance(kind, List):
        kind = kind.item
    return kind.families if isinstance(kind, Piece) else frozenset()
