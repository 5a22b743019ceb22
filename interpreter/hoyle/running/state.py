"""The running state: piles and cells of small integers, the block where the flow stands, and the events of its log."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, repeat
from math import comb
from typing import Any, overload

from hoyle.running.chance import Chance

Action = tuple[Any, ...]
Event = tuple[Any, ...]
MIXED = ("shuffle", "cut")
CHANCE = (*MIXED, "roll", "lots")
"""Events of chance; those of `MIXED` reorder a pile."""


class Core:
    """A state that blocks work on.

    piles   every pile, bottom to top, and a last one that is always empty (absent has index -1)
    cells   state, then registers
    pc      the block it stands at; -1 before the start
    acts    the legal actions there
    faults  the obligation that each action would break, if faults can be called
    actor   the player who decides
    log     events, or None if nobody wants them
    back    the state that `take_back` restores
    """

    __slots__ = ("actor", "acts", "back", "cells", "chance", "faults", "log", "looking", "over", "pc", "piles")

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
        """A copy for looking ahead: no chance, no log."""
        found = Core.__new__(Core)
        found.chance, found.log, found.looking = self.chance, None, True
        found.piles = list(map(list.copy, self.piles))
        found.cells = self.cells[:]
        found.pc, found.acts, found.faults, found.actor = self.pc, self.acts, self.faults, self.actor
        found.back, found.over = self.back, self.over
        return found

    def lent(self) -> Core:
        """A copy for generated code that replaces piles instead of changing them: it shares the piles of this state."""
        found = Core.__new__(Core)
        found.chance, found.log, found.looking = self.chance, None, True
        found.piles, found.cells = self.piles[:], self.cells[:]
        return found

    def key(self) -> tuple[Any, ...]:
        """Equal exactly for equal states: for hashing."""
        return (self.pc, tuple(map(tuple, self.piles)), tuple(self.cells))


ENDED = ("trick", "deal")
"""Events of `ends`, by their number in the log."""
Groups = Sequence[Sequence[int]]
"""Pieces that are shown along with an event, grouped."""


def open_pieces(of: Groups) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """The pieces to log with an event: none unless all of them lie face up."""
    found = tuple(group for pieces in of if (group := tuple(p for p in pieces if p >= 0)))
    return (found,) if found and all(p & 1 for group in found for p in group) else ()


class Choices(Sequence[Action]):
    """The actions of a move that only chooses so many of these pieces, made when they are read, in the order of `itertools.combinations`.

    Equal to the list of them.
    """

    __slots__ = ("_count", "_items", "_move", "_size")

    def __init__(self, move: int, items: Sequence[int], size: int) -> None:
        self._move = move
        self._items, self._size = (tuple(items), size) if size >= 0 else ((), 1)  # there is no list of fewer than none
        self._count = comb(len(self._items), self._size)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[Action]:
        return zip(repeat(self._move, self._count), combinations(self._items, self._size), strict=True)

    @overload
    def __getitem__(self, place: int) -> Action: ...
    @overload
    def __getitem__(self, place: slice) -> list[Action]: ...
    def __getitem__(self, place: int | slice) -> Action | list[Action]:
        if isinstance(place, slice):
            return list(self)[place]
        if not -self._count <= place < self._count:
            raise IndexError(place)
        return (self._move, self._chosen(place % self._count))

    def _chosen(self, place: int) -> tuple[int, ...]:
        """The combination at a place: those with the first piece come before those without it, and so on."""
        items, left, found = self._items, self._size, []
        for n, item in enumerate(items, 1):
            if not left:
                break
            with_it = comb(len(items) - n, left - 1)
            if place < with_it:
                found.append(item)
                left -= 1
            else:
                place -= with_it
        return tuple(found)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]
