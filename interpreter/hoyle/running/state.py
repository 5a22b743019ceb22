"""The running state: piles of small ints, cells of small ints, and where the flow stands."""

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


ENDED = ("trick", "deal")
"""What `ends` tells the end of, by its number in the log."""
Groups = Sequence[Sequence[int]]
"""Pieces that are told along with something, as they belong together."""


def in_the_open(of: Groups) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """What is told of pieces: nothing, unless all of them lie face up."""
    found = tuple(group for pieces in of if (group := tuple(p for p in pieces if p >= 0)))
    return (found,) if found and all(p & 1 for group in found for p in group) else ()


class Choices(Sequence[Action]):
    """The actions of one move that binds nothing but so many of these pieces, in the order of `itertools.combinations`. Equal to the list of them."""

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
        """After those with the first piece come those without it, and so on."""
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
