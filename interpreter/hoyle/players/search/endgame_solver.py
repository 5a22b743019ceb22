"""Endings solved by the Python engine: the same as `native/endings.c`, value for value (where it is told how)."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import NoReturn

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.native.visibility_tables import hides, quietly, sides, unseen
from hoyle.players.search.information_set import rewards
from hoyle.running.chance import Chance
from hoyle.running.outcomes import DRAWS, FORKS, PICKING, Effort, Ending, Stakes, worth
from hoyle.running.state import Core

Parts = list[float]
"""The rewards of the sides, of two that of the first; then, for who asks, how surely the game is over, its share of the win, what it gains."""
UNKNOWN, ON_THE_WAY, EXACTLY, AT_LEAST, AT_MOST = range(5)
NOTHING = -1.0, 2.0
"""What any value lies between."""


class GaveUp(Exception):
    """It cannot be solved, or not with so much effort."""


class _Drew(Exception):
    """There is chance where none was looked for."""


class _Settled(Exception):
    """Pieces are shuffled, and the deal is over by that."""


class Position(Struct):
    known: int = UNKNOWN
    parts: Parts = []


class Fork(Struct):
    """A state whose actions are looked through: the one it is at, how its draws were and of how many ways each was one of, what they come to so far; the best so far."""

    core: Core
    of: Position
    side: int
    shuffled: int
    low: float
    high: float
    begun: tuple[float, float]
    at: int = 0
    digits: list[int] = []
    bounds: list[int] = []
    drew: bool = False
    sum: Parts = []
    best: Parts | None = None


class Draws(Chance):
    """Chance as it is to be: so many draws that are given, then the first that there may be; or any, to see what may come. What is drawn for a shuffle nobody knows
    how to give: then it calls `settle`."""

    __slots__ = ("at", "before", "bounds", "digits", "pick", "settle", "shuffled")

    def __init__(self, settle: Callable[[], NoReturn]) -> None:
        super().__init__(0, 1)
        self.settle: Callable[[], NoReturn] = settle
        self.pick: Chance | None = None
        self.digits: list[int] = []
        self.bounds: list[int] = []
        self.at = self.before = self.shuffled = 0

    def begin(
        self, digits: Sequence[int] = (), bounds: Sequence[int] = (), pick: Chance | None = None, shuffled: int = 0
    ) -> Draws:
        """`shuffled`: how often pieces were shuffled before."""
        self.digits, self.bounds, self.pick, self.at = [*digits], [*bounds], pick, 0
        self.before = self.shuffled = shuffled
        return self

    def below(self, bound: int) -> int:
        if self.shuffled != self.before:
            self.settle()
        if bound == 1:
            return 0
        if self.at == len(self.digits):
            if self.at == DRAWS:
                raise GaveUp
            self.bounds.append(bound)
            self.digits.append(self.pick.below(bound) if self.pick is not None else 0)
        self.at += 1
        return self.digits[self.at - 1]

    def shuffle(self, pile: int, items: list[int], least: int | None = None) -> list[int]:
        self.shuffled += 1
        if least is not None:
            return super().shuffle(pile, items, least)
        for bound in range(len(items), 1, -1):
            self.below(bound)  # which does not come back
        return items

    def copy(self) -> Draws:
        return self


class Solver:
    """One ending that is looked through."""

    def __init__(self, game: Compiled, core: Core, effort: Effort, top: float, stakes: Stakes | None) -> None:
        self.game, self.machine, self.root, self.effort, self.top = game, game.machine, core, effort, top
        self.sides, self.count = sides(game.machine), len(game.ruleset.sides)
        self.own, self.unseen, self.hides = self.sides[core.actor], unseen(game.machine), hides(game.machine)
        self.quietly = quietly(game.machine)
        self.lead: Sequence[float] = [*stakes.lead] if stakes is not None else results.compute_leads(game, core)
        self.scale = stakes.scale if stakes is not None else 1.0
        self.draws = Draws(self._settle)
        self.now = core
        self.forks: list[Fork] = []
        self.table: dict[Hashable, Position] = {}
        self.found: list[Parts | None] = [None for _ in core.acts]
        self.reaches, self.cut, self.done = self.count == 1, False, 0
        self.best, self.promised, self.way = -1, -1.0, tuple[int, ...]()

    def solve(self) -> Ending | None:
        try:
            self._look_through()
        except _Drew:
            return self._again()
        except GaveUp:
            pass
        return self._ending()

    def _again(self) -> Ending | None:
        """Alone, where there is chance after all."""
        self.reaches, self.cut, self.forks, self.table = False, False, [], {}
        self.found, self.best, self.promised, self.way = [None for _ in self.found], -1, -1.0, ()
        return self.solve()

    def _ending(self) -> Ending | None:
        best = self.found[self.best] if self.best >= 0 else None
        surely = best is not None and self.reaches and best[0] >= self.top
        if not surely and (self.forks or (self.reaches and self.cut)):
            return None
        numbers = range(len(self.found)) if self.effort.every else (self.best,)
        known = (parts if n in numbers else None for n, parts in enumerate(self.found))
        worths = [worth(parts, self.own) if parts is not None else None for parts in known]
        return Ending(self.best, worths, self.way, self.done)

    # ---- what an end is worth ----------------------------------------------------------------------------------------

    def _settled(self, core: Core, shuffled: int) -> bool:
        """Is a deal over: were pieces shuffled or cut, and does somebody stand otherwise than at the beginning?"""
        return shuffled > 0 and results.compute_leads(self.game, core) != self.lead

    def _parts(self, core: Core) -> Parts:
        found, won, gained = rewards(self.game, core, self.lead, self.scale, self.effort.score)
        own = [float(core.over), won[self.own], gained[self.own]]
        return [*(found[:1] if self.count == 2 else found), *own]

    def _settle(self) -> NoReturn:
        """What a shuffle brings is not gone through: either the deal is over by then, and nobody has to know, or it cannot be known."""
        if results.compute_leads(self.game, self.now) == self.lead:
            raise GaveUp
        raise _Settled

    # ---- forks -------------------------------------------------------------------------------------------------------

    def _look_through(self) -> None:
        core = self.root.copy()
        core.log = None
        self._open(core, 0, *NOTHING)
        while self.forks:
            self._step()

    def _step(self) -> None:
        """One action of the last fork, with one way of its draws."""
        fork = self.forks[-1]
        if fork.at >= len(fork.core.acts):
            self._close()
            return
        if self.done >= self.effort.most:
            self.done += 1
            raise GaveUp
        self.done += 1
        core = fork.core.copy()
        core.chance = draws = self.draws.begin(fork.digits, fork.bounds, shuffled=fork.shuffled)
        settled = self._made(core, fork.at)
        fork.digits, fork.bounds, fork.drew = draws.digits, draws.bounds, fork.drew or bool(draws.digits)
        if fork.drew and self.reaches:
            raise _Drew
        if fork.drew and self.hides:
            raise GaveUp
        if settled or core.over or self._settled(core, draws.shuffled):
            self._ended(self._parts(core))
            return
        if self.is_unseen(core):
            raise GaveUp
        if len(self.forks) == FORKS:
            self._is_cut()
            return
        whole = fork.drew or (len(self.forks) == 1 and self.effort.every)
        self._open(core, draws.shuffled, *(NOTHING if whole else (fork.low, fork.high)))

    def is_unseen(self, core: Core) -> bool:
        """Is a choice made there that others do not see?"""
        several = self.hides and len(core.acts) > 1
        return bool(self.unseen[core.pc]) or (several and any(self.quietly[action[0]] for action in core.acts))

    def _made(self, core: Core, number: int) -> bool:
        """Makes a choice; whether a deal is over by a shuffle after it. Then the state stands there."""
        self.now = core
        try:
            self.machine.advance(core, self.machine.apply[core.pc](core, core.acts[number]))
        except _Settled:
            return True
        except Refused:
            raise GaveUp from None
        return False

    def _is_cut(self) -> None:
        if not self.reaches:
            raise GaveUp
        self.cut = True
        self._put(self._nothing())

    def _nothing(self) -> Parts:
        return [-1.0, 0.0, 0.0, 0.0]

    def _ended(self, parts: Parts) -> None:
        if self.reaches and parts[0] > self.promised:
            self.promised = parts[0]
            self.way = tuple(fork.at for fork in self.forks if len(fork.core.acts) > 1)
        self._put(parts)

    def _open(self, core: Core, shuffled: int, low: float, high: float) -> None:
        of = self.table.setdefault((self.machine.memory_key(core), core.pc, shuffled > 0), Position())
        if of.known == ON_THE_WAY:
            if not self.reaches:
                raise GaveUp
            self._put(self._nothing())
        elif _is_enough(of, low, high):
            self._put(of.parts)
        else:
            of.known = ON_THE_WAY
            self.forks.append(Fork(core, of, self.sides[core.actor], shuffled, low, high, (low, high)))

    def _close(self) -> None:
        fork = self.forks.pop()
        assert fork.best is not None
        low, high = fork.begun
        fork.of.parts, fork.of.known = fork.best, EXACTLY
        if self.count == 2 and not low < fork.best[0] < high:
            fork.of.known = AT_MOST if fork.best[0] <= low else AT_LEAST
        if self.forks:
            self._put(fork.best)

    def _put(self, parts: Parts) -> None:
        """The action that the last fork is at comes to this, as its draws are; then to the next of them."""
        fork = self.forks[-1]
        if not fork.drew:
            self._take(fork, parts)
            return
        ways = math.prod(fork.bounds, start=1.0)
        before = fork.sum or [0.0 for _ in parts]
        fork.sum = [known + part / ways for known, part in zip(before, parts, strict=True)]
        while fork.digits and fork.digits[-1] + 1 == fork.bounds[-1]:
            fork.digits.pop()
            fork.bounds.pop()
        if fork.digits:
            fork.digits[-1] += 1
            return
        parts, fork.drew, fork.sum = fork.sum, False, []
        self._take(fork, parts)

    def _take(self, fork: Fork, parts: Parts) -> None:
        """Chooses by what an action comes to. At the first fork each is noted."""
        is_first = len(self.forks) == 1
        second, own = self.count == 2 and fork.side == 1, 0 if self.count == 2 else fork.side
        if is_first and not (self.reaches and self.cut and parts[0] < self.top):
            self.found[fork.at] = parts
        if fork.best is None or (parts[0] < fork.best[0] if second else parts[own] > fork.best[own]):
            fork.best = parts
            self.best = fork.at if is_first else self.best
        fork.at += 1
        if self.reaches:
            if is_first:
                self.table = {}  # what is on the way after one may be passed after another
            if fork.best[0] >= self.top and not (is_first and self.effort.every):
                fork.at = len(fork.core.acts)
        elif self.count == 2 and not (is_first and self.effort.every):
            self._narrow(fork, fork.best[0], second)

    def _narrow(self, fork: Fork, best: float, second: bool) -> None:
        """What is worse than what is known already need not be known."""
        if second:
            fork.high = min(fork.high, best)
        else:
            fork.low = max(fork.low, best)
        if fork.low >= fork.high:
            fork.at = len(fork.core.acts)

    # ---- is it worth trying? -----------------------------------------------------------------------------------------

    def guess(self) -> float | None:
        """What the tree of all ways may have, by random ones (D. Knuth, "Estimating the Efficiency of Backtrack Programs", 1975), after which
        it is known by how much standings change on them; None if one does not come to an end soon."""
        nodes = changed = 0.0
        for number in range(self.effort.probes):
            core = self.root.copy()
            core.log = None
            some = self._followed(core, Chance.stream(0, number, PICKING))
            if some is None:
                return None
            nodes += some
            for now, before in zip(results.compute_leads(self.game, core), self.lead, strict=True):
                changed += abs(now - before)
        if changed:
            self.scale = changed / (self.effort.probes * self.count)
        return nodes / self.effort.probes

    def _followed(self, core: Core, pick: Chance) -> float | None:
        """A random way to the end; how many there may be, as far as it shows."""
        nodes, ways, done, shuffled = 0.0, 1.0, 0, 0
        while not core.over and not self._settled(core, shuffled):
            if done == self.effort.longest or self.is_unseen(core):
                return None
            ways *= len(core.acts)
            core.chance = draws = self.draws.begin(pick=pick, shuffled=shuffled)
            try:
                settled = self._made(core, pick.below(len(core.acts)) if len(core.acts) > 1 else 0)
            except GaveUp:
                return None
            ways = math.prod(draws.bounds, start=ways)
            nodes += ways
            if settled:
                break
            if self.hides and draws.digits:
                return None
            done, shuffled = done + 1, draws.shuffled
        return nodes


def _is_enough(of: Position, low: float, high: float) -> bool:
    """Is as much known as matters?"""
    if of.known == AT_LEAST:
        return of.parts[0] >= high
    return of.known == EXACTLY or (of.known == AT_MOST and of.parts[0] <= low)


def solved(game: Compiled, core: Core, effort: Effort, top: float, stakes: Stakes | None = None) -> Ending | None:
    """The best of the actions of a state, if it can be found for certain with so much effort. `top`: a reward above which there is none, for who plays
    alone; `stakes`: what ends are measured by, if it is not to be found out whether it is worth trying."""
    solver = Solver(game, core, effort, top, stakes)
    if stakes is None and solver.count > 1:
        nodes = solver.guess()
        if nodes is None or nodes > effort.guess:
            return None
    return solver.solve()
