"""The search for a way to win of who plays alone, done by the native engine: see `ways.c`."""

from __future__ import annotations

import ctypes

from hoyle.native.engine import Native
from hoyle.running.outcomes import LONGEST, Sought
from hoyle.running.state import Core

_Number = ctypes.c_longlong
_LEAST_POOL, _MOST_POOL, _LEAST_MET, _MOST_MET = 1 << 18, 1 << 22, 1 << 12, 1 << 21
WIDEST = 1 << 15
"""States that are kept at each choice, at most."""


class Quest:
    """One search from a state. Its thread must be the one that began it."""

    def __init__(self, native: Native, core: Core, seed: int, most: int, is_open: bool = True) -> None:
        """`most`: how many states will be looked at, for which room is made. Raises ValueError if the native engine has no room for the state."""
        row = native.rows([core])
        if row is None:
            raise ValueError("no room")
        self._library, self._context, self._state = native.hunts()
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
        """A search that keeps so many states at each choice and looks at no more than `most`. `alike`: it does not matter which pile of a family is which."""
        told = (_Number * (4 + LONGEST))()
        numbers = (_Number(n) for n in (self._numbers, width, most, alike))
        self._library.hoyle_seek(self._context, self._state, self._quest, self._begin, *numbers, told)
        looked, lost, missed, choices = told[:4]
        return Sought(looked, bool(lost), tuple(told[4 : 4 + choices]), bool(missed) or alike)


def quest(native: Native, core: Core, seed: int, most: int, is_open: bool = True) -> Quest | None:
    """None if the native engine has no room for the state."""
    try:
        return Quest(native, core, seed, most, is_open)
    except ValueError:
        return None
