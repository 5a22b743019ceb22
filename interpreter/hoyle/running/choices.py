"""Actions that are only made when they are looked at: there are so many ways of laying away three of thirteen cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, repeat
from math import comb
from typing import overload

from hoyle.running.state import Action


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
