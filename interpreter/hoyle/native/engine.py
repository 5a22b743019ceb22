"""Plays one game with its native engine: the loaded library, and a machine that uses it."""

from __future__ import annotations

import ctypes
import threading
from array import array
from collections.abc import Callable, Sequence
from itertools import accumulate, chain, islice, pairwise
from typing import Any, TypeVar

from hoyle.diagnostics import Refused
from hoyle.native.layout import Layout, aims_in, layout
from hoyle.native.rows import acts_of, core_of, events_of, longest, row_of
from hoyle.native.visibility_tables import sides
from hoyle.running.chance import PLAYER, Chance
from hoyle.running.machine import MOST_DECISIONS, Machine
from hoyle.running.outcomes import Tallies
from hoyle.running.state import Action, Core

_Number = ctypes.c_longlong
T = TypeVar("T")
_LOG = 1 << 20
"""Size of the log of one call, in numbers."""


class _Memory(threading.local):
    """Memory of one thread: a C context, a state, and rows of numbers."""

    def __init__(self, library: ctypes.CDLL, row: int) -> None:
        self.context = ctypes.create_string_buffer(library.hoyle_context())
        self.state = ctypes.create_string_buffer(library.hoyle_state())
        self.row = (_Number * row)()
        self.log = (_Number * _LOG)()
        self.table: Any = None


class Native:
    """The native engine of a game. Threads may share it: each plays in its own memory.

    A method returns None if the C code cannot do the work. Python then does it.
    """

    def __init__(self, library: ctypes.CDLL, machine: Machine) -> None:
        self._library, self.machine = library, machine
        self.places = places_of(machine)
        for name in (
            "context",
            "state",
            "start",
            "play",
            "playout",
            "series",
            "in",
            "out",
            "logged",
            "decided",
            "counts",
            "edge",
            "hunt",
            "set_out",
            "hunted",
            "found",
            "came",
            "line",
            *(("quest", "choice", "quest_for", "seek") if len(machine.ruleset.sides) == 1 else ()),
            "ending",
            "position",
            "solved",
        ):
            getattr(library, f"hoyle_{name}").restype = _Number
        library.hoyle_here.restype = ctypes.c_ulonglong
        library.hoyle_hits.restype = ctypes.POINTER(_Number)
        self.longest = longest(self.places, machine)
        self.sides = sides(machine)
        self._own = _Memory(library, self.longest)

    # ---- single games ------------------------------------------------------------------------------------------------

    def start(self, chance: Chance, log: bool) -> Core | None:
        state, step = ctypes.c_ulonglong(chance.state), ctypes.c_ulonglong(chance.step)
        return self._call(self._library.hoyle_start, state, step, log=[] if log else None)

    def play(self, core: Core, number: int) -> Core | None:
        """Return the state after the action of this number."""
        row = array("q", row_of(core, self.places, self.machine))
        if not self._takes(row, 0, len(row)):
            return None
        found = self._call(self._library.hoyle_play, _Number(number), log=core.log)
        if found is not None and found.log is not None:
            found.log[len(core.log or ())] = self.machine.noted(core, core.acts[number])  # C logs no values for texts
        return found

    def playout(self, seed: int, index: int, most: int, log: bool) -> tuple[Core, int] | None:
        """Play a random game. Returns its final state and the number of decisions."""
        numbers = (ctypes.c_ulonglong(seed & _M64), ctypes.c_ulonglong(index & _M64), _Number(most))
        found = self._call(self._library.hoyle_playout, *numbers, log=[] if log else None)
        return (found, self._library.hoyle_decided(self._own.context)) if found is not None else None

    def _call(self, function: Callable[..., int], *args: Any, log: list[Any] | None) -> Core | None:
        size = _Number(_LOG)
        if function(self._own.context, self._own.state, *args, self._own.log if log is not None else None, size):
            return None
        count = self._library.hoyle_out(self._own.state, self._own.row)
        core = core_of(self._own.row[:count], self.places, self.machine)
        if log is not None:
            noted = self._own.log[: self._library.hoyle_logged(self._own.context)]
            core.log = [*log, *events_of(noted, self.places)]
        return core

    def _takes(self, rows: array[int], begin: int, size: int) -> bool:
        """Load a state from a part of some rows into the thread's state. Returns whether it fits."""
        if size > self.longest:
            return False
        where = ctypes.c_void_p(rows.buffer_info()[0] + rows.itemsize * begin)
        return bool(self._library.hoyle_in(self._own.state, where) == size)

    def rows(self, cores: Sequence[Core]) -> array[int] | None:
        """Return states as rows of numbers, preceded by the offsets of the rows. None if a state does not fit."""
        first = cores[0].acts if cores else []
        acts = acts_of(first, self.places)
        told = (acts if core.acts == first else None for core in cores)
        rows = [row_of(core, self.places, self.machine, part) for core, part in zip(cores, told, strict=True)]
        begins = [*accumulate(map(len, rows), initial=len(rows))]
        found = array("q", [*begins[:-1], *chain.from_iterable(rows)])
        return found if all(self._takes(found, a, b - a) for a, b in pairwise(begins)) else None

    def search_context(self) -> tuple[ctypes.CDLL, Any, Any]:
        """Return the library, and the calling thread's context and state, for a search."""
        return self._library, self._own.context, self._own.state

    def table(self, make: Callable[[Native], T]) -> T:
        """Return the data that the calling thread keeps between endgame searches. Made on first use."""
        if self._own.table is None:
            self._own.table = make(self)
        found: T = self._own.table
        return found

    # ---- series ------------------------------------------------------------------------------------------------------

    def series(self, seed: int, first: int, games: int, most: int = MOST_DECISIONS) -> tuple[list[Tallies], list[int]]:
        """Play random games of a series, up to the first one that Python must play.

        Returns their tallies, and how often each counted rule was used.
        """
        width = self._library.hoyle_counts()
        counts = (_Number * (width * games))()
        hits = self._library.hoyle_hits(self._own.context)
        before = hits[: len(self.machine.counters)]
        done = self._library.hoyle_series(
            self._own.context,
            self._own.state,
            ctypes.c_ulonglong(seed & _M64),
            ctypes.c_ulonglong(first),
            _Number(games),
            _Number(most),
            counts,
        )
        after = hits[: len(before)]
        rows = (counts[n * width : (n + 1) * width] for n in range(done))
        return [self._tallies(row) for row in rows], [b - a for a, b in zip(before, after, strict=True)]

    def _tallies(self, row: Sequence[int]) -> Tallies:
        it, sides = iter(row), len(self.machine.ruleset.sides)
        totals, over = [*islice(it, 5)], bool(next(it))
        moves = tuple(islice(it, len(self.machine.ruleset.moves)))
        scores, wins = tuple(islice(it, sides)), tuple(map(bool, islice(it, sides)))
        return Tallies(totals[0], totals[1], totals[2], totals[3], totals[4], moves, scores, wins, tuple(it), over)


