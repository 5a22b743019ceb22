"""Wins of a single side that sees everything: found by beam search, and played to the end before they are believed.

The beam search in Python equals `native/ways.c`, state for state. Chance must have no part in a win.
"""

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
from hoyle.players.search.driver import is_fully_visible, is_solo, sample_worlds
from hoyle.players.search.information_set import squash_gain
from hoyle.running.chance import Chance
from hoyle.running.machine import MOST_DECISIONS
from hoyle.running.outcomes import LONGEST, PICKING, WON, Bounds, Sought, Worth
from hoyle.running.state import Core

EACH = 100
"""States that are examined per iteration of a tree search: they take no longer than its game."""
MOST = 30_000_000
"""Most states, however much time there is."""
NARROW, WIDER = 8, 4
"""Width of the first beam, and the factor by which it grows after a failure."""
TIME_SHARE = 0.8
"""Part of the time for a move that is spent on looking for a win."""
QUICKEST = 1_000_000
"""States per second that no machine exceeds; limits the memory to reserve."""
_AT_ONCE, _IN_PYTHON = 20_000, 1_000  # states after which the speed of the machine is known

KEPT, FORCED, NEVER, PROBES, PROBED = -1, 64, 1 << 20, 16, 400
PLACED, BURIED, FREE, FREE_MOST = 4, 4, 1, 16  # weights of what a state is worth

StateKey = tuple[Any, ...]


# ---- wins ------------------------------------------------------------------------------------------------------------


class WinningLine(Struct, frozen=True):
    """A win: the state it begins at, the choice in each state that has one, and the value of the end."""

    core: Core
    chosen: dict[StateKey, int]
    worth: Worth

    @property
    def number(self) -> int:
        """The first choice."""
        return next(iter(self.chosen.values()))


def can_know_win(game: Compiled, seen: RedactedState) -> bool:
    """Return True if a win can be certain: one side, nothing hidden, and rules that say what a win is."""
    return is_solo(game) and game.ruleset.result.won is not None and is_fully_visible(game, seen)


def find_winning_line(
    game: Compiled,
    seen: RedactedState,
    bounds: Bounds,
    chance: Chance,
    seconds: float | None = None,
    known: Mapping[StateKey, int] | None = None,
) -> WinningLine | None:
    """Return a win for the seat that is to choose; None, if none was found, proves nothing.

    Args:
        known: choices of wins found before; they are followed first.
    """
    for core in _sample_state(game, seen, bounds, chance):
        with game.machine.uncounted():
            again = verify_win(game, core, lambda now: (known or {}).get(now.key()))
            return again or _verify_choices(game, core, find_win(game, core, chance.next32(), *_limit(bounds, seconds)))
    return None


def find_winning_line_after(
    game: Compiled, seen: RedactedState, made: int, bounds: Bounds, chance: Chance, seconds: float | None = None
) -> WinningLine | None:
    """Return a win that begins with the choice `made`."""
    for core in _sample_state(game, seen, bounds, chance):
        with game.machine.uncounted():
            after, then = _play_to_choice(game, core, made), tuple[int, ...]()
            if after is not None and not after.over:
                then = find_win(game, after, chance.next32(), *_limit(bounds, seconds))
            return _verify_choices(game, core, (made, *then))
    return None


def _limit(bounds: Bounds, seconds: float | None) -> tuple[int, float | None]:
    """Return the states to examine, and the time for them."""
    if seconds is None:
        return EACH * bounds.iterations, None
    return min(MOST, 1 + int(QUICKEST * TIME_SHARE * seconds)), TIME_SHARE * seconds


def _sample_state(game: Compiled, seen: RedactedState, bounds: Bounds, chance: Chance) -> Iterator[Core]:
    yield from sample_worlds(game, seen, bounds, chance) if can_know_win(game, seen) else ()


def _play_to_choice(game: Compiled, core: Core, number: int) -> Core | None:
    """Make a choice and all forced moves after it. None if the rules cannot go on."""
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


def _verify_choices(game: Compiled, core: Core, choices: tuple[int, ...]) -> WinningLine | None:
    left = iter(choices)
    return verify_win(game, core, lambda _: next(left, None))


def verify_win(game: Compiled, core: Core, choose: Callable[[Core], int | None]) -> WinningLine | None:
    """Play these choices to the end. None unless they win without any chance."""
    now, chosen = core.copy(), dict[StateKey, int]()
    for _ in range(MOST_DECISIONS):
        if now.over:
            break
        number = choose(now) if len(now.acts) > 1 else 0
        if number is None or not 0 <= number < len(now.acts):
            return None
        if len(now.acts) > 1:
            chosen[now.key()] = number
        try:
            game.machine.play(now, now.acts[number])
        except Refused:
            return None
    if not chosen or not results.find_winners(game, now) or now.chance.state != core.chance.state:
        return None
    return WinningLine(
        core, chosen, value_win(results.compute_leads(game, now)[0] - results.compute_leads(game, core)[0])
    )


