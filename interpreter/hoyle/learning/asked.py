"""What callers give, checked before anything is done with it. What is wrong with it is said in a ValueError."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from pathlib import Path
from typing import Any
from warnings import warn

from hoyle.game.game import Game, load
from hoyle.language.sentences import said
from hoyle.running.chance import splitmix64
from hoyle.running.state import Core


def whole(given: Any, what: str = "number") -> int:
    """A whole number, one of numpy too; truth values and fractions are none. `what` it is: `number`, `action` or `seed`. Raises ValueError."""
    try:
        if not isinstance(given, bool):
            return index(given)
    except TypeError:
        pass
    raise ValueError(said(f"learning.whole.{what}", given=repr(given)))


def within(given: Any, name: str, least: int, most: int | None = None) -> int:
    """A whole number that is called so by whoever gives it, and is neither less nor greater than these. Raises ValueError."""
    found = whole(given)
    if found < least or (most is not None and found > most):
        bounds = (
            said("learning.from_to", least=least, most=most) if most is not None else said("learning.from", least=least)
        )
        raise ValueError(said("learning.not_within", name=name, given=found, bounds=bounds))
    return found


def truth(given: Any, name: str) -> bool:
    """A truth value; words and numbers are none. Raises ValueError."""
    if not isinstance(given, bool):
        raise ValueError(said("learning.no_truth", name=name, given=repr(given)))
    return given


def seat_of(game: Game, given: Any) -> int:
    """The number of a seat that is given by its name or number. Raises ValueError."""
    named = [*game.seats].index(given) if given in game.seats else -1
    found = named if isinstance(given, str) else whole(given)
    if not 0 <= found < len(game.seats):
        raise ValueError(said("learning.no_agent", given=repr(given), known=", ".join(game.seats)))
    return found


def opened(game: Any, options: Mapping[str, Any]) -> Game:
    """The game of this name or path with these options, or one that is loaded and has its own. Raises ValueError, and Refused."""
    if isinstance(game, Game) and not options:
        return game
    return load(named(game), options)


def named(game: Any) -> str | Path:
    """The name or path of a game. Raises ValueError for anything else."""
    if isinstance(game, Game):
        raise ValueError(said("learning.loaded", game=game.name))
    if not isinstance(game, str | Path):
        raise ValueError(said("learning.no_game", given=repr(game)))
    return game


def position_in(options: Mapping[str, Any] | None) -> Any:
    """The position that a game is to begin with; None for its own beginning. Of anything else that is asked, which PettingZoo wants to be borne, a warning says that it
    means nothing. Raises ValueError if these are no options."""
    if options is not None and not isinstance(options, Mapping):
        raise ValueError(said("learning.no_options", given=repr(options)))
    for name in options or {}:
        if name != "position":
            warn(said("learning.no_option", name=str(name)), stacklevel=3)
    return (options or {}).get("position")


def set_up(game: Game, position: Any, seed: int, index: int) -> Core:
    """A game of a series that begins with a position: what it leaves open is different in each. Raises Refused, and ValueError for other options than the game has."""
    state = game.position(position, seed ^ splitmix64(index) if index else seed)
    if state.game.compiled is not game.compiled:
        raise ValueError(said("learning.other_options"))
    if not (state.core.acts or state.is_over):
        state.moves()  # refuses, and says what is missing
    return state.core
