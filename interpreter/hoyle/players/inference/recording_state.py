"""A state that records what rules and verbs do with hidden pieces, and the events it records.

`move_replay` makes a move in such a state. Hidden pieces are veiled: comparing one, or using it as an index, is recorded as a look.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from types import FrameType
from typing import Any, SupportsIndex

from msgspec import Struct

from hoyle.running import verbs
from hoyle.running.state import Action, Core, Event

_MAY_LOOK = frozenset({verbs.__name__, __name__, "hoyle.players.inference.move_replay"})
"""Modules that look at pieces without telling anybody anything."""

Role = int | tuple[int, int]
"""How a hidden piece was looked at: among all of a pile (its number), or alone (pile and height)."""
Outcome = tuple[object, ...]
"""The result of a block, and everything that a seat sees then."""


# ---- events of a replay ----------------------------------------------------------------------------------------------


class Removed(Struct, frozen=True):
    """A piece left a pile.

    `seen` tells which of its pieces the seat saw. `by_place` is true if the position in the pile alone identified the piece.
    """

    piece: int
    piece_class: int
    pile: int
    height: int
    seen: tuple[bool, ...]
    by_place: bool


class Added(Struct, frozen=True):
    """A piece was put on top of a pile."""

    piece: int
    pile: int


class Revealed(Struct, frozen=True):
    """A piece that everybody knows was put on top of a pile, because packs start in a known order."""

    piece: int
    pile: int
    piece_class: int


class Shuffled(Struct, frozen=True):
    """A pile was shuffled; its pieces are followed by new numbers."""

    pile: int
    pieces: tuple[int, ...]


class Confused(Struct, frozen=True):
    """Pieces were moved by position, but a secret decided how many. Nobody knows which of them lies where."""

    pieces: tuple[int, ...]


class Restored(Struct, frozen=True):
    """A pile holds these pieces again, or keeps only them."""

    pile: int
    pieces: tuple[int, ...]


class BlockRun(Struct, frozen=True):
    """A block, or the immediate part of a move (`action`), looked at or set hidden things.

    core       the state before it
    outcome    what the seat saw of the result
    looked_at  hidden pieces that were looked at
    cells      secret cells that were set; `secrets`, if some were read
    lots       lots that were drawn; None if there was chance that not everybody saw
    """

    core: Core
    pc: int
    action: Action | None
    outcome: Outcome
    looked_at: dict[int, Role]
    cells: tuple[int, ...]
    secrets: bool
    lots: tuple[Any, ...] | None


class BlockEnd(Struct, frozen=True):
    """The block of the last `BlockRun` ended."""


class CellsReset(Struct, frozen=True):
    """Secret cells got values that everybody knows."""

    cells: dict[int, Any]


ReplayEvent = CellsReset | Removed | Added | Revealed | Shuffled | Confused | Restored | BlockRun | BlockEnd


class Replay(Struct, frozen=True):
    """A replayed move, up to the next decision.

    events  what happened, in order
    told    classes of pieces that the seat was told, by number
    kept    numbers of the pieces that `take_back` would restore
    next    the first unused number
    listed  hidden pieces looked at to list the move as legal
    """

    events: list[ReplayEvent]
    told: dict[int, int]
    kept: list[list[int]] | None
    end: Core
    next: int
    listed: dict[int, Role]


# ---- the recorder ----------------------------------------------------------------------------------------------------


class Recorder(ABC):
    """Receives what happens to piles, cells and the log.

    looked_at  how hidden pieces were looked at, by number; `looks` counts
    secret     cells that the seat may not know; `set_now` were set, `secrets` tells if any was read
    """

    def __init__(self, secret: frozenset[int]) -> None:
        self.looked_at: dict[int, Role] = {}
        self.looks = 0
        self.secret = secret
        self.set_now: set[int] = set()
        self.secrets = False

    @abstractmethod
    def sees(self, pile: Pieces, height: int) -> bool:
        """Return True if the seat sees the piece."""

    @abstractmethod
    def is_visible(self, piece_class: int) -> bool:
        """Return True if the only piece of a class lies where the seat sees it."""

    @abstractmethod
    def piece_leaves(self, pile: Pieces, number: int, height: int, by_choice: bool) -> None:
        """Record a piece before it leaves a pile; `by_choice`, if it was named and not taken by its place."""

    @abstractmethod
    def piece_comes(self, pile: Pieces, piece: int) -> None:
        """Record a piece before it is added to a pile."""

    @abstractmethod
    def pile_shuffled(self, number: int, pieces: list[int]) -> Pieces:
        """Record a shuffle, and return the pile to use."""

    @abstractmethod
    def piles_replaced(self, old: list[list[int]], new: list[list[int]]) -> list[list[int]]:
        """Record that all piles are replaced, and return the piles to use."""

    @abstractmethod
    def cells_reset(self, cells: dict[int, Any]) -> None:
        """Record secret cells that were reset."""

    @abstractmethod
    def event_logged(self, event: Event) -> None:
        """Record what is told to players."""


class Veiled:
    """A hidden piece as rules see it. Its face may be read freely; each read of its class is recorded.

    A comparison with a piece that the seat sees elsewhere tells nothing, so it is not recorded.
    """

    __slots__ = ("_number", "_piece", "_recorder", "_role")

    def __init__(self, pile: Pieces, height: int, role: Role) -> None:
        self._piece, self._number, self._role = list.__getitem__(pile, height), pile.numbers[height], role
        self._recorder = pile.recorder

    def record(self) -> int:
        """Record a look, and return the piece."""
        recorder = self._recorder
        if recorder is not None:
            recorder.looks += 1
            if isinstance(self._role, tuple):
                recorder.looked_at[self._number] = self._role
            else:
                recorder.looked_at.setdefault(self._number, self._role)
        return self._piece

    def _look(self, depth: int = 2) -> int:
        """Return the piece, and record a look unless the calling code may look freely.

        `depth` is the number of stack frames up to that code.
        """
        return self._piece if _may_look(sys._getframe(depth)) else self.record()

    def __int__(self) -> int:
        return self._piece

    def __and__(self, other: int) -> int:
        return self._piece & other

    def __or__(self, other: int) -> int:
        return self._piece | other

    def __xor__(self, other: int) -> int:
        return self._piece ^ other

    def __rshift__(self, other: int) -> Any:
        may_look = _may_look(sys._getframe(1))
        return self._piece >> other if may_look else _VeiledClass(self) if other == 1 else self.record() >> other

    def __index__(self) -> int:
        return self._piece if sys._getframe(1).f_globals.get("__name__") in _MAY_LOOK else self.record()

    def __hash__(self) -> int:
        return hash(self._look())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Veiled):
            return self.is_same(other) or self._look() == other._look()
        return isinstance(other, int) and not self.cannot_be(other >> 1) and self._look() == other

    def is_same(self, other: Veiled) -> bool:
        return self._number == other._number

    def cannot_be(self, piece_class: int) -> bool:
        """Return True if the seat knows that this is not of a class."""
        return piece_class < 0 or (self._recorder is not None and self._recorder.is_visible(piece_class))

    def __lt__(self, other: Any) -> bool:
        return bool(self._compare_with(other) < int(other))

    def __le__(self, other: Any) -> bool:
        return bool(self._compare_with(other) <= int(other))

    def __gt__(self, other: Any) -> bool:
        return bool(self._compare_with(other) > int(other))

    def __ge__(self, other: Any) -> bool:
        return bool(self._compare_with(other) >= int(other))

    def _compare_with(self, other: Any) -> int:
        """Return the piece. The look is not recorded if the comparison only asks whether there is a piece."""
        return self._piece if isinstance(other, int) and other <= 0 else self._look(3)


class _VeiledClass:
    """The class of a hidden piece. Comparing it with the class of a visible piece is not recorded."""

    __slots__ = ("_veiled",)

    def __init__(self, veiled: Veiled) -> None:
        self._veiled = veiled

    def __eq__(self, other: object) -> bool:
        if isinstance(other, _VeiledClass):
            return self._veiled.is_same(other._veiled) or int(self) == int(other)
        return isinstance(other, int) and not self._veiled.cannot_be(other) and int(self) == other

    def __hash__(self) -> int:
        return hash(int(self))

    def __index__(self) -> int:
        return self._veiled.record() >> 1

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


def unveil(value: Any) -> Any:
    """Return a value, or a tuple of values, without veils."""
    if type(value) is int:  # the usual case first
        return value
    if isinstance(value, tuple):
        return tuple(map(unveil, value))
    return int(value) if isinstance(value, Veiled) else value


def _may_look(frame: FrameType) -> bool:
    return frame.f_globals.get("__name__") in _MAY_LOOK


# ---- piles, cells and log --------------------------------------------------------------------------------------------


class Pieces(list[int]):
    """A pile that reports to a recorder; `numbers` are those of its pieces. Without a recorder it is only a copy."""

    __slots__ = ("number", "numbers", "recorder")

    def __init__(
        self, pieces: Iterable[int], numbers: list[int], number: int = -1, recorder: Recorder | None = None
    ) -> None:
        super().__init__(pieces)
        self.numbers, self.number, self.recorder = numbers, number, recorder

    def append(self, piece: int) -> None:
        if self.recorder is not None:
            self.recorder.piece_comes(self, int(piece))
        super().append(int(piece))

    def extend(self, pieces: Iterable[int]) -> None:
        for piece in pieces:
            self.append(piece)

    def __iadd__(self, pieces: Iterable[int]) -> Pieces:  # type: ignore[override, misc]
        self.extend(list(pieces))
        return self

    def pop(self, place: SupportsIndex = -1) -> int:
        self._report_leaving(int(place) % len(self), by_choice=True)
        return super().pop(place)

    def remove(self, piece: int) -> None:
        self._report_leaving(list.index(self, int(piece)), by_choice=True)
        super().remove(int(piece))

    def clear(self) -> None:
        del self[:]

    def __delitem__(self, place: SupportsIndex | slice) -> None:
        if not isinstance(place, slice):
            self.pop(place)
            return
        for height in reversed(range(len(self))[place]):
            self._report_leaving(height, by_choice=False)
            super().__delitem__(height)

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        if self.recorder is None or _may_look(sys._getframe(1)):
            return Pieces(found, self.numbers[place]) if isinstance(place, slice) else found
        if isinstance(place, slice):
            return self._veil()[place]
        height = int(place) % len(self)
        return found if self.recorder.sees(self, height) else Veiled(self, height, (self.number, height))

    def __iter__(self) -> Iterator[int]:
        if self.recorder is None or _may_look(sys._getframe(1)):
            return super().__iter__()
        return iter(self._veil())

    def __contains__(self, piece: object) -> bool:
        if self.recorder is None or _may_look(sys._getframe(1)):
            return super().__contains__(piece)
        if not (isinstance(piece, int) and self.recorder.is_visible(piece >> 1)):
            for one in self._veil():
                if isinstance(one, Veiled):
                    one.record()
        return super().__contains__(int(piece) if isinstance(piece, Veiled) else piece)

    def _veil(self) -> list[Any]:
        """Return the pieces, veiled where the seat does not see them."""
        recorder, pieces = self.recorder, list[Any](super().__iter__())
        for height in range(len(pieces)):
            if recorder is not None and not recorder.sees(self, height):
                pieces[height] = Veiled(self, height, self.number)
        return pieces

    def _report_leaving(self, height: int, by_choice: bool) -> None:
        if self.recorder is not None:
            self.recorder.piece_leaves(self, self.numbers.pop(height), height, by_choice)


class Piles(list[list[int]]):
    """All piles; replacements are reported."""

    __slots__ = ("recorder",)

    def __init__(self, piles: Iterable[list[int]], recorder: Recorder) -> None:
        super().__init__(piles)
        self.recorder = recorder

    def __setitem__(self, place: Any, new: Any) -> None:
        if isinstance(place, slice):
            super().__setitem__(slice(None), self.recorder.piles_replaced(self, list(new)))
        elif new is not self[place]:
            super().__setitem__(place, self.recorder.pile_shuffled(place, new))


class Cells(list[Any]):
    """The cells of state; reading and setting secret ones is reported."""

    __slots__ = ("recorder",)

    def __init__(self, cells: Iterable[Any], recorder: Recorder) -> None:
        super().__init__(cells)
        self.recorder = recorder

    def __getitem__(self, place: Any) -> Any:
        self.recorder.secrets |= not isinstance(place, slice) and place in self.recorder.secret
        return super().__getitem__(place)

    def __setitem__(self, place: Any, new: Any) -> None:
        super().__setitem__(place, new)
        recorder = self.recorder
        if isinstance(place, slice):  # only a reset sets a slice
            cells = recorder.secret.intersection(range(len(self))[place])
            recorder.cells_reset({cell: list.__getitem__(self, cell) for cell in sorted(cells)})
        elif place in recorder.secret:
            recorder.set_now.add(place)


class Log(list[Event]):
    """The log of events; each is reported."""

    __slots__ = ("recorder",)

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()
        self.recorder = recorder

    def append(self, event: Event) -> None:
        super().append(unveil(event))
        self.recorder.event_logged(unveil(event))
