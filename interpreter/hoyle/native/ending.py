"""Endings solved by the native engine: see `endings.c`."""

from __future__ import annotations

import ctypes
from typing import Any

from hoyle.native.engine import Native
from hoyle.running.outcomes import FORKS, Effort, Ending, Stakes, worth
from hoyle.running.state import Core

_Number = ctypes.c_longlong
_ROWS = 1 << 18
"""Numbers that there is room for in the rows of states on the way, beside the longest."""


class Table:
    """What a thread solves with: the state of the search, positions that were met, rows of states on the way."""

    def __init__(self, native: Native) -> None:
        self.library, self.context, self.state = native.hunts()
        self.longest = native.longest
        self.rows = (_Number * (_ROWS + self.longest))()
        self.room = 0
        self.positions: Any = None
        self.ending: Any = None

    def grow(self, most: int) -> None:
        """Makes room for what so many actions lead to."""
        room = 1 << (2 * most).bit_length()
        if room > self.room:
            self.room = room
            self.positions = ctypes.create_string_buffer(room * self.library.hoyle_position())
            self.ending = ctypes.create_string_buffer(self.library.hoyle_ending())


def solved(native: Native, core: Core, effort: Effort, top: float, stakes: Stakes | None) -> Ending | None:
    """The best of the actions of a state, if it can be found for certain with so much effort. `top`: a reward above which there is none, for who plays alone."""
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
