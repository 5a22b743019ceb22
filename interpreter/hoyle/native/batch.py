"""Steps many games of a native engine with one call, and encodes them for learning: see `lanes.c` and `coding.c`.

Results are in arrays whose memory addresses do not change.
"""

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
    """Plays `count` games at once.

    Lane n plays games n, n + count, n + 2 * count, … of a series with a given seed, in this order and with the same
    chance as `simulate`. A `Lanes` must not be shared by threads; it splits each call among its own `threads`.

    Arrays, one value per lane unless stated otherwise:

    index     number of the game in the series, 64 bits
    decided   number of its decisions so far, 64 bits
    count     number of legal actions, 32 bits
    actor     player to choose, or -1, 8 bits
    over      1 if a game ended by its rules in the last step, 8 bits
    cut       1 if a game was aborted, after `most` decisions or because the native engine could not go on, 8 bits
    length    number of decisions of the game that ended or was aborted, else 0, 64 bits
    results   score of each side, then 1 or 0 for each side that wins or not, 64 bits each; 0 while no
              game ended. An aborted game has its scores so far, if known
    gained    growth of each side's lead over the mean of the others in the last step, if `reckoned`, 64-bit floats
    """

    def __init__(
        self,
        native: Native,
        count: int,
        seed: int,
        most: int = MOST_DECISIONS,
        threads: int = 1,
        reckoned: bool = False,
    ) -> None:
        self._native, self.library, self.size = native, native.search_context()[0], count
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
        """Begin the first games of a series in all lanes. Raises TypeError if the seed is not an integer."""
        self._lanes.seed = seed & _M64
        self.index[:] = array("Q", range(self.size))
        for told in (self.over, self.cut, self.length, self.results):
            ctypes.memset(address(told), 0, len(told) * told.itemsize)
        self.each("begin")

    def step(self, numbers: int) -> None:
        """Play the actions whose numbers stand at this address, 64 bits each.

        Numbers are not checked. Lanes without legal actions ignore theirs.
        """
        self.each("step", _Pointer(numbers))

    def pick(self, numbers: int) -> None:
        """Write random action numbers to this address: those that a random game of the series takes."""
        self.each("pick", _Pointer(numbers))

    def play(self, steps: int) -> array[int]:
        """Make this many random steps.

        Returns a row per lane: number of decisions, of games that ended and of games that were aborted, then the sum of
        scores and the number of wins of each side over the games that ended.
        """
        totals = _zeros("q", self.size * (3 + 2 * self.sides))
        self.each("play", _Number(steps), _Pointer(address(totals)))
        return totals

    def core(self, lane: int) -> Core:
        """Return the state of a lane."""
        row = (_Number * self._native.longest)()
        state = ctypes.addressof(ctypes.c_char.from_buffer(self._states, lane * self.library.hoyle_state()))
        written = self.library.hoyle_out(_Pointer(state), row)
        return core_of(row[:written], self._native.places, self._native.machine)

    def each(self, name: str, *given: Any) -> int:
        """Call a C function for all lanes, split among the threads, without the GIL. Returns the sum of its results."""
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
    """Return the memory address of an array."""
    return numbers.buffer_info()[0]


def _zeros(kind: str, count: int) -> array[Any]:
    return array(kind, bytes(array(kind).itemsize * count))


def room(size: int) -> mmap.mmap:
    """Allocate zeroed memory. Pages are mapped on first use, since games seldom use most of a state."""
    if sys.platform == "win32":
        return mmap.mmap(-1, size)
    return mmap.mmap(
        -1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    )  # private: shared memory, the default, may be limited in size


def _parts(count: int, threads: int) -> list[tuple[int, int]]:
    """Split the lanes into one range per thread, of nearly equal size."""
    wanted = max(1, min(threads, count))
    return [(count * n // wanted, count * (n + 1) // wanted) for n in range(wanted)]


class Tables(Struct, frozen=True):
    """Tables of the encoding for `coding.c`.

    There are `size` action numbers: `end` ends a list, items begin at `first_item`. An observation has `width` numbers.
    """

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

    seen    observation of the player to choose, `width` 32-bit floats per lane
    mask    1 for each legal number, else 0, `size` bytes per lane
    last    observation of `whose`, if a game ended or was aborted in the last step; undefined elsewhere
    whose   player to choose in an aborted game, or the last to choose in one that ended; -1 elsewhere, 8 bits
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
        """Begin the first games of a series in all lanes. Raises TypeError if the seed is not an integer."""
        self.lanes.begin(seed)
        self._forget()

    def play(self, steps: int) -> array[int]:
        """Make random steps like `Lanes.play`. Drops the numbers of unfinished actions."""
        found = self.lanes.play(steps)
        self._forget()
        return found

    def _forget(self) -> None:
        ctypes.memset(address(self._chosen), 0, len(self._chosen) * self._chosen.itemsize)
        ctypes.memset(address(self.whose), -1, len(self.whose))
        self.look()

    def look(self) -> None:
        """Update observations and masks."""
        self._each("look")

    def choose(self, numbers: int) -> int:
        """Choose the numbers at this address, 64 bits each, then update observations.

        Lanes whose number is not legal stay unchanged. Returns how many there are.
        """
        return self._each("choose", _Pointer(numbers))

    def observe(self, seat: int, to: int) -> None:
        """Write the observation of a seat in each lane to this address."""
        self._each("observe", _Number(seat), _Pointer(to))

    def nth(self, parts: int, to: int) -> None:
        """Write a legal number for each lane to this address, or 0 if there is none.

        `parts` is the address of one fraction per lane: the share of the legal numbers that come before the chosen one.
        """
        self._each("nth", _Pointer(parts), _Pointer(to))

    def _each(self, name: str, *given: Any) -> int:
        return self.lanes.each(name, ctypes.byref(self._coding), *given)