def value_win(gained: float) -> Worth:
    """Return the value of a certain win of a single side that gains this much."""
    return Worth(WON + (1.0 - WON) * squash_gain(gained, 1.0, score=False), 1.0, 1.0, gained)


# ---- widening beams --------------------------------------------------------------------------------------------------


def find_win(game: Compiled, core: Core, seed: int, most: int, seconds: float | None = None) -> tuple[int, ...]:
    """Return choices that win, by number; () if none were found among `most` states or in time.

    The same seed and number of states find the same.
    """
    end = None if seconds is None else time.monotonic() + seconds
    search = _create_search(game, core, seed, most)
    return next((found.way for found in _widen_beam(search, most, end) if found.way), ())


def decide_winnable(game: Compiled, core: Core, seed: int, most: int) -> bool | None:
    """Tell if a single side that knows all pieces can win. None if `most` states do not decide it.

    Lines in which chance has a part count neither for nor against.
    """
    found = None
    for found in _widen_beam(_create_search(game, core, seed, most), most, None):
        if found.way:
            return True
    return False if found is not None and found.is_none else None


def _create_search(game: Compiled, core: Core, seed: int, most: int) -> search_drivers.NativeBeamSearch | BeamSearch:
    native = game.machine.native if isinstance(game.machine, NativeMachine) else None
    found = search_drivers.begin_beam_search(native, core, seed, most) if native is not None else None
    return found or BeamSearch(game, core, seed)


def _widen_beam(search: search_drivers.NativeBeamSearch | BeamSearch, most: int, end: float | None) -> Iterator[Sought]:
    """Search with wider and wider beams. Piles of a family are told apart only after everything else was tried."""
    width, alike, left = NARROW, True, most
    began = time.monotonic()
    while left > 0:
        room = left if end is None else min(left, _estimate_room(search, most - left, began, end))
        found = search.seek(width, room, alike)
        yield found
        left -= found.looked
        is_exhausted = not found.lost or width == search_drivers.WIDEST
        if is_exhausted and not alike:
            return
        if found.looked < room:  # else it was cut off to measure the speed of the machine
            width, alike = (NARROW, False) if is_exhausted else (min(search_drivers.WIDEST, WIDER * width), alike)
        if end is not None and time.monotonic() >= end:
            return


def _estimate_room(search: search_drivers.NativeBeamSearch | BeamSearch, looked: int, began: float, end: float) -> int:
    """Return how many states can be examined until `end`."""
    if not looked:
        return _AT_ONCE if isinstance(search, search_drivers.NativeBeamSearch) else _IN_PYTHON
    now = time.monotonic()
    return max(1, int(looked / (now - began) * (end - now)))


# ---- beam search in Python -------------------------------------------------------------------------------------------


class Kept(Struct, frozen=True):
    """A state of the beam, and the choices that lead to it."""

    core: Core
    way: tuple[int, ...]


class Candidate(Struct, frozen=True):
    """A state that may be kept; among equal values the first found wins. `kept.core` is the state before its last choice."""

    worth: int
    order: int
    kept: Kept
    key: Hashable


