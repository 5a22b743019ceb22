"""What seats remember of one game, move by move."""

from __future__ import annotations

from collections.abc import Sequence

from hoyle.game.compiled import Compiled
from hoyle.native import sights
from hoyle.players.knowledge import Knowledge, beginning
from hoyle.running.state import Action, Core

Moved = tuple[Core, Action, Core]
"""A move, and the states before and after it."""


class Memory:
    """What one seat knows, from the beginning of a game or from wherever it sits down; what it knew before every move is kept, for moves
    that are taken back."""

    def __init__(self, game: Compiled, player: int) -> None:
        self._game, self._player = game, player
        self._trail: list[Knowledge] = []

    def begins(self, core: Core) -> None:
        """The seat sits down."""
        self._trail = [beginning(self._game, core, self._player)]

    def remembers(self, past: Sequence[Moved], core: Core) -> None:
        """It has sat there through these moves, which led to a state; or sits down there, if there were none."""
        self.begins(past[0][0] if past else core)
        for before, action, after in past:
            self.moved(before, action, after)

    def moved(self, before: Core, action: Action, after: Core) -> None:
        """Somebody has moved. `before` is the state that it stood at."""
        if self._trail:
            self._trail.append(self._trail[-1].after(before, action, after))

    def back(self, moves: int) -> None:
        """So many moves were taken back."""
        self._trail = self._trail[: len(self._trail) - moves]

    @property
    def now(self) -> Knowledge | None:
        """What it knows; None if it has not sat down."""
        return self._trail[-1] if self._trail else None


def hides(game: Compiled) -> bool:
    """Is there anything in the game that somebody does not see, so that it is worth remembering?"""
    return sights.hides(game.machine)
