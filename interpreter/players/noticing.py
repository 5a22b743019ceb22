"""Piles, cells and a log that note what rules and verbs do with them."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, SupportsIndex

from interpreter.players.deeds import Role
from interpreter.running import verbs
from interpreter.running.state import Event


class Watch(ABC):
    """Who is told of what is done.

    looked_at  how pieces were looked at that the seat does not see, by their numbers; `looks`: how often
    secret     the cells that the seat may not know; `set_now` those that were set, `secrets` whether any was looked at
    """

    def __init__(self, secret: frozenset[int]) -> None:
        self.looked_at: dict[int, Role] = {}
        self.looks = 0
        self.secret = secret
        self.set_now: set[int] = set()
        self.secrets = False

    @abstractmethod
    def sees(self, pile: Pieces, height: int) -> bool:
        """Does the seat see the piece there?"""

    @abstractmethod
    def leaves(self, pile: Pieces, number: int, height: int, by_choice: bool) -> None:
        """A piece is about to leave a pile, by its place or because it is the piece it is."""

    @abstractmethod
    def comes(self, pile: Pieces, piece: int) -> None:
        """A piece is about to come to lie on top of a pile."""

    @abstractmethod
    def mixed(self, number: int, pieces: list[int]) -> Pieces:
        """A pile has been mixed."""

    @abstractmethod
    def replaced(self, old: list[list[int]], found: list[list[int]]) -> list[list[int]]:
        """All piles are to be replaced."""

    @abstractmethod
    def renewed(self, cells: dict[int, Any]) -> None:
        """Secret cells are as everybody knows them to be at first."""

    @abstractmethod
    def tells(self, event: Event) -> None:
        """Something is told."""


class Pieces(list[int]):
    """A pile that notes what happens to it; `numbers` are those of its pieces. One without a `course` is only remembered."""

    __slots__ = ("course", "number", "numbers")

    def __init__(
        self, pieces: Iterable[int], numbers: list[int], number: int = -1, course: Watch | None = None
    ) -> None:
        super().__init__(pieces)
        self.numbers, self.number, self.course = numbers, number, course

    def append(self, piece: int) -> None:
        if self.course is not None:
            self.course.comes(self, piece)
        super().append(piece)

    def extend(self, pieces: Iterable[int]) -> None:
        for piece in pieces:
            self.append(piece)

    def __iadd__(self, pieces: Iterable[int]) -> Pieces:  # type: ignore[override, misc]
        self.extend(list(pieces))
        return self

    def pop(self, place: SupportsIndex = -1) -> int:
        self._leaves(int(place) % len(self), by_choice=True)
        return super().pop(place)

    def remove(self, piece: int) -> None:
        self._leaves(list.index(self, piece), by_choice=True)
        super().remove(piece)

    def clear(self) -> None:
        del self[:]

    def __delitem__(self, place: SupportsIndex | slice) -> None:
        if not isinstance(place, slice):
            self.pop(place)
            return
        for height in reversed(range(len(self))[place]):
            self._leaves(height, by_choice=False)
            super().__delitem__(height)

    def __getitem__(self, place: Any) -> Any:
        self._looked_into(place)
        found = super().__getitem__(place)
        return Pieces(found, self.numbers[place]) if isinstance(place, slice) else found

    def __iter__(self) -> Iterator[int]:
        self._looked_into(slice(None))
        return super().__iter__()

    def __contains__(self, piece: object) -> bool:
        self._looked_into(slice(None))
        return super().__contains__(piece)

    def _looked_into(self, place: int | slice) -> None:
        """Note that rules look at pieces that the seat does not see. What verbs move they may look at."""
        course = self.course
        if course is None:
            return
        if sys._getframe(2).f_globals.get("__name__") in (verbs.__name__, __name__):
            return
        heights = range(len(self))[place]
        if not isinstance(heights, range):
            if not course.sees(self, heights):
                course.looks += 1
                course.looked_at[self.numbers[heights]] = self.number, heights
            return
        unseen = [self.numbers[height] for height in heights if not course.sees(self, height)]
        course.looks += bool(unseen)
        for number in unseen:
            course.looked_at.setdefault(number, self.number)

    def _leaves(self, height: int, by_choice: bool) -> None:
        if self.course is not None:
            self.course.leaves(self, self.numbers.pop(height), height, by_choice)


class Piles(list[list[int]]):
    """All piles; what replaces some of them is noted."""

    __slots__ = ("course",)

    def __init__(self, piles: Iterable[list[int]], course: Watch) -> None:
        super().__init__(piles)
        self.course = course

    def __setitem__(self, place: Any, found: Any) -> None:
        if isinstance(place, slice):
            super().__setitem__(slice(None), self.course.replaced(self, list(found)))
        elif found is not self[place]:
            super().__setitem__(place, self.course.mixed(place, found))


class Cells(list[Any]):
    """The cells; which of the secret ones are set is noted."""

    __slots__ = ("course",)

    def __init__(self, cells: Iterable[Any], course: Watch) -> None:
        super().__init__(cells)
        self.course = course

    def __getitem__(self, place: Any) -> Any:
        self.course.secrets |= not isinstance(place, slice) and place in self.course.secret
        return super().__getitem__(place)

    def __setitem__(self, place: Any, found: Any) -> None:
        super().__setitem__(place, found)
        course = self.course
        if isinstance(place, slice):  # only what is renewed is set so
            cells = course.secret.intersection(range(len(self))[place])
            course.renewed({cell: list.__getitem__(self, cell) for cell in sorted(cells)})
        elif place in course.secret:
            course.set_now.add(place)


class Log(list[Event]):
    """What is told, looked at when it is."""

    __slots__ = ("course",)

    def __init__(self, course: Watch) -> None:
        super().__init__()
        self.course = course

    def append(self, event: Event) -> None:
        super().append(event)
        self.course.tells(event)
