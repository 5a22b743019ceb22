"""What players call the places of boards: their own numbers, where the ruleset has a hint at them that is the same in every state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hoyle.language.display import Board
from hoyle.language.evaluate import Setting, evaluate, everything
from hoyle.language.ir import ABSENT, Cell, Contents, Expr, Fault
from hoyle.language.model import Family, Ruleset


def numbers(ruleset: Ruleset, constants: dict[str, Any]) -> dict[tuple[int, int], str]:
    """Of a pile and a player, what he calls it."""
    shared = ("INDEX", "NEXT", "ROUND", "PAIR", "MEMBERS", "SIDES", "SEATS")
    setting = Setting(ruleset.attributes.by_name, (), (), ABSENT, *(constants[name] for name in shared))
    return {
        found: number
        for name, hint in ruleset.display.piles.items()
        if hint.board is not None
        for found, number in _numbered(ruleset.piles[name], hint.board, range(len(ruleset.seats)), setting)
    }


def _numbered(family: Family, board: Board, players: range, setting: Setting) -> Iterator[tuple[tuple[int, int], str]]:
    if board.number is None or not _is_the_same(board.number):
        return
    for pile in range(family.base, family.base + family.members * family.columns):
        for player in players:
            yield (pile, player), str(evaluate(board.number, setting, {board.place: pile, board.viewer: player}))


def _is_the_same(number: Expr) -> bool:
    """In every state: it looks at no piece and no value. Which piles there are never changes."""
    return not any(
        isinstance(part, Cell | Contents | Fault) or part.kind.name == "piece" for part in everything(number)
    )
