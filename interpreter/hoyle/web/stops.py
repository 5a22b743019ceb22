"""Where a table is looked at before it goes on: a trick or a deal is over, and its pieces still lie there."""

from __future__ import annotations

from msgspec import Struct

from hoyle.game.game import State
from hoyle.language.ir import ABSENT
from hoyle.running.along import ENDED
from hoyle.running.state import Core, Event

MOST = 12
"""So many of the last ones are kept, for who is told late."""


class Stop(Struct, frozen=True):
    """After which deed, the end of what, and how all stood then."""

    number: int
    what: str
    state: State


class _Watched(list[Event]):
    """A log that keeps what stands there when an end is noted: nothing else of a move can be seen from outside before it is done."""

    def __init__(self, core: Core) -> None:
        super().__init__(core.log or ())
        self._core = core
        self.found: list[tuple[str, Core]] = []

    def append(self, event: Event) -> None:
        super().append(event)
        if event[0] == "ends":
            core = self._core.copy()
            core.acts, core.actor = [], ABSENT  # nobody is asked
            self.found.append((ENDED[event[1]], core))


def watched(state: State, ident: str, number: int) -> tuple[State, list[Stop]]:
    """The state after a legal move, which is the deed of this number, and where to look before that."""
    game, core = state.game, state.core.copy()
    core.log = log = _Watched(core)
    game.machine.play(core, state.find(ident).action)
    core.log = [*log]
    return State(game, core), [Stop(number, what, State(game, then)) for what, then in log.found]
