"""Runs searches in the native engine: ISMCTS (`ismcts.c`), beam search (`ways.c`) and endgames (`endings.c`)."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from typing import Any

from hoyle.native.engine import Native
from hoyle.running.outcomes import (
    ANY,
    FORKS,
    LONGEST,
    About,
    Bounds,
    Effort,
    Ending,
    Line,
    Outcome,
    Sought,
    Stakes,
    Tried,
    roots,
    worth,
)
from hoyle.running.state import Core

_Number = ctypes.c_longlong
_LEAST, _MOST, _EACH, _A_SECOND = 1 << 14, 1 << 20, 24, 1_000_000
"""Least and greatest number of edges in the table; edges expected per iteration and per second."""


class NativeIsmcts:
    """An ISMCTS search. Iterations may be run in any number of calls, but only in the thread that began it."""

    def __init__(
        self,
        native: Native,
        worlds: Sequence[Core],
        about: About,
        bounds: Bounds,
        rows: array[int],
        seconds: float | None,
    ) -> None:
        self._library, self._context, self._state = native.search_context()
        self._native, self.worlds = native, worlds
        self._rows = (_Number * len(rows)).from_buffer(rows)
        self._hunt = ctypes.create_string_buffer(self._library.hoyle_hunt())
        room = _room(bounds.iterations, seconds)
        self._edges = ctypes.create_string_buffer(room * self._library.hoyle_edge())
        self._roots = [(ctypes.c_double * len(some)).from_buffer(some) for some in roots(bounds.iterations)]
        self._begin(len(worlds), about, bounds, room)

    def _begin(self, worlds: int, about: About, bounds: Bounds, room: int) -> None:
        before = sorted(here for here in about.before if isinstance(here, int))  # hashes by Python mean nothing to C
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
        """Run iterations, only with this first action unless it is `ANY`. Returns how many could not be completed."""
        numbers = _Number(first), _Number(count), _Number(only)
        return int(self._library.hoyle_hunted(self._context, self._state, self._hunt, *numbers))

    def found(self, core: Core | None = None) -> list[Tried]:
        """Return the statistics of each action of a state, by default of the first determinization."""
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
        """Return the results of the playouts after each action of the first determinization."""
        count = len(self.worlds[0].acts)
        to = (ctypes.c_double * (6 * count))()
        self._library.hoyle_came(self._context, self._state, self._hunt, to)
        rows = (to[6 * n : 6 * n + 6] for n in range(count))
        return [Outcome(int(games), int(over), *sums) for games, over, *sums in rows]

    @property
    def here(self) -> int:
        """Return a hash of the information set at the root."""
        return int(self._library.hoyle_here(self._context, self._state, self._hunt))

    def line(self) -> Line:
        """Return the choices of the best playout, if a lone player sees everything."""
        to, promised = (_Number * LONGEST)(), ctypes.c_double()
        count = self._library.hoyle_line(self._hunt, to, ctypes.byref(promised))
        return Line(promised.value, tuple(to[:count]))


def _room(iterations: int, seconds: float | None) -> int:
    """Return the size of the edge table, a power of two.

    Large tables take long to clear and miss the processor's cache.
    """
    need = _EACH * iterations if seconds is None else min(_EACH * iterations, int(_A_SECOND * seconds))
    return min(_MOST, max(_LEAST, 1 << need.bit_length()))


def begin_ismcts(
    native: Native, worlds: Sequence[Core], about: About, bounds: Bounds, seconds: float | None = None
) -> NativeIsmcts | None:
    """Begin a search. None if a determinization does not fit. `seconds` is its expected duration, if known."""
    rows = native.rows(worlds)
    return NativeIsmcts(native, worlds, about, bounds, rows, seconds) if rows is not None else None


_LEAST_POOL, _MOST_POOL, _LEAST_MET, _MOST_MET = 1 << 18, 1 << 22, 1 << 12, 1 << 21
WIDEST = 1 << 15
"""Greatest number of states that are kept at each choice."""


class NativeBeamSearch:
    """A beam search for a way to win. Runs only in the thread that began it."""

    def __init__(self, native: Native, core: Core, seed: int, most: int, is_open: bool = True) -> None:
        """`most` is the number of states that will be visited. Raises ValueError if the state does not fit."""
        row = native.rows([core])
        if row is None:
            raise ValueError("no room")
        self._library, self._context, self._state = native.search_context()
        self._row, self._numbers = (_Number * len(row)).from_buffer(row), len(row) - 1
        met = min(_MOST_MET, max(_LEAST_MET, 1 << (2 * most).bit_length()))
        pool, steps = native.longest + min(_MOST_POOL, max(_LEAST_POOL, 16 * met)), met
        self._quest = ctypes.create_string_buffer(self._library.hoyle_quest())
        sizes = (16 * pool, WIDEST * self._library.hoyle_choice(), 16 * met, 16 * steps, 32 * WIDEST)
        self._memory = [ctypes.create_string_buffer(size) for size in sizes]
        bounds = (_Number * 5)(pool, native.longest, WIDEST, met, steps)
        self._library.hoyle_quest_for(
            self._context,
            self._state,
            self._quest,
            self._begin,
            ctypes.c_ulonglong(seed),
            _Number(is_open),
            bounds,
            *self._memory,
        )

    @property
    def _begin(self) -> ctypes.Array[ctypes.c_longlong]:
        return (_Number * self._numbers).from_buffer(self._row, 8)

    def seek(self, width: int, most: int, alike: bool) -> Sought:
        """Search with `width` states at each choice and `most` states in all.

        With `alike`, piles of a family are interchangeable.
        """
        told = (_Number * (4 + LONGEST))()
        numbers = (_Number(n) for n in (self._numbers, width, most, alike))
        self._library.hoyle_seek(self._context, self._state, self._quest, self._begin, *numbers, told)
        looked, lost, missed, choices = told[:4]
        return Sought(looked, bool(lost), tuple(told[4 : 4 + choices]), bool(missed) or alike)


def begin_beam_search(
    native: Native, core: Core, seed: int, most: int, is_open: bool = True
) -> NativeBeamSearch | None:
    """Begin a beam search. None if the state does not fit."""
    try:
        return NativeBeamSearch(native, core, seed, most, is_open)
    except ValueError:
        return None


_ROWS = 1 << 18
"""Size of the rows of states on the current path, in numbers, besides the longest row."""


class Table:
    """Memory of a thread's endgame searches: their state, the transposition table, and rows of states."""

    def __init__(self, native: Native) -> None:
        self.library, self.context, self.state = native.search_context()
        self.longest = native.longest
        self.rows = (_Number * (_ROWS + self.longest))()
        self.room = 0
        self.positions: Any = None
        self.ending: Any = None

    def grow(self, most: int) -> None:
        """Make room for the states after this many actions."""
        room = 1 << (2 * most).bit_length()
        if room > self.room:
            self.room = room
            self.positions = ctypes.create_string_buffer(room * self.library.hoyle_position())
            self.ending = ctypes.create_string_buffer(self.library.hoyle_ending())


