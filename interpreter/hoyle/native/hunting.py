"""A player's search, done by the native engine: see `ismcts.c`."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence

from hoyle.native.engine import Native
from hoyle.running.outcomes import ANY, LONGEST, About, Bounds, Line, Outcome, Tried, roots
from hoyle.running.state import Core

_Number = ctypes.c_longlong
_LEAST, _MOST, _EACH, _A_SECOND = 1 << 14, 1 << 20, 24, 1_000_000
"""Edges that there is room for, and for how many an iteration is reckoned, or a second."""


class Hunt:
    """One search, by iterations whose number only matters for their order. Its thread must be the one that began it."""

    def __init__(
        self,
        native: Native,
        worlds: Sequence[Core],
        about: About,
        bounds: Bounds,
        rows: array[int],
        seconds: float | None,
    ) -> None:
        self._library, self._context, self._state = native.hunts()
        self._native, self.worlds = native, worlds
        self._rows = (_Number * len(rows)).from_buffer(rows)
        self._hunt = ctypes.create_string_buffer(self._library.hoyle_hunt())
        room = _room(bounds.iterations, seconds)
        self._edges = ctypes.create_string_buffer(room * self._library.hoyle_edge())
        self._roots = [(ctypes.c_double * len(some)).from_buffer(some) for some in roots(bounds.iterations)]
        self._begin(len(worlds), about, bounds, room)

    def _begin(self, worlds: int, about: About, bounds: Bounds, room: int) -> None:
        before = sorted(here for here in about.before if isinstance(here, int))  # what Python saw, C cannot know again
        self._before = (ctypes.c_ulonglong * len(before))(*before)
        limits = (_Number * 4)(bounds.deep, bounds.most, bounds.probes, bounds.score)
        self._library.hoyle_set_out(
            self._context,
            self._state,
            self._hunt,
            self._rows,
            self._rows,
            _Number(worlds),
            _Number(about.me),
            ctypes.c_ulonglong(about.seed),
            limits,
            self._edges,
            _Number(room),
            *self._roots,
            _Number(bounds.iterations),
            ctypes.c_double(bounds.keen),
            self._before,
            _Number(len(before)),
            _Number(int(about.open)),
        )

    def go(self, first: int, count: int, only: int = ANY) -> int:
        """Iterations first …, with only this action at the beginning, if it is not `ANY`. Returns how many could not be played to their end."""
        numbers = _Number(first), _Number(count), _Number(only)
        return int(self._library.hoyle_hunted(self._context, self._state, self._hunt, *numbers))

    def found(self, core: Core | None = None) -> list[Tried]:
        """What is known of each action of a state, usually the first world."""
        core = core or self.worlds[0]
        row = self._native.rows([core])
        if row is None:
            return [Tried()] * len(core.acts)
        to = (ctypes.c_double * (4 * len(core.acts)))()
        begin = (_Number * len(row)).from_buffer(row)
        self._library.hoyle_found(self._context, self._state, self._hunt, ctypes.byref(begin, 8), to)
        rows = (to[4 * n : 4 * n + 4] for n in range(len(core.acts)))
        return [Tried(int(tried), int(there), total, squares) for tried, there, total, squares in rows]

    def outcomes(self) -> list[Outcome]:
        """What games after each action of the first world came to."""
        count = len(self.worlds[0].acts)
        to = (ctypes.c_double * (6 * count))()
        self._library.hoyle_came(self._context, self._state, self._hunt, to)
        rows = (to[6 * n : 6 * n + 6] for n in range(count))
        return [Outcome(int(games), int(over), *sums) for games, over, *sums in rows]

    @property
    def here(self) -> int:
        """What the seat sees at the beginning, as a number."""
        return int(self._library.hoyle_here(self._context, self._state, self._hunt))

    def line(self) -> Line:
        """The choices of the game that came to most, if nothing was hidden from who plays alone."""
        to, promised = (_Number * LONGEST)(), ctypes.c_double()
        count = self._library.hoyle_line(self._hunt, to, ctypes.byref(promised))
        return Line(promised.value, tuple(to[:count]))


def _room(iterations: int, seconds: float | None) -> int:
    """For how many edges a table is made, a power of two: a large one takes long to be emptied, and is seldom where the processor finds it quickly."""
    need = _EACH * iterations if seconds is None else min(_EACH * iterations, int(_A_SECOND * seconds))
    return min(_MOST, max(_LEAST, 1 << need.bit_length()))


def hunt(
    native: Native, worlds: Sequence[Core], about: About, bounds: Bounds, seconds: float | None = None
) -> Hunt | None:
    """None if the native engine has no room for one of the worlds. `seconds`: for how long will be searched, if that is known."""
    rows = native.rows(worlds)
    return Hunt(native, worlds, about, bounds, rows, seconds) if rows is not None else None
