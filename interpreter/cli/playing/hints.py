"""Advice in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.cli.catalogue import lang, t
from interpreter.cli.drawing.ink import suited
from interpreter.players.advice import advise

if TYPE_CHECKING:
    from interpreter.cli.drawing.ink import Look
    from interpreter.game.game import Move, State

SECONDS = 2.0
GAMES: int | None = None
"""Trial games of each move; None: as many as there is time for."""


def hint(state: State, moves: Sequence[Move], look: Look) -> str:
    """A good move for whoever acts, and what speaks for it."""
    if len(moves) == 1:
        return t("play.hint", move=_text(moves[0], look), why=t("play.hint_only"))
    found = advise(state, SECONDS, GAMES)
    if found is None:
        return t("play.hint", move=_text(state.moves()[0], look), why=t("play.hint_first"))
    why = t("play.hint_tried", ahead=f"{found.ahead:+.1f}", worst=f"{found.worst:+.1f}", games=found.games)
    return t("play.hint", move=_text(found.move, look), why=why)


def _text(move: Move, look: Look) -> str:
    return suited(move.text(lang()), look)
