"""Games as programs that learn see them: observations, numbered actions, and the environments that are made of both."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import warn

from hoyle.game.game import Game, load
from hoyle.language.sentences import said
from hoyle.running.chance import splitmix64
from hoyle.running.machine import MOST_DECISIONS
from hoyle.running.state import Core

if TYPE_CHECKING:
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

    return Environment(open_game(game, options), memory, rewards, most, render_mode)


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
    from hoyle.learning.vectors import Vector

    if check_bool(memory, "memory"):
        raise ValueError(said("learning.no_memory"))
    return Vector(open_game(game, options), count, seed, rewards, most, threads)


def check_int(given: Any, what: str = "number") -> int:
    """A whole number, one of numpy too; truth values and fractions are none. `what` it is: `number`, `action` or `seed`. Raises ValueError."""
    try:
        if not isinstance(given, bool):
            return index(given)
    except TypeError:
        pass
    raise ValueError(said(f"learning.whole.{what}", given=repr(given)))


def check_range(given: Any, name: str, least: int, most: int | None = None) -> int:
    """A whole number that is called so by whoever gives it, and is neither less nor greater than these. Raises ValueError."""
    found = check_int(given)
    if found < least or (most is not None and found > most):
        bounds = (
            said("learning.from_to", least=least, most=most) if most is not None else said("learning.from", least=least)
        )
        raise ValueError(said("learning.not_within", name=name, given=found, bounds=bounds))
    return found


def check_bool(given: Any, name: str) -> bool:
    """A truth value; words and numbers are none. Raises ValueError."""
    if not isinstance(given, bool):
        raise ValueError(said("learning.no_truth", name=name, given=repr(given)))
    return given


def find_seat(game: Game, given: Any) -> int:
    """The number of a seat that is given by its name or number. Raises ValueError."""
    named = [*game.seats].index(given) if given in game.seats else -1
    found = named if isinstance(given, str) else check_int(given)
    if not 0 <= found < len(game.seats):
        raise ValueError(said("learning.no_agent", given=repr(given), known=", ".join(game.seats)))
    return found


def open_game(game: Any, options: Mapping[str, Any]) -> Game:
    """The game of this name or path with these options, or one that is loaded and has its own. Raises ValueError, and Refused."""
    if isinstance(game, Game) and not options:
        return game
    return load(check_game_name(game), options)


def check_game_name(game: Any) -> str | Path:
    """The name or path of a game. Raises ValueError for anything else."""
    if isinstance(game, Game):
        raise ValueError(said("learning.loaded", game=game.name))
    if not isinstance(game, str | Path):
        raise ValueError(said("learning.no_game", given=repr(game)))
    return game


def check_position(options: Mapping[str, Any] | None) -> Any:
    """The position that a game is to begin with; None for its own beginning. Of anything else that is asked, which PettingZoo wants to be borne, a warning says that it
    means nothing. Raises ValueError if these are no options."""
    if options is not None and not isinstance(options, Mapping):
        raise ValueError(said("learning.no_options", given=repr(options)))
    for name in options or {}:
        if name != "position":
            warn(said("learning.no_option", name=str(name)), stacklevel=3)
    return (options or {}).get("position")


def start_position(game: Game, position: Any, seed: int, index: int) -> Core:
    """A game of a series that begins with a position: what it leaves open is different in each. Raises Refused, and ValueError for other options than the game has."""
    state = game.position(position, seed ^ splitmix64(index) if index else seed)
    if state.game.compiled is not game.compiled:
        raise ValueError(said("learning.other_options"))
    if not (state.core.acts or state.is_over):
        state.moves()  # refuses, and says what is missing
    return state.core
