"""The running state: piles of small ints, cells of small ints, and where the flow stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hoyle.running.chance import Chance

Action = tuple[Any, ...]
Event = tuple[Any, ...]
MIXED = ("shuffle", "cut")
CHANCE = (*MIXED, "roll", "lots")
"""The events that say what was drawn by chance, and those of them that give a pile another order."""


class Core:
    """What blocks work on.

    piles   every pile, bottom to top, and one more that is always empty (what is absent has index -1)
    cells   state, then registers
    pc      the block it stands at; -1 before the start
    acts    the legal actions there; `faults` the obligation each would break, if faults can be called
    actor   who decides
    log     events, or None when nobody wants them
    back    what `take_back` restores
    """

    __slots__ = (
        "actor",
        "acts",
        "back",
        "cells",
        "chance",
        "faults",
        "log",
        "looking",
        "over",
        "pc",
        "piles",
    )

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.piles: list[list[int]] = []
        self.cells: list[Any] = []
        self.pc = -1
        self.acts: Sequence[Action] = []
        self.faults: tuple[int, ...] = ()
        self.actor = -1
        self.log: list[Event] | None = None
        self.back: tuple[list[list[int]], list[Any]] | None = None
        self.looking = False
        self.over = False

    def copy(self) -> Core:
        found = Core.__new__(Core)
        found.chance = self.chance.copy()
        found.piles = list(map(list.copy, self.piles))
        found.cells = self.cells[:]
        found.pc, found.acts, found.faults, found.actor = self.pc, self.acts, self.faults, self.actor
        found.log = self.log[:] if self.log is not None else None
        found.back, found.looking, found.over = self.back, self.looking, self.over
        return found

    def tried(self) -> Core:
        """A copy that somebody looks ahead in. It draws nothing by chance and tells nothing."""
        found = Core.__new__(Core)
        found.chance, found.log, found.looking = self.chance, None, True
        found.piles = list(map(list.copy, self.piles))
        found.cells = self.cells[:]
        found.pc, found.acts, found.faults, found.actor = self.pc, self.acts, self.faults, self.actor
        found.back, found.over = self.back, self.over
        return found

    def lent(self) -> Core:
        """The same for who does no more than what is generated for that: its piles are those of this state, and are replaced, not changed."""
        found = Core.__new__(Core)
        found.chance, found.log, found.looking = self.chance, None, True
        found.piles, found.cells = self.piles[:], self.cells[:]
        return found

    def key(self) -> tuple[Any, ...]:
        """What is equal exactly when two states are: for hashing and memory."""
        return (self.pc, tuple(map(tuple, self.piles)), tuple(self.cells))
