"""Card and table games as data: load rulesets, play, measure.

from hoyle import load

state = load("my-game.yaml").start(seed=1)
"""

from __future__ import annotations

TYPE_CHECKING = False
"""As in `typing`, which takes long to import: what is at work before the command line can hear Ctrl-C should be short."""

if TYPE_CHECKING:
    from typing import Any

    from hoyle.diagnostics import Diagnostic as Diagnostic
    from hoyle.diagnostics import Refused as Refused
    from hoyle.game.events import Event as Event
    from hoyle.game.examples.static_checks import validate as validate
    from hoyle.game.game import Game as Game
    from hoyle.game.game import IllegalMove as IllegalMove
    from hoyle.game.game import State as State
    from hoyle.game.game import load as load
    from hoyle.game.moves.legal import Move as Move
    from hoyle.game.views.view import View as View
    from hoyle.laboratory.playing import Result as Result
    from hoyle.laboratory.playing import compare as compare
    from hoyle.laboratory.playing import events_of as events_of
    from hoyle.laboratory.playing import match as match
    from hoyle.laboratory.playing import moves_of as moves_of
    from hoyle.laboratory.playing import simulate as simulate
    from hoyle.laboratory.playing import sweep as sweep

    __version__: str

__all__ = [
    "Diagnostic",
    "Event",
    "Game",
    "IllegalMove",
    "Move",
    "Refused",
    "Result",
    "State",
    "View",
    "compare",
    "events_of",
    "load",
    "match",
    "moves_of",
    "simulate",
    "sweep",
    "validate",
]

_HOMES = {
    "diagnostics": ("Diagnostic", "Refused"),
    "game.examples.static_checks": ("validate",),
    "game.game": ("Event", "Game", "IllegalMove", "Move", "State", "load"),
    "game.views.view": ("View",),
    "laboratory.playing": ("Result", "compare", "events_of", "match", "moves_of", "simulate", "sweep"),
}


def __getattr__(name: str) -> Any:
    """Import a name of the API when it is first used, so that the command line starts quickly."""
    if name == "__version__":
        from hoyle.resources import VERSION

        return VERSION
    home = next((module for module, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"hoyle.{home}"), name)
