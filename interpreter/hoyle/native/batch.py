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
    """As in C."""

    _fields_ = (
        *((name, _Pointer) for name in ("states", "index", "decided", "pick", "results", "length", "count", "actor")),
        *((name, _Pointer) for name in ("over", "cut", "lead", "gained")),
        *((name, _Unsigned) for name in ("seed", "stride")),
        ("most", _Number),
    )


class Lanes:
    """`count` games at once. In lane n the games n, n + count, n + 2 * count, … of the series of a seed are played one after another: with chance as `simulate`
    has it. Who steps them may not share them with other threads; `threads` of its own share each call.

    index     which game of the series is played                       one number of 64 bits a lane
    decided   how many decisions of it were made                       the same
    count     how many actions there are to choose from                32 bits
    actor     who chooses; -1 if nobody                                8 bits
    over      whether a game has ended by its rules in the last step   8 bits
    cut       whether it was left: after `most` decisions, or since the native engine could not go on   8 bits
    length    how many decisions the game had that was over or left, else 0   64 bits
    results   its score for each side, then for each whether it wins, else 0; a game that is left has scores so far, if the engine knows them   64 bits each
    gained    how much more each side is ahead of the others' mean, in what wins first, than before the last step; if that is `reckoned`   64 bits each, fractions
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
        """Makes the actions whose numbers among those offered stand at this address, as whole numbers of 64 bits. Whether there are such actions is not looked at;
        where a lane offers none, the number means nothing."""
        self.each("step", _Pointer(numbers))

    def pick(self, numbers: int) -> None:
        """Writes numbers of actions at random to this address: those that a random game of the series takes."""
        self.each("pick", _Pointer(numbers))

    def play(self, steps: int) -> array[int]:
        """Makes so many steps at random. Of each lane a row: its decisions, the games that ended, those that were left, then of those that ended the sum of
        the scores of each side, and how many it won."""
        totals = _zeros("q", self.size * (3 + 2 * self.sides))
        self.each("play", _Number(steps), _Pointer(address(totals)))
        return totals

    def core(self, lane: int) -> Core:
        """The state of a lane as it is now."""
        row = (_Number * self._native.longest)()
        state = ctypes.addressof(ctypes.c_char.from_buffer(self._states, lane * self.library.hoyle_state()))
        written = self.library.hoyle_out(_Pointer(state), row)
        return core_of(row[:written], self._native.places, self._native.machine)

    def each(self, name: str, *given: Any) -> int:
        """Calls a function of C for all lanes, shared among the threads; others of Python run meanwhile. The sum of what it gives."""
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
    """Where an array lies."""
    return numbers.buffer_info()[0]


def _zeros(kind: str, count: int) -> array[Any]:
    return array(kind, bytes(array(kind).itemsize * count))


def room(size: int) -> mmap.mmap:
    """Memory, all 0, of which only what is used is taken from the system: most of a state is room for what a game seldom needs."""
    if sys.platform == "win32":
        return mmap.mmap(-1, size)
    return mmap.mmap(
        -1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    )  # of its own use shared memory, whose size may be limited


def _parts(count: int, threads: int) -> list[tuple[int, int]]:
    """Lanes from … to of each thread, as many for each as for any other, nearly."""
    wanted = max(1, min(threads, count))
    return [(count * n // wanted, count * (n + 1) // wanted) for n in range(wanted)]


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
