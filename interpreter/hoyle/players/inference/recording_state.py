"""Piles, cells and a log that note what rules and verbs do with them."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import Any, SupportsIndex

from msgspec import Struct

from hoyle.running import verbs
from hoyle.running.state import Action, Core, Event

Role = int | tuple[int, int]
"""How a hidden piece was looked at: among all of a pile, or alone, by pile and height."""
Outcome = tuple[object, ...]
"""Where a block came to, and everything that a seat sees then."""


class Left(Struct, frozen=True):
    """A piece has left a pile: where it lay, what the seat saw of the pile, and whether all know by its place which it was."""

    piece: int
    sort: int
    pile: int
    height: int
    seen: tuple[bool, ...]
    by_place: bool


class Came(Struct, frozen=True):
    """A piece has come to lie on top of a pile."""

    piece: int
    pile: int


class New(Struct, frozen=True):
    """A piece lies on top of a pile, and all know what it is: packs begin in order."""

    piece: int
    pile: int
    sort: int


class Mixed(Struct, frozen=True):
    """The pieces of a pile were mixed; by which numbers they are followed from then on."""

    pile: int
    pieces: tuple[int, ...]


class Confused(Struct, frozen=True):
    """Pieces moved by their places, but how many hung on what is secret: which of these lies where is not known."""

    pieces: tuple[int, ...]


class Put(Struct, frozen=True):
    """A pile has these pieces again, from bottom to top: they were there before, or are its own still."""

    pile: int
    pieces: tuple[int, ...]


class Ran(Struct, frozen=True):
    """Rules looked at what is hidden, asked nobody though they would have, or set what is secret, in a block or (with an action) in what a move does
    at once: the state before it; what the seat saw come of it; the pieces looked at; the secret cells that were set, and whether some were
    looked at; and the lots that were drawn, None if there was chance that is not for all to know."""

    core: Core
    pc: int
    action: Action | None
    outcome: Outcome
    looked_at: dict[int, Role]
    cells: tuple[int, ...]
    secrets: bool
    lots: tuple[Any, ...] | None


class Done(Struct, frozen=True):
    """The block is at its end."""


class Renewed(Struct, frozen=True):
    """Secret cells are again as everybody knows them to be."""

    cells: dict[int, Any]


Deed = Renewed | Left | Came | New | Mixed | Confused | Put | Ran | Done


class Course(Struct, frozen=True):
    """A move from the decision to the next: what happened, in order, what the seat was told of pieces by their numbers, and where the
    pieces lie that `take_back` would restore."""

    deeds: list[Deed]
    told: dict[int, int]
    kept: list[list[int]] | None
    end: Core
    next: int
    listed: dict[int, Role]
    """The pieces looked at to say that the move was legal."""


_MAY_LOOK = frozenset({verbs.__name__, __name__, "hoyle.players.inference.move_replay"})
"""Modules that look at pieces without anybody learning from it."""


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
    def lies_open(self, sort: int) -> bool:
        """Does the only piece of a class lie where the seat sees it?"""

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


class Veiled:
    """A hidden piece as rules hold it: how it lies they may ask, what it is, is noted; of a piece that lies open elsewhere it is not news that this is another."""

    __slots__ = ("_course", "_number", "_piece", "_role")

    def __init__(self, pile: Pieces, height: int, role: Role) -> None:
        self._piece, self._number, self._role = list.__getitem__(pile, height), pile.numbers[height], role
        self._course = pile.course

    def note(self) -> int:
        """It is looked at what piece this is."""
        course = self._course
        if course is not None:
            course.looks += 1
            if isinstance(self._role, tuple):
                course.looked_at[self._number] = self._role
            else:
                course.looked_at.setdefault(self._number, self._role)
        return self._piece

    def _looked_at(self, depth: int = 2) -> int:
        """The same, if whoever asks (so many calls up) is no verb."""
        return self._piece if _by_verb(sys._getframe(depth)) else self.note()

    def __int__(self) -> int:
        return self._piece

    def __and__(self, other: int) -> int:
        return self._piece & other

    def __or__(self, other: int) -> int:
        return self._piece | other

    def __xor__(self, other: int) -> int:
        return self._piece ^ other

    def __rshift__(self, other: int) -> Any:
        by_verb = _by_verb(sys._getframe(1))
        return self._piece >> other if by_verb else _VeiledSort(self) if other == 1 else self.note() >> other

    def __index__(self) -> int:
        return self._piece if sys._getframe(1).f_globals.get("__name__") in _MAY_LOOK else self.note()

    def __hash__(self) -> int:
        return hash(self._looked_at())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Veiled):
            return self.is_same(other) or self._looked_at() == other._looked_at()
        return isinstance(other, int) and not self.is_another(other >> 1) and self._looked_at() == other

    def is_same(self, other: Veiled) -> bool:
        """Are both this one piece?"""
        return self._number == other._number

    def is_another(self, sort: int) -> bool:
        """Is it certainly none of a class?"""
        return sort < 0 or (self._course is not None and self._course.lies_open(sort))

    def __lt__(self, other: Any) -> bool:
        return bool(self._compared(other) < int(other))

    def __le__(self, other: Any) -> bool:
        return bool(self._compared(other) <= int(other))

    def __gt__(self, other: Any) -> bool:
        return bool(self._compared(other) > int(other))

    def __ge__(self, other: Any) -> bool:
        return bool(self._compared(other) >= int(other))

    def _compared(self, other: Any) -> int:
        """That it is there at all is no news."""
        return self._piece if isinstance(other, int) and other <= 0 else self._looked_at(3)


class _VeiledSort:
    """The class of a hidden piece, which may be compared with that of one that lies open."""

    __slots__ = ("_of",)

    def __init__(self, of: Veiled) -> None:
        self._of = of

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _VeiledSort):
            return self._of.is_same(other._of) or int(self) == int(other)
        return isinstance(other, int) and not self._of.is_another(other) and int(self) == other

    def __hash__(self) -> int:
        return hash(int(self))

    def __index__(self) -> int:
        return self._of.note() >> 1

    __int__ = __index__

    def __add__(self, other: int) -> int:
        return int(self) + other

    def __sub__(self, other: int) -> int:
        return int(self) - other

    def __mul__(self, other: int) -> int:
        return int(self) * other

    def __lt__(self, other: Any) -> bool:
        return int(self) < int(other)

    def __le__(self, other: Any) -> bool:
        return int(self) <= int(other)

    def __gt__(self, other: Any) -> bool:
        return int(self) > int(other)

    def __ge__(self, other: Any) -> bool:
        return int(self) >= int(other)

    __radd__, __rmul__ = __add__, __mul__


def plain(value: Any) -> Any:
    """The same without veils."""
    if type(value) is int:  # as nearly all are
        return value
    if isinstance(value, tuple):
        return tuple(map(plain, value))
    return int(value) if isinstance(value, Veiled) else value


def _by_verb(frame: FrameType) -> bool:
    """What verbs move, they may look at."""
    return frame.f_globals.get("__name__") in _MAY_LOOK


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
            self.course.comes(self, int(piece))
        super().append(int(piece))

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
        self._leaves(list.index(self, int(piece)), by_choice=True)
        super().remove(int(piece))

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
        found = super().__getitem__(place)
        if self.course is None or _by_verb(sys._getframe(1)):
            return Pieces(found, self.numbers[place]) if isinstance(place, slice) else found
        if isinstance(place, slice):
            return self._veiled()[place]
        height = int(place) % len(self)
        return found if self.course.sees(self, height) else Veiled(self, height, (self.number, height))

    def __iter__(self) -> Iterator[int]:
        if self.course is None or _by_verb(sys._getframe(1)):
            return super().__iter__()
        return iter(self._veiled())

    def __contains__(self, piece: object) -> bool:
        if self.course is None or _by_verb(sys._getframe(1)):
            return super().__contains__(piece)
        if not (isinstance(piece, int) and self.course.lies_open(piece >> 1)):
            for one in self._veiled():
                if isinstance(one, Veiled):
                    one.note()
        return super().__contains__(int(piece) if isinstance(piece, Veiled) else piece)

    def _veiled(self) -> list[Any]:
        """The pieces, those that the seat does not see in a veil."""
        course, pieces = self.course, list[Any](super().__iter__())
        for height in range(len(pieces)):
            if course is not None and not course.sees(self, height):
                pieces[height] = Veiled(self, height, self.number)
        return pieces

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
        super().append(plain(event))
        self.course.tells(plain(event))
