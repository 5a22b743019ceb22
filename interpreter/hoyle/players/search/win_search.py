"""Ways to win that are certain: for who plays alone, where nothing is hidden and chance has no part. Each is played to its end before it is called one."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.game.views.redaction import RedactedState
from hoyle.native import search_drivers
from hoyle.native.engine import NativeMachine
from hoyle.native.visibility_tables import families
from hoyle.players.search.driver import imagined, is_alone, is_open
from hoyle.players.search.information_set import better_off
from hoyle.running.chance import Chance
from hoyle.running.machine import MOST_DECISIONS
from hoyle.running.outcomes import LONGEST, PICKING, WON, Bounds, Sought, Worth
from hoyle.running.state import Core

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


def _quest(game: Compiled, core: Core, seed: int, most: int) -> search_drivers.Quest | Quest:
    """By the native engine, where there is one; else by Python."""
    native = game.machine.native if isinstance(game.machine, NativeMachine) else None
    found = search_drivers.quest(native, core, seed, most) if native is not None else None
    return found or Quest(game, core, seed)


def searches(one: search_drivers.Quest | Quest, most: int, end: float | None) -> Iterator[Sought]:
    """With more and more room, up to the most there is. It matters which pile of a family is which only where nothing else is left to look for."""
    width, alike, left = NARROW, True, most
    began = time.monotonic()
    while left > 0:
        room = left if end is None else min(left, _at_hand(one, most - left, began, end))
        found = one.seek(width, room, alike)
        yield found
        left -= found.looked
        done = not found.lost or width == search_drivers.WIDEST
        if done and not alike:
            return
        if found.looked < room:  # else it was cut off to see how quick the machine is
            width, alike = (NARROW, False) if done else (min(search_drivers.WIDEST, WIDER * width), alike)
        if end is not None and time.monotonic() >= end:
            return


def _at_hand(one: search_drivers.Quest | Quest, looked: int, began: float, end: float) -> int:
    """How many states there is time for."""
    now = time.monotonic()
    at_once = _AT_ONCE if isinstance(one, search_drivers.Quest) else _BY_PYTHON
    return max(1, int(looked / (now - began) * (end - now))) if looked else at_once


KEPT, FORCED, NEVER, PROBES, PROBED = -1, 64, 1 << 20, 16, 400
PLACED, BURIED, FREE, FREE_MOST = 4, 4, 1, 16


class Kept(Struct, frozen=True):
    """A state that is kept, and the choices that lead to it."""

    core: Core
    way: tuple[int, ...]


class Choice(Struct, frozen=True):
    """A state that may be kept: of two as good, the one that was found first is better."""

    worth: int
    order: int
    kept: Kept
    key: Hashable


class Quest:
    """One search from a state, and what is learnt of piles and pieces in it."""

    def __init__(self, game: Compiled, core: Core, seed: int, is_open: bool = True) -> None:
        """`is_open`: what chance has a part in is no way, since it may come otherwise."""
        self.game, self.machine, self.core, self._open = game, game.machine, core, is_open
        self._families, self._piles = families(game.machine), range(len(core.piles) - 1)
        self._grown, self._better = [0] * len(core.piles), [0] * len(core.piles)
        self._due: dict[int, int] = {}
        self._same: set[int] = set()
        for number in range(PROBES):
            self._probe(Chance.stream(seed, number, PICKING))

    # ---- what is learnt ----

    def _probe(self, pick: Chance) -> None:
        core, cells = self._copy(self.core), range(self.machine.state_size)
        try:
            for _ in range(PROBED):
                if core.over:
                    return
                before = core.cells[: len(cells)]
                self._act(core, pick.below(len(core.acts)) if len(core.acts) > 1 else 0)
                self._same.update(cell for cell in cells if before[cell] == core.cells[cell])
        except Refused:
            return

    @staticmethod
    def _copy(core: Core) -> Core:
        found = core.copy()
        found.log = None
        return found

    def _act(self, core: Core, number: int) -> bool:
        """Makes an action and learns from it; whether chance had no part in it."""
        sizes, stood, future = [*map(len, core.piles)], self._standing(core), core.chance.state
        self.machine.advance(core, self.machine.apply[core.pc](core, core.acts[number]))
        better = self._standing(core) > stood
        for pile in self._piles:
            if len(core.piles[pile]) > sizes[pile]:
                self._grew(pile, core.piles[pile], sizes[pile], better)
        return core.chance.state == future

    def _standing(self, core: Core) -> int:
        return int(results.compute_leads(self.game, core)[0])

    def _grew(self, pile: int, pieces: Sequence[int], before: int, better: bool) -> None:
        self._grown[pile] += 1
        self._better[pile] += better
        if self._is_goal(pile):
            for at in range(before, len(pieces)):
                self._due[pieces[at] >> 1] = min(at, self._due.get(pieces[at] >> 1, NEVER))

    def _is_goal(self, pile: int) -> bool:
        return 0 < self._grown[pile] == self._better[pile]

    # ---- what a state is ----

    def worth(self, core: Core) -> int:
        placed = buried = 0
        for number in self._piles:
            if self._is_goal(number):
                placed += len(core.piles[number])
            else:
                buried += self._buried(core.piles[number])
        return PLACED * placed - BURIED * buried + FREE * min(len(core.acts), FREE_MOST)

    def _buried(self, pieces: Sequence[int]) -> int:
        """How many lie upon one that is due before them."""
        found, first = 0, NEVER
        for piece in pieces:
            due = self._due.get(piece >> 1, NEVER)
            found += due > first
            first = min(first, due)
        return found

    def key(self, core: Core, alike: bool) -> Hashable:
        """All that a state is, but for how often somebody decided; where columns are `alike`, whichever is which."""
        heaps = self.machine.heaps
        piles = [
            (self._families[n] if alike else n, *(sorted(core.piles[n]) if n in heaps else core.piles[n]))
            for n in self._piles
            if core.piles[n]
        ]
        return core.pc, core.over, tuple(sorted(piles)), tuple(core.cells[cell] for cell in sorted(self._same))

    # ---- a search ----

    def seek(self, width: int, most: int, alike: bool) -> Sought:
        """A search that keeps so many states at each choice and looks at no more than `most`. `alike`: it does not matter which pile of a family is which."""
        return _Search(self, width, most, alike).run()

    def made(self, core: Core, number: int) -> Core | None:
        """After one choice and what is forced after it; None if that is no way."""
        core = self._copy(core)
        try:
            for _ in range(FORCED):
                if not self._act(core, number) and self._open:
                    return None
                if core.over or len(core.acts) != 1:
                    break
                number = 0
        except Refused:
            return None
        return core

    def is_won(self, core: Core) -> bool:
        return core.over and bool(results.find_winners(self.game, core))


class _Search:
    """One search with so much room."""

    def __init__(self, quest: Quest, width: int, most: int, alike: bool) -> None:
        self.quest, self.width, self.most, self.alike = quest, width, most, alike
        self.looked, self.order, self.lost, self.missed = 0, 0, False, alike
        self.met: dict[Hashable, int] = {quest.key(quest.core, alike): KEPT}
        self.way: tuple[int, ...] = ()

    def run(self) -> Sought:
        kept = [Kept(self.quest.core, ())]
        for depth in range(1, LONGEST):
            found: list[Choice] = []
            if not kept or any(self._looked_on(one, depth, found) for one in kept):
                break
            kept = [*self._best(found)]
        else:
            self.missed = True  # ways may be longer
        return Sought(self.looked, self.lost, self.way, self.missed)

    def _looked_on(self, kept: Kept, depth: int, found: list[Choice]) -> bool:
        """Finds all that may come of one state that is kept; whether that is a way, or there is no room to look further."""
        for number in range(len(kept.core.acts)):
            if self.looked == self.most:
                self.lost = True
                return True
            self.looked += 1
            core = self.quest.made(kept.core, number)
            if core is None:
                self.missed = True
                continue
            if self.quest.is_won(core):
                self.way = (*kept.way, number)
                return True
            if not core.over:
                self._offer(core, depth, Kept(kept.core, (*kept.way, number)), found)
        return False

    def _offer(self, core: Core, depth: int, kept: Kept, found: list[Choice]) -> None:
        key = self.quest.key(core, self.alike)
        if self.met.get(key, 0) not in (KEPT, depth):
            self.met[key] = depth
            found.append(Choice(self.quest.worth(core), self.order, kept, key))
            self.order += 1

    def _best(self, found: list[Choice]) -> Iterator[Kept]:
        """What was best is kept, in order."""
        self.lost = self.lost or len(found) > self.width
        for one in sorted(found, key=lambda choice: (-choice.worth, choice.order))[: self.width]:
            core = self.quest.made(one.kept.core, one.kept.way[-1])
            if core is not None:
                self.met[one.key] = KEPT
                yield Kept(core, one.kept.way)


Key = tuple[Any, ...]
SHARE = 0.8
"""Of the time that there is for a move, how long who plays alone looks for a way to win before it is asked which move is best."""

QUICKEST = 1_000_000
"""States a second: no machine looks at more, so that no room need be made for them."""


class Won(Struct, frozen=True):
    """A way to win: the state that it begins at, what is chosen in each state on it in which there is a choice, and what it comes to."""

    core: Core
    chosen: dict[Key, int]
    worth: Worth

    @property
    def number(self) -> int:
        """What is chosen first."""
        return next(iter(self.chosen.values()))


def may_be_known(game: Compiled, seen: RedactedState) -> bool:
    """May whoever is to choose know a way to win? Who plays alone and sees everything, where the rules say what it is to win."""
    return is_alone(game) and game.ruleset.result.won is not None and is_open(game, seen)


def effort(bounds: Bounds, seconds: float | None) -> tuple[int, float | None]:
    """How many states are looked at for a way beside such a search, and for how long."""
    if seconds is None:
        return EACH * bounds.iterations, None
    return min(MOST, 1 + int(QUICKEST * SHARE * seconds)), SHARE * seconds


def winning_way(
    game: Compiled,
    seen: RedactedState,
    bounds: Bounds,
    chance: Chance,
    seconds: float | None = None,
    known: Mapping[Key, int] | None = None,
) -> Won | None:
    """A way to win for whoever is to choose; None if none was found, which does not prove that there is none. `known`: what is to be chosen on ways that
    were found before."""
    for core in _states(game, seen, bounds, chance):
        with game.machine.uncounted():
            again = proved(game, core, lambda now: (known or {}).get(now.key()))
            return again or _found(game, core, (), way(game, core, chance.next32(), *effort(bounds, seconds)))
    return None


def winning_way_with(
    game: Compiled, seen: RedactedState, made: int, bounds: Bounds, chance: Chance, seconds: float | None = None
) -> Won | None:
    """The same, of the ways that begin with this choice."""
    for core in _states(game, seen, bounds, chance):
        with game.machine.uncounted():
            after = _made(game, core, made)
            if after is not None and not after.over:
                return _found(game, core, (made,), way(game, after, chance.next32(), *effort(bounds, seconds)))
            return _found(game, core, (made,), ())
    return None


def _states(game: Compiled, seen: RedactedState, bounds: Bounds, chance: Chance) -> Iterator[Core]:
    """The only one there may be, if it is of any use."""
    yield from imagined(game, seen, bounds, chance) if may_be_known(game, seen) else ()


def _made(game: Compiled, core: Core, number: int) -> Core | None:
    """After a choice, and all moves that follow without one; None if the rules cannot go on."""
    core = core.copy()
    try:
        for _ in range(MOST_DECISIONS):
            game.machine.play(core, core.acts[number])
            if core.over or len(core.acts) > 1:
                break
            number = 0
    except Refused:
        return None
    return core


def _found(game: Compiled, core: Core, first: tuple[int, ...], then: tuple[int, ...]) -> Won | None:
    left = iter((*first, *then))
    return proved(game, core, lambda _: next(left, None))


def proved(game: Compiled, core: Core, choice: Callable[[Core], int | None]) -> Won | None:
    """What comes of choosing so, by number: a way, if it wins and nothing was drawn on it."""
    now, chosen = core.copy(), dict[Key, int]()
    for _ in range(MOST_DECISIONS):
        if now.over:
            break
        number = choice(now) if len(now.acts) > 1 else 0
        if number is None or not 0 <= number < len(now.acts):
            return None
        if len(now.acts) > 1:
            chosen[now.key()] = number
        try:
            game.machine.play(now, now.acts[number])
        except Refused:
            return None
    wins = chosen and results.find_winners(game, now) and now.chance.state == core.chance.state
    return (
        Won(core, chosen, worth_of_win(results.compute_leads(game, now)[0] - results.compute_leads(game, core)[0]))
        if wins
        else None
    )


def worth_of_win(gained: float) -> Worth:
    """What it comes to, alone, to win for certain and to gain so much."""
    return Worth(WON + (1.0 - WON) * better_off(gained, 1.0, score=False), 1.0, 1.0, gained)
