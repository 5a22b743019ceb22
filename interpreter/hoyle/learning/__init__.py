"""Games as programs that learn see them: observations, numbered actions, and the environments that are made of both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hoyle.language.sentences import said
from hoyle.running.machine import MOST_DECISIONS

if TYPE_CHECKING:
    from pathlib import Path

    from hoyle.game.game import Game
    from hoyle.learning.aec import Environment
    from hoyle.learning.vectors import Vector


class Missing(ImportError):
    """A library is not installed; what is said names the extra that brings it."""


def env(
    game: str | Path | Game,
    *,
    memory: bool = True,
    rewards: str = "win",
    most: int = MOST_DECISIONS,
    render_mode: str | None = None,
    **options: Any,
) -> Environment:
    """A game (its name or path, with these options, or one that is loaded) as a PettingZoo environment (AEC).

    `memory`: does an agent observe what its seat remembers, too? `rewards`: "win" (at the end) or "score" (after every move, by how much it has come to
    stand better); `most`: moves after which a game is cut off; `render_mode`: "ansi", "human" or "svg". Raises Refused; ValueError for what has no sense; and Missing where PettingZoo is not
    installed."""
    from hoyle.learning.aec import Environment
    from hoyle.learning.asked import opened

    return Environment(opened(game, options), memory, rewards, most, render_mode)


def vector(
    game: str | Path | Game,
    count: int,
    seed: int = 0,
    *,
    rewards: str = "win",
    most: int = MOST_DECISIONS,
    threads: int = 1,
    memory: bool = False,
    **options: Any,
) -> Vector:
    """So many games at once with these options, stepped by one call (`vectors.Vector` tells what is given): those of the series of a seed. They are played by the native
    engine, and need a C compiler.

    `rewards`: as for `env`; `most`: decisions after which a game is left; `threads` share each call; `memory` is not told of many games. Raises Refused;
    ValueError for what has no sense; Missing where numpy is not installed, and vectors.NoEngine where there is no native engine."""
    from hoyle.learning.asked import opened, truth
    from hoyle.learning.vectors import Vector

    if truth(memory, "memory"):
        raise ValueError(said("learning.no_memory"))
    return Vector(opened(game, options), count, seed, rewards, most, threads)
