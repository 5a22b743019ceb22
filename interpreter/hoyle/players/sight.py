"""What a seat sees of a state, and which actions somebody can tell from each other, as values that can be compared: the nodes and edges of a search."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hoyle.native.sights import EVERYBODY, FIRST_SEAT, PIECE, natures, secrets
from hoyle.running.machine import Machine
from hoyle.running.state import Action, Core

Seen = tuple[int, int, tuple[tuple[int, ...], ...], tuple[Any, ...]]
HIDDEN = -2
"""What stands for a piece that somebody cannot make out."""


class Sight:
    """What one seat sees: of a state, when it is called with it."""

    def __init__(self, machine: Machine, me: int) -> None:
        self.machine, self.me = machine, me
        self._tops = [
            (f.face == "top seen") for f in machine.ruleset.piles.values() for _ in range(f.members * f.columns)
        ]
        allowed = (EVERYBODY, FIRST_SEAT + me)
        self.known = [cell for cell, who in enumerate(secrets(machine)) if who in allowed]
        self.natures = natures(machine)

    def __call__(self, core: Core) -> Seen:
        """All that the seat sees: where the game stands, who decides (nobody: -1), the pieces of each pile, and the values of the cells that it may know, `known`."""
        piles = tuple(self._pile(core, number) for number in range(len(core.piles) - 1))
        return core.pc, -1 if core.over else core.actor, piles, tuple(core.cells[cell] for cell in self.known)

    def _pile(self, core: Core, number: int) -> tuple[int, ...]:
        pile, machine = core.piles[number], self.machine
        own, top = machine.hands[number] == self.me, len(pile) - 1
        seen = [
            piece if own or (piece & 1 and (at == top or not self._tops[number])) else HIDDEN
            for at, piece in enumerate(pile)
        ]
        return tuple(sorted(seen) if number in machine.heaps else seen)

    def told_apart(self, core: Core, action: Action) -> tuple[Any, ...]:
        """An action as whoever makes it can tell it from others."""
        return (action[0], *(self._told(core, v, n) for v, n in zip(action[1:], self.natures[action[0]], strict=True)))

    def _told(self, core: Core, value: int | Sequence[int], kind: int) -> int | tuple[int, ...]:
        if not kind & PIECE:
            return tuple(value) if not isinstance(value, int) else value
        return self._made_out(core, value) if isinstance(value, int) else tuple(self._made_out(core, v) for v in value)

    def _made_out(self, core: Core, piece: int) -> int:
        held = (pile for pile, hand in zip(core.piles, self.machine.hands, strict=False) if hand == core.actor)
        return piece if piece & 1 or piece < 0 or any(piece in pile for pile in held) else HIDDEN