class BeamSearch:
    """Beam search from one state, with a value of states that it learns from random games.

    A pile is a goal if standings improved each time it grew. A piece is due at the lowest height at which it was put on a goal.
    """

    def __init__(self, game: Compiled, core: Core, seed: int, is_open: bool = True) -> None:
        """With `is_open`, lines with chance are discarded, since chance may decide otherwise."""
        self.game, self.machine, self.core, self._open = game, game.machine, core, is_open
        self._families, self._piles = families(game.machine), range(len(core.piles) - 1)
        self._grown, self._better = [0] * len(core.piles), [0] * len(core.piles)
        self._due: dict[int, int] = {}
        self._compared_cells: set[int] = set()
        for number in range(PROBES):
            self._probe(Chance.stream(seed, number, PICKING))

    def _probe(self, pick: Chance) -> None:
        """Play a random game to learn from. Cells that every move changes only count moves."""
        core, cells = self._copy(self.core), range(self.machine.state_size)
        try:
            for _ in range(PROBED):
                if core.over:
                    return
                before = core.cells[: len(cells)]
                self._act(core, pick.below(len(core.acts)) if len(core.acts) > 1 else 0)
                self._compared_cells.update(cell for cell in cells if before[cell] == core.cells[cell])
        except Refused:
            return

    @staticmethod
    def _copy(core: Core) -> Core:
        found = core.copy()
        found.log = None
        return found

    def _act(self, core: Core, number: int) -> bool:
        """Make an action and learn from it. Returns True if no chance was drawn."""
        sizes, stood, future = [*map(len, core.piles)], self._lead(core), core.chance.state
        self.machine.advance(core, self.machine.apply[core.pc](core, core.acts[number]))
        is_better = self._lead(core) > stood
        for pile in self._piles:
            if len(core.piles[pile]) > sizes[pile]:
                self._learn_growth(pile, core.piles[pile], sizes[pile], is_better)
        return core.chance.state == future

    def _lead(self, core: Core) -> int:
        return int(results.compute_leads(self.game, core)[0])

    def _learn_growth(self, pile: int, pieces: Sequence[int], before: int, is_better: bool) -> None:
        self._grown[pile] += 1
        self._better[pile] += is_better
        if self._is_goal(pile):
            for height in range(before, len(pieces)):
                self._due[pieces[height] >> 1] = min(height, self._due.get(pieces[height] >> 1, NEVER))

    def _is_goal(self, pile: int) -> bool:
        return 0 < self._grown[pile] == self._better[pile]

    def worth(self, core: Core) -> int:
        """Value a state: pieces on goals, less pieces that lie on one due earlier, plus legal actions."""
        placed = buried = 0
        for number in self._piles:
            if self._is_goal(number):
                placed += len(core.piles[number])
            else:
                buried += self._count_buried(core.piles[number])
        return PLACED * placed - BURIED * buried + FREE * min(len(core.acts), FREE_MOST)

    def _count_buried(self, pieces: Sequence[int]) -> int:
        count, first = 0, NEVER
        for piece in pieces:
            due = self._due.get(piece >> 1, NEVER)
            count += due > first
            first = min(first, due)
        return count

    def key(self, core: Core, alike: bool) -> Hashable:
        """Identify a state without its move counters. With `alike`, piles of a family may change places."""
        heaps = self.machine.heaps
        piles = [
            (self._families[n] if alike else n, *(sorted(core.piles[n]) if n in heaps else core.piles[n]))
            for n in self._piles
            if core.piles[n]
        ]
        return (
            core.pc,
            core.over,
            tuple(sorted(piles)),
            tuple(core.cells[cell] for cell in sorted(self._compared_cells)),
        )

    def seek(self, width: int, most: int, alike: bool) -> Sought:
        """Search with a beam of `width` states per choice, examining at most `most`."""
        return _Beam(self, width, most, alike).run()

    def play_to_choice(self, core: Core, number: int) -> Core | None:
        """Make a choice and the forced moves after it. None if chance or a fault of the rules ends the line."""
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


class _Beam:
    """One pass with a fixed width."""

    def __init__(self, search: BeamSearch, width: int, most: int, alike: bool) -> None:
        self.search, self.width, self.most, self.alike = search, width, most, alike
        self.looked, self.order, self.lost, self.missed = 0, 0, False, alike
        self.met: dict[Hashable, int] = {search.key(search.core, alike): KEPT}
        self.way: tuple[int, ...] = ()

    def run(self) -> Sought:
        kept = [Kept(self.search.core, ())]
        for depth in range(1, LONGEST):
            candidates: list[Candidate] = []
            if not kept or any(self._expand(one, depth, candidates) for one in kept):
                break
            kept = [*self._keep_best(candidates)]
        else:
            self.missed = True  # wins may be longer
        return Sought(self.looked, self.lost, self.way, self.missed)

    def _expand(self, kept: Kept, depth: int, candidates: list[Candidate]) -> bool:
        """Add all successors of a state. Returns True if one wins, or there is no room left."""
        for number in range(len(kept.core.acts)):
            if self.looked == self.most:
                self.lost = True
                return True
            self.looked += 1
            core, way = self.search.play_to_choice(kept.core, number), (*kept.way, number)
            if core is None:
                self.missed = True
                continue
            if self.search.is_won(core):
                self.way = way
                return True
            key = self.search.key(core, self.alike) if not core.over else None
            if key is not None and self.met.get(key, 0) not in (KEPT, depth):
                self.met[key] = depth
                candidates.append(Candidate(self.search.worth(core), self.order, Kept(kept.core, way), key))
                self.order += 1
        return False

    def _keep_best(self, candidates: list[Candidate]) -> Iterator[Kept]:
        self.lost = self.lost or len(candidates) > self.width
        for one in sorted(candidates, key=lambda candidate: (-candidate.worth, candidate.order))[: self.width]:
            core = self.search.play_to_choice(one.kept.core, one.kept.way[-1])
            if core is not None:
                self.met[one.key] = KEPT
                yield Kept(core, one.kept.way)
