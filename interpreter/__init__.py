"""hoyle: card and table games whose rules are data.

from interpreter import load

state = load("my-game.yaml").start(seed=1)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from interpreter.build import validate as validate
    from interpreter.diagnostics import Diagnostic as Diagnostic
    from interpreter.diagnostics import Refused as Refused
    from interpreter.game import Event as Event
    from interpreter.game import Game as Game
    from interpreter.game import IllegalMove as IllegalMove
    from interpreter.game import Move as Move
    from interpreter.game import State as State
    from interpreter.game import load as load
    from interpreter.view import View as View

__version__ = "0.1.0"
__all__ = ["Diagnostic", "Event", "Game", "IllegalMove", "Move", "Refused", "State", "View", "load", "validate"]

_HOMES = {
    "Diagnostic": "diagnostics", "Refused": "diagnostics", "validate": "build", "load": "game", "Event": "game", "Game": "game",
    "IllegalMove": "game", "Move": "game", "State": "game", "View": "view",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """The API is found when it is first used: starting the command line should not load the whole interpreter."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"interpreter.{_HOMES[name]}"), name)
