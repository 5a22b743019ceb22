"""Many games of a native engine side by side, stepped by one call, and their encoding for programs that learn: see `lanes.c` and `coding.c`.

Results stand in arrays that stay where they are."""

from __future__ import annotations

import ctypes
import mmap
import sys
from array import array
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from msgspec import Struct

from hoyle.native.engine import Native
from hoyle.native.rows import core_of
from hoyle.running.machine import MOST_DECISIONS
from hoyle.running.state import Core

_M64 = (1 << 64) - 1
_Number, _Unsigned, _Pointer = ctypes.c_longlong, ctypes.c_ulonglong, ctypes.c_void_p


class _Lanes(ctypes.Structure):
    """The struct of the same name in C."""

    _fields_ = (
        *((name, _Pointer) for name in ("states", "index", "decided", "pick", "results", "length", "count", "actor")),
        *((name, _Pointer) for name in ("over", "cut", "lead", "gained")),
        *((name, _Unsigned) for name in ("seed", "stride")),
        ("most", _Number),
    )


class Lanes:
    """`count` games at once.

    Lane n plays the games n, n + count, n + 2 * count, … of the series of a seed one after another, with the same
    chance as `simulate`. A `Lanes` must not be shared by threads; it shares each call among `threads` of its own.

    Arrays, one value a lane unless it says otherwise:

    index     the game of the series that is played, 64 bits
    decided   its decisions so far, 64 bits
    count     the number of actions to choose from, 32 bits
    actor     the player who chooses; -1 if nobody does, 8 bits
    over      did a game end by its rules in the last step? 8 bits
    cut       was it left, after `most` decisions or because the native engine could not go on? 8 bits
    length    decisions of the game that ended or was left, else 0, 64 bits
    results   its score for each side, then for each whether it wins, else 0; a game that is left has scores so far,
    if known, 64 bits each
    gained    how much each side's lead over the mean of the others grew in the last step, if `reckoned`, 64-bit
    floats"""

    def __init__(
        self,
        native: Native,
        count: int,
        seed: int,
        most: int = MOST_DECISIONS,
        threads: int = 1,
        reckoned: bool = False,
    ) -> None:
        self._native, self.library, self.size = native, native.hunts()[0], count
        self.sides = max(native.sides) + 1
        self._states = room(count * self.library.hoyle_state())
        self.index, self.decided, self._pick = array("Q", range(count)), _zeros("q", count), _zeros("Q", 2 * count)
        self.results, self.length = _zeros("q", 2 * self.sides * count), _zeros("q", count)
        self.count, self.actor = _zeros("i", count), _zeros("b", count)
        self.over, self.cut = _zeros("B", count), _zeros("B", count)
        arrays = (self.index, self.decided, self._pick, self.results, self.length, self.count, self.actor)
        self._lead, self.gained = (_zeros("d", self.sides * count) for _ in range(2))
        places = [address(one) for one in (*arrays, self.over, self.cut)]
        places += [address(one) * reckoned for one in (self._lead, self.gained)]
        states = ctypes.addressof(ctypes.c_char.from_buffer(self._states))
        self._lanes = _Lanes(states, *places, seed & _M64, count, most)
        if self.library.hoyle_lanes() != ctypes.sizeof(_Lanes):
            raise AssertionError("lanes are not in Python what they are in C")
        self._parts = _parts(count, threads)
        contexts = (ctypes.create_string_buffer(self.library.hoyle_context()) for _ in self._parts)
        self._contexts = [*contexts]
        self._pool = ThreadPoolExecutor(len(self._parts) - 1) if len(self._parts) > 1 else None
        self.begin(seed)

    def begin(self, seed: int) -> None:
        """Begins the first games of a series in all lanes. Raises TypeError if the seed is no whole number."""
        self._lanes.seed = seed & _M64
        self.index[:] = array("Q", range(self.size))
        for told in (self.over, self.cut, self.length, self.results):
            ctypes.memset(address(told), 0, len(told) * told.itemsize)
        self.each("begin")

    def step(self, numbers: int) -> None:
        """Does the actions whose numbers stand at this address, 64 bits each. Numbers are not checked; lanes without
        actions ignore theirs."""
        self.each("step", _Pointer(numbers))

    def pick(self, numbers: int) -> None:
        """Writes random action numbers to this address, those that a random game of the series takes."""
        self.each("pick", _Pointer(numbers))

    def play(self, steps: int) -> array[int]:
        """Makes so many random steps.

        Returns a row for each lane: decisions, games that ended, games left, then of those that ended the sum of each
        side's scores and its wins."""
        totals = _zeros("q", self.size * (3 + 2 * self.sides))
        self.each("play", _Number(steps), _Pointer(address(totals)))
        return totals

    def core(self, lane: int) -> Core:
        """The state of a lane."""
        row = (_Number * self._native.longest)()
        state = ctypes.addressof(ctypes.c_char.from_buffer(self._states, lane * self.library.hoyle_state()))
        written = self.library.hoyle_out(_Pointer(state), row)
        return core_of(row[:written], self._native.places, self._native.machine)

    def each(self, name: str, *given: Any) -> int:
        """Calls a function of C for all lanes, shared among the threads, while other Python threads run. Returns the
        sum of its results."""
        function = getattr(self.library, f"hoyle_lanes_{name}")
        function.restype = _Number
        lanes = ctypes.byref(self._lanes)
        first, *others = (
            (context, lanes, _Number(begin), _Number(end), *given)
            for context, (begin, end) in zip(self._contexts, self._parts, strict=True)
        )
        waiting = [self._pool.submit(function, *part) for part in others] if self._pool is not None else []
        found = int(function(*first))
        return found + sum(int(one.result()) for one in waiting)


