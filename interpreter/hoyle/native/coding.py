"""Lanes for programs that learn: what is chosen by number and what a seat observes, by tables that say what the numbers mean: see `coding.c`."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from hoyle.native.lanes import Lanes, address, room

_Number, _Pointer = ctypes.c_longlong, ctypes.c_void_p


class Tables(Struct, frozen=True):
    """What numbers mean, as `coding.c` has it; `size` numbers of actions, of which `end` ends a list and items begin at `first_item`; `width` numbers of
    an observation."""

    moves: Sequence[int]
    codes: Sequence[int]
    values: Sequence[int]
    points: Sequence[int]
    rows: Sequence[int]
    size: int
    end: int
    first_item: int
    width: int


class _Coding(ctypes.Structure):
    """As in C."""

    _fields_ = (
        *((name, _Pointer) for name in ("moves", "codes", "values", "points", "rows")),
        *((name, _Number) for name in ("size", "end", "first_item", "width")),
        *((name, _Pointer) for name in ("chosen", "seen", "mask", "last", "whose")),
    )


class Coded:
    """Lanes whose actions are chosen by such numbers.

    seen    what is observed by who chooses in each lane    `width` floats of 32 bits a lane
    mask    which numbers may be chosen there               `size` bytes a lane, each 0 or 1
    last    where a game was over or left in the last step: what was observed at its end, by `whose`; elsewhere it means nothing    as `seen`
    whose   of a game that was left, who would have been to choose; of one that is over, who chose last; -1: nothing is told    8 bits a lane
    """

    def __init__(self, lanes: Lanes, tables: Tables) -> None:
        self.lanes, self.tables = lanes, tables
        lists = (tables.moves, tables.codes, tables.values, tables.points, tables.rows)
        self._lists = [array("q", one or [0]) for one in lists]
        self._chosen = array("i", bytes(4 * lanes.size * lanes.library.hoyle_path()))
        self.seen, self.mask = (
            array("f", bytes(4 * lanes.size * tables.width)),
            array("b", bytes(lanes.size * tables.size)),
        )
        self.last, self.whose = room(4 * lanes.size * tables.width), array("b", [-1] * lanes.size)
        last = ctypes.addressof(ctypes.c_char.from_buffer(self.last))
        made = (*(address(one) for one in (self._chosen, self.seen, self.mask)), last, address(self.whose))
        sizes = (tables.size, tables.end, tables.first_item, tables.width)
        self._coding = _Coding(*map(address, self._lists), *sizes, *made)
        if lanes.library.hoyle_coding() != ctypes.sizeof(_Coding):
            raise AssertionError("tables are not in Python what they are in C")
        self.look()

    def begin(self, seed: int) -> None:
        """Begins the first games of a series in all lanes. Raises TypeError if the seed is no whole number."""
        self.lanes.begin(seed)
        self._forget()

    def play(self, steps: int) -> array[int]:
        """As `Lanes.play`; what was chosen of an action is forgotten."""
        found = self.lanes.play(steps)
        self._forget()
        return found

    def _forget(self) -> None:
        ctypes.memset(address(self._chosen), 0, len(self._chosen) * self._chosen.itemsize)
        ctypes.memset(address(self.whose), -1, len(self.whose))
        self.look()

    def look(self) -> None:
        """What is observed, and what may be chosen."""
        self._each("look")

    def choose(self, numbers: int) -> int:
        """Chooses the numbers that stand at this address, of 64 bits each; then looks. In how many lanes that could not be chosen: nothing is done there."""
        return self._each("choose", _Pointer(numbers))

    def observe(self, seat: int, to: int) -> None:
        """Writes what a seat observes in each lane to this address."""
        self._each("observe", _Number(seat), _Pointer(to))

    def nth(self, parts: int, to: int) -> None:
        """Writes a number that may be chosen in each lane to this address: the one before which such a part of them comes, of the fractions at `parts`; 0 where none may."""
        self._each("nth", _Pointer(parts), _Pointer(to))

    def _each(self, name: str, *given: Any) -> int:
        return self.lanes.each(name, ctypes.byref(self._coding), *given)
