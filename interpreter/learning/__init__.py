"""Games as programs that learn see them: observations, numbered actions, and the environments that are made of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from interpreter.language.sentences import said

if TYPE_CHECKING:
    from pathlib import Path

    from interpreter.learning.aec import Environment


class Missing(ImportError):
    """A library is not installed; what is said names the extra that brings it."""


def env(
    game: str | Path, *, memory: bool = True, rewards: str = "win", render_mode: str | None = None, **options: Any
) -> Environment:
    """A game with these options as a PettingZoo environment (AEC).

    `memory`: does an agent observe what its seat remembers, too? `rewards`: "win" (at the end) or "score" (after every move, by how much it has come to
    stand better); `render_mode`: "ansi", "human" or "svg". Raises Refused, and Missing where PettingZoo is not installed."""
    try:
        from interpreter.learning.aec import Environment
    except ImportError as error:
        raise Missing(said("learning.missing", what=error.name or "pettingzoo", extra="rl")) from None
    from interpreter.game.game import load

    return Environment(load(game, options), memory, rewards, render_mode=render_mode)