def address(numbers: array[Any]) -> int:
    """The address of an array."""
    return numbers.buffer_info()[0]


def _zeros(kind: str, count: int) -> array[Any]:
    return array(kind, bytes(array(kind).itemsize * count))


def room(size: int) -> mmap.mmap:
    """Zeroed memory that the system only provides as it is used: most of a state is room that games seldom need."""
    if sys.platform == "win32":
        return mmap.mmap(-1, size)
    return mmap.mmap(
        -1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    )  # of its own use shared memory, whose size may be limited


def _parts(count: int, threads: int) -> list[tuple[int, int]]:
    """Ranges of lanes for threads, of nearly equal size."""
    wanted = max(1, min(threads, count))
    return [(count * n // wanted, count * (n + 1) // wanted) for n in range(wanted)]


class Tables(Struct, frozen=True):
    """What numbers mean, as `coding.c` has it: `size` action numbers, of which `end` ends a list and items begin at
    `first_item`; `width` numbers of an observation."""

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
    """The struct of the same name in C."""

    _fields_ = (
        *((name, _Pointer) for name in ("moves", "codes", "values", "points", "rows")),
        *((name, _Number) for name in ("size", "end", "first_item", "width")),
        *((name, _Pointer) for name in ("chosen", "seen", "mask", "last", "whose")),
    )


class Coded:
    """Lanes whose actions are chosen by encoded numbers.

    seen    what the player who chooses observes, `width` 32-bit floats a lane
    mask    which numbers may be chosen, `size` bytes a lane, each 0 or 1
    last    where a game ended or was left in the last step, what `whose` observed then; elsewhere undefined
    whose   the player who would have chosen in a game that is left, or chose last in one that ended; -1 elsewhere, 8
    bits"""

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
        """As `Lanes.play`; numbers chosen for unfinished actions are dropped."""
        found = self.lanes.play(steps)
        self._forget()
        return found

    def _forget(self) -> None:
        ctypes.memset(address(self._chosen), 0, len(self._chosen) * self._chosen.itemsize)
        ctypes.memset(address(self.whose), -1, len(self.whose))
        self.look()

    def look(self) -> None:
        """Updates observations and masks."""
        self._each("look")

    def choose(self, numbers: int) -> int:
        """Chooses the numbers at this address, 64 bits each, then updates observations. Returns in how many lanes the
        number could not be chosen; nothing is done there."""
        return self._each("choose", _Pointer(numbers))

    def observe(self, seat: int, to: int) -> None:
        """Writes the observation of a seat in each lane to this address."""
        self._each("observe", _Number(seat), _Pointer(to))

    def nth(self, parts: int, to: int) -> None:
        """Writes a legal number for each lane to this address: the one that such a fraction (at `parts`) of the legal
        numbers comes before; 0 where there is none."""
        self._each("nth", _Pointer(parts), _Pointer(to))

    def _each(self, name: str, *given: Any) -> int:
        return self.lanes.each(name, ctypes.byref(self._coding), *given)
