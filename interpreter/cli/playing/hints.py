"""Advice in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.cli.catalogue import t
from interpreter.game.advice import advise

if TYPE_CHECKING:
    from interpreter.game.game import Move, State

SECONDS = 2.0
GAMES: int | None = None
"""Trial games of each move; None: as many as there is time for."""


def hint(state: State, moves: Sequence[Move]) -> str:
    """A good move for whoever acts, and what speaks for it."""
    if len(moves) == 1:
        return t("play.hint", move=moves[0].id, why=t("play.hint_only"))
    found = advise(state, SECONDS, GAMES)
    if found is None:
        return t("play.hint", move=state.moves()[0].id, why=t("play.hint_first"))
    why = t("play.hint_tried", ahead=f"{found.ahead:+.1f}", worst=f"{found.worst:+.1f}", games=found.games)
    return t("play.hint", move=found.move.id, why=why)
