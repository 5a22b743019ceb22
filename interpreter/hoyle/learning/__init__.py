"""Learning environments: observations, numbered actions, and the environments made of them."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import warn

from hoyle.game.game import Game, load
from hoyle.language.sentences import make_message
from hoyle.running.chance import splitmix64
from hoyle.running.machine import MOST_DECISIONS
from hoyle.running.state import Core

if TYPE_CHECKING:
    from hoyle.learning.aec import Environment
    from hoyle.learning.vectors import Vector


class Missing(ImportError):
    """A library is not installed. The message names the extra that installs it."""


def env(
    game: str | Path | Game,
    *,
    memory: bool = True,
    rewards: str = "win",
    most: int = MOST_DECISIONS,
    render_mode: str | None = None,
    **options: Any,
) -> Environment:
    """Return a game as a PettingZoo environment (AEC).

    `game` is a name or path, with `options`, or a loaded game. With `memory`, agents also observe what their seat remembers. `rewards`: "win" at the
    end, or "score" after every move; `most`: moves after which a game is truncated; `render_mode`: "ansi", "human" or "svg".
    Raises Refused; ValueError for wrong arguments; Missing if PettingZoo is not installed.
    """
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
    """Return `count` games of the series `seed`, stepped by one call (see `vectors.Vector`).

    `rewards` as for `env`; `most`: decisions after which a game is cut; `threads` share each call; `memory` is not available.
    Raises Refused; ValueError for wrong arguments; Missing without numpy; vectors.NoEngine without a native engine.
    """
    from hoyle.learning.vectors import Vector

    if check_bool(memory, "memory"):
        raise ValueError(make_message("learning.no_memory"))
    return Vector(open_game(game, options), count, seed, rewards, most, threads)


def check_int(given: Any, what: str = "number") -> int:
    """Return an integer, also one of numpy. Raises ValueError for bools and fractions, with `what` in its message."""
    try:
        if not isinstance(given, bool):
            return index(given)
    except TypeError:
        pass
    raise ValueError(make_message(f"learning.whole.{what}", given=repr(given)))


def check_range(given: Any, name: str, least: int, most: int | None = None) -> int:
    """Return an integer between `least` and `most`. Raises ValueError with `name` in its message."""
    found = check_int(given)
    if found < least or (most is not None and found > most):
        bounds = (
            make_message("learning.from_to", least=least, most=most)
            if most is not None
            else make_message("learning.from", least=least)
        )
        raise ValueError(make_message("learning.not_within", name=name, given=found, bounds=bounds))
    return found


def check_bool(given: Any, name: str) -> bool:
    """Return a bool. Raises ValueError for anything else."""
    if not isinstance(given, bool):
        raise ValueError(make_message("learning.no_truth", name=name, given=repr(given)))
    return given


def find_seat(game: Game, given: Any) -> int:
    """Return the number of a seat given by name or number. Raises ValueError."""
    named = [*game.seats].index(given) if given in game.seats else -1
    found = named if isinstance(given, str) else check_int(given)
    if not 0 <= found < len(game.seats):
        raise ValueError(make_message("learning.no_agent", given=repr(given), known=", ".join(game.seats)))
    return found


def open_game(game: Any, options: Mapping[str, Any]) -> Game:
    """Load a game by name or path with options, or return a loaded one. Raises ValueError and Refused."""
    if isinstance(game, Game) and not options:
        return game
    return load(check_game_name(game), options)


def check_game_name(game: Any) -> str | Path:
    """Return the name or path of a game. Raises ValueError for anything else."""
    if isinstance(game, Game):
        raise ValueError(make_message("learning.loaded", game=game.name))
    if not isinstance(game, str | Path):
        raise ValueError(make_message("learning.no_game", given=repr(game)))
    return game


def check_position(options: Mapping[str, Any] | None) -> Any:
    """Return the position in the options of `reset`, or None if there is none.

    Warns of unknown options. Raises ValueError if `options` is not a mapping.
    """
    if options is not None and not isinstance(options, Mapping):
        raise ValueError(make_message("learning.no_options", given=repr(options)))
    for name in options or {}:
        if name != "position":
            warn(make_message("learning.no_option", name=str(name)), stacklevel=3)
    return (options or {}).get("position")


def start_position(game: Game, position: Any, seed: int, index: int) -> Core:
    """Return the start of game `index` of a series that begins with a position. Unknown pieces differ from game to game.

    Raises Refused, and ValueError if the position has other options than the game.
    """
    state = game.position(position, seed ^ splitmix64(index) if index else seed)
    if state.game.compiled is not game.compiled:
        raise ValueError(make_message("learning.other_options"))
    if not (state.core.acts or state.is_over):
        state.moves()  # refuses, and says what is missing
    return state.core
