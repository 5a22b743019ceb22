"""Ways to win for who plays alone and sees everything."""

from __future__ import annotations

import time
from collections.abc import Iterator

from hoyle.game.compiled import Compiled
from hoyle.native import questing
from hoyle.native.engine import NativeMachine
from hoyle.players import quest
from hoyle.running.state import Core
from hoyle.running.tried import Sought

EACH = 100
"""States are looked at where a search would follow one game: that takes as long, or less."""
MOST = 30_000_000
"""States, however much time there is."""
NARROW, WIDER = 8, 4
"""How many states are kept at each choice at first, and how many times as many whenever no way was found."""
_AT_ONCE, _BY_PYTHON = 20_000, 1_000
"""States after which it is known how quick the machine is."""


def way(game: Compiled, core: Core, seed: int, most: int, seconds: float | None = None) -> tuple[int, ...]:
    """What to choose, by number, from a state on to win, where there is a choice; nothing if no way was found among so many states, or in so long. The same seed and
    number of states find the same."""
    end = None if seconds is None else time.monotonic() + seconds
    one = _quest(game, core, seed, most)
    return next((found.way for found in searches(one, most, end) if found.way), ())


def winnable(game: Compiled, core: Core, seed: int, most: int) -> bool | None:
    """Can who plays alone win from a state on, knowing all pieces, those too that he does not see? None if that was not found out by looking at so many states: what chance still
    decides is no way, and no proof that there is none."""
    found = None
    for found in searches(_quest(game, core, seed, most), most, None):
        if found.way:
            return True
    return False if found is not None and found.is_none else None


def _quest(game: Compiled, core: Core, seed: int, most: int) -> questing.Quest | quest.Quest:
    """By the native engine, where there is one; else by Python."""
    native = game.machine.native if isinstance(game.machine, NativeMachine) else None
    found = questing.quest(native, core, seed, most) if native is not None else None
    return found or quest.Quest(game, core, seed)


def searches(one: questing.Quest | quest.Quest, most: int, end: float | None) -> Iterator[Sought]:
    """With more and more room, up to the most there is. It matters which pile of a family is which only where nothing else is left to look for."""
    width, alike, left = NARROW, True, most
    began = time.monotonic()
    while left > 0:
        room = left if end is None else min(left, _at_hand(one, most - left, began, end))
        found = one.seek(width, room, alike)
        yield found
        left -= found.looked
        done = not found.lost or width == questing.WIDEST
        if done and not alike:
            return
        if found.looked < room:  # else it was cut off to see how quick the machine is
            width, alike = (NARROW, False) if done else (min(questing.WIDEST, WIDER * width), alike)
        if end is not None and time.monotonic() >= end:
            return


def _at_hand(one: questing.Quest | quest.Quest, looked: int, began: float, end: float) -> int:
    """How many states there is time for."""
    now = time.monotonic()
    at_once = _AT_ONCE if isinstance(one, questing.Quest) else _BY_PYTHON
    return max(1, int(looked / (now - began) * (end - now))) if looked else at_once