def solve_endgame(native: Native, core: Core, effort: Effort, top: float, stakes: Stakes | None) -> Ending | None:
    """Return the best action if it can be proved within the effort, else None.

    `top` is the greatest possible reward of a lone player.
    """
    rows = native.rows([core])
    if rows is None:
        return None
    table = native.table(Table)
    table.grow(effort.most)
    row = (_Number * len(rows)).from_buffer(rows)
    sides = 1 + max(native.sides)
    parts = (1 if sides == 2 else sides) + 3
    found = (ctypes.c_double * ((parts + 1) * len(core.acts)))()
    told = (_Number * (3 + FORKS))()
    fixed = (ctypes.c_double * (1 + sides))(stakes.scale, *stakes.lead) if stakes is not None else None
    is_solved = table.library.hoyle_solved(
        table.context,
        table.state,
        table.ending,
        ctypes.byref(row, 8),
        _Number(core.actor),
        (_Number * 6)(effort.most, effort.probes, effort.longest, effort.every, table.longest, effort.score),
        ctypes.c_double(effort.guess),
        ctypes.c_double(top),
        fixed,
        table.positions,
        _Number(table.room),
        table.rows,
        _Number(len(table.rows)),
        found,
        told,
    )
    if not is_solved:
        return None
    own = native.sides[core.actor]
    each = [found[n * (parts + 1) : (n + 1) * (parts + 1)] for n in range(len(core.acts))]
    wanted = range(len(each)) if effort.every else (told[1],)
    worths = [worth(known[1:], own) if n in wanted and known[0] else None for n, known in enumerate(each)]
    return Ending(told[1], worths, tuple(told[3 : 3 + told[2]]), told[0])
