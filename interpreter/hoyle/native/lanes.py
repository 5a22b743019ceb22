"""Many games of a native engine side by side, stepped by one call: see `lanes.c`. What it tells of them stands in arrays that stay where they are."""

from __future__ import annotations

import ctypes
import mmap
import sys
from array import array
from concurrent.futures import ThreadPoolExecutor
from typing import Any

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