_M64 = (1 << 64) - 1


def places_of(machine: Machine) -> Layout:
    """Return the layout of the states of a game. Raises Untranslatable."""
    return layout(machine, aims_in(machine.space.values()))


class NativeMachine(Machine):
    """A machine that plays with the native engine, and with Python if that gives up.

    If uses of rules are counted, Python plays single games. The native engine counts only in series.
    """

    native: Native | None = None

    def _engine(self, chance: Chance | None = None) -> Native | None:
        """Return the engine that plays single games with this chance, or None."""
        return self.native if not self.counters and (chance is None or type(chance) is Chance) else None

    def start(self, chance: Chance, log: bool = False) -> Core:
        engine = self._engine(chance)
        found = engine.start(chance, log) if engine is not None else None
        return found if found is not None else super().start(chance, log)

    def play(self, s: Core, action: Action) -> None:
        found = self._played(s, action)
        if found is None:
            super().play(s, action)
            return
        for name in Core.__slots__:
            setattr(s, name, getattr(found, name))

    def _played(self, s: Core, action: Action) -> Core | None:
        engine = self._engine(s.chance)
        if engine is None or action not in s.acts or s.looking:
            return None
        return engine.play(s, s.acts.index(action))

    def playout(self, seed: int, index: int = 0, log: bool = False, most: int = MOST_DECISIONS) -> tuple[Core, int]:
        engine = self._engine()
        if log and engine is not None:
            try:
                return self._play_logged(seed, index, most)
            except Refused:  # Python raises it again, as an error of a whole game, which names no move
                return super().playout(seed, index, log, most)
        found = engine.playout(seed, index, most, log) if engine is not None else None
        return found if found is not None else super().playout(seed, index, log, most)

    def _play_logged(self, seed: int, index: int, most: int) -> tuple[Core, int]:
        """Play a random game move by move, so that the log can describe each state."""
        s, pick = self.start(Chance.stream(seed, index), log=True), Chance.stream(seed, index, PLAYER).picker()
        for count in range(most):
            if s.over:
                return s, count
            self.play(s, s.acts[pick(len(s.acts)) if len(s.acts) > 1 else 0])
        return s, most
