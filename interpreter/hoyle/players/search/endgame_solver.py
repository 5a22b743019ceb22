"""Solve endings exactly in Python: equals `native/endings.c`, value for value.

Depth-first search with alpha-beta bounds for two sides, expected values over chance, and a table of positions. `endgame` decides
when an ending is solved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from typing import NoReturn

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.game import results
from hoyle.game.compiled import Compiled
from hoyle.native.visibility_tables import hides, quietly, sides, unseen
from hoyle.players.search.information_set import compute_rewards
from hoyle.running.chance import Chance
from hoyle.running.outcomes import DRAWS, FORKS, PICKING, Effort, Ending, Stakes, worth
from hoyle.running.state import Core

Value = list[float]
"""Rewards of the sides (of two, only the first), then for the asking side: chance that the game is over, share of the win, gain."""
UNKNOWN, ON_STACK, EXACTLY, AT_LEAST, AT_MOST = range(5)
WIDEST = -1.0, 2.0
"""Bounds around every reward."""
NO_VALUE: Value = [-1.0, 0.0, 0.0, 0.0]
"""Value of a repetition, or of a line that is cut off, for a single side."""


class GaveUp(Exception):
    """The ending cannot be solved, or not with this effort."""


class _ChanceMet(Exception):
    """A line of a single side, searched as if without chance, has chance."""


class _DealOver(Exception):
    """Pieces are shuffled after the standings changed: the deal is over."""


class Position(Struct):
    """Knowledge about the value of a position."""

    known: int = UNKNOWN
    value: Value = []


class Fork(Struct):
    """A state on the stack whose actions are searched: `at` is the current action.

    `digits` are its draws, each below the number in `bounds`; `sum` adds up its values over draws.
    """

    core: Core
    position: Position
    side: int
    shuffled: int
    low: float
    high: float
    window: tuple[float, float]
    at: int = 0
    digits: list[int] = []
    bounds: list[int] = []
    has_drawn: bool = False
    sum: Value = []
    best: Value | None = None


class Draws(Chance):
    """Chance with given draws, then the first possible ones (or random ones, from `pick`).

    Results of a shuffle are not enumerated: the next draw after one calls `settle`.
    """

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
        """Start an action; `shuffled` counts earlier shuffles."""
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
            self.below(bound)  # settles, which does not return
        return items

    def copy(self) -> Draws:
        return self


class Solver:
    """Search of one ending. `is_path`: a single side, so that a line without chance is looked for."""

    def __init__(self, game: Compiled, core: Core, effort: Effort, top: float, stakes: Stakes | None) -> None:
        self.game, self.machine, self.root, self.effort, self.top = game, game.machine, core, effort, top
        self.sides, self.count = sides(game.machine), len(game.ruleset.sides)
        self.own, self.unseen, self.hides = self.sides[core.actor], unseen(game.machine), hides(game.machine)
        self.quietly = quietly(game.machine)
        self.lead: Sequence[float] = [*stakes.lead] if stakes is not None else results.compute_leads(game, core)
        self.scale = stakes.scale if stakes is not None else 1.0
        self.draws = Draws(self._settle)
        self.now, self.done = core, 0
        self._clear(is_path=self.count == 1)

    def _clear(self, is_path: bool) -> None:
        self.is_path, self.is_cut = is_path, False
        self.forks: list[Fork] = []
        self.table: dict[Hashable, Position] = {}
        self.values: list[Value | None] = [None for _ in self.root.acts]
        self.best, self.promised, self.way = -1, -1.0, tuple[int, ...]()

    def solve(self) -> Ending | None:
        """Search the ending. None if it was not solved within the effort."""
        try:
            self._search()
        except _ChanceMet:
            self._clear(is_path=False)
            return self.solve()
        except GaveUp:
            pass
        best = self.values[self.best] if self.best >= 0 else None
        is_top = best is not None and self.is_path and best[0] >= self.top
        if not is_top and (self.forks or (self.is_path and self.is_cut)):
            return None
        asked = range(len(self.values)) if self.effort.every else (self.best,)
        worths = [
            worth(value, self.own) if value is not None and number in asked else None
            for number, value in enumerate(self.values)
        ]
        return Ending(self.best, worths, self.way, self.done)

    # ---- ends --------------------------------------------------------------------------------------------------------

    def _is_deal_over(self, core: Core, shuffled: int) -> bool:
        return shuffled > 0 and results.compute_leads(self.game, core) != self.lead

    def _value(self, core: Core) -> Value:
        rewards, shares, gains = compute_rewards(self.game, core, self.lead, self.scale, self.effort.score)
        own = [float(core.over), shares[self.own], gains[self.own]]
        return [*(rewards[:1] if self.count == 2 else rewards), *own]

    def _settle(self) -> NoReturn:
        """End the deal at a shuffle; give up if its result matters."""
        if results.compute_leads(self.game, self.now) == self.lead:
            raise GaveUp
        raise _DealOver

    # ---- forks -------------------------------------------------------------------------------------------------------

    def _search(self) -> None:
        core = self.root.copy()
        core.log = None
        self._open(core, 0, *WIDEST)
        while self.forks:
            self._step()

    def _step(self) -> None:
        """Try the current action of the last fork, with its current draws."""
        fork = self.forks[-1]
        if fork.at >= len(fork.core.acts):
            self._close()
            return
        self.done += 1
        if self.done > self.effort.most:
            raise GaveUp
        core = fork.core.copy()
        core.chance = draws = self.draws.begin(fork.digits, fork.bounds, shuffled=fork.shuffled)
        is_over = self._play(core, fork.at)
        fork.digits, fork.bounds, fork.has_drawn = draws.digits, draws.bounds, fork.has_drawn or bool(draws.digits)
        if fork.has_drawn and self.is_path:
            raise _ChanceMet
        if fork.has_drawn and self.hides:
            raise GaveUp
        if is_over or core.over or self._is_deal_over(core, draws.shuffled):
            self._end(self._value(core))
            return
        if self.is_unseen(core):
            raise GaveUp
        if len(self.forks) == FORKS:
            if not self.is_path:
                raise GaveUp
            self.is_cut = True
            self._put(NO_VALUE)
            return
        needs_all = fork.has_drawn or (len(self.forks) == 1 and self.effort.every)
        self._open(core, draws.shuffled, *(WIDEST if needs_all else (fork.low, fork.high)))

    def is_unseen(self, core: Core) -> bool:
        """Return True if others do not see what is chosen here."""
        has_choice = self.hides and len(core.acts) > 1
        return bool(self.unseen[core.pc]) or (has_choice and any(self.quietly[action[0]] for action in core.acts))

    def _play(self, core: Core, number: int) -> bool:
        """Make an action. Returns True if a shuffle after it ends the deal; `core` then stands there."""
        self.now = core
        try:
            self.machine.advance(core, self.machine.apply[core.pc](core, core.acts[number]))
        except _DealOver:
            return True
        except Refused:
            raise GaveUp from None
        return False

    def _end(self, value: Value) -> None:
        if self.is_path and value[0] > self.promised:
            self.promised = value[0]
            self.way = tuple(fork.at for fork in self.forks if len(fork.core.acts) > 1)
        self._put(value)

    def _open(self, core: Core, shuffled: int, low: float, high: float) -> None:
        """Push a fork, unless the table knows enough of its position."""
        key = self.machine.memory_key(core), core.pc, shuffled > 0
        position = self.table.setdefault(key, Position())
        if position.known == ON_STACK:
            if not self.is_path:
                raise GaveUp
            self._put(NO_VALUE)
        elif _is_enough(position, low, high):
            self._put(position.value)
        else:
            position.known = ON_STACK
            self.forks.append(Fork(core, position, self.sides[core.actor], shuffled, low, high, (low, high)))

    def _close(self) -> None:
        """Pop the last fork, and store its value."""
        fork = self.forks.pop()
        assert fork.best is not None
        low, high = fork.window
        fork.position.value, fork.position.known = fork.best, EXACTLY
        if self.count == 2 and not low < fork.best[0] < high:
            fork.position.known = AT_MOST if fork.best[0] <= low else AT_LEAST
        if self.forks:
            self._put(fork.best)

    def _put(self, value: Value) -> None:
        """Set the value of the current action with its current draws, and go on to the next draws."""
        fork = self.forks[-1]
        if not fork.has_drawn:
            self._take(fork, value)
            return
        ways = math.prod(fork.bounds, start=1.0)
        before = fork.sum or [0.0 for _ in value]
        fork.sum = [known + part / ways for known, part in zip(before, value, strict=True)]
        while fork.digits and fork.digits[-1] + 1 == fork.bounds[-1]:
            fork.digits.pop()
            fork.bounds.pop()
        if fork.digits:
            fork.digits[-1] += 1
            return
        value, fork.has_drawn, fork.sum = fork.sum, False, []
        self._take(fork, value)

    def _take(self, fork: Fork, value: Value) -> None:
        """Compare the value of the current action with the best, and go on to the next action."""
        is_root = len(self.forks) == 1
        is_second, own = self.count == 2 and fork.side == 1, 0 if self.count == 2 else fork.side
        if is_root and not (self.is_path and self.is_cut and value[0] < self.top):
            self.values[fork.at] = value
        if fork.best is None or (value[0] < fork.best[0] if is_second else value[own] > fork.best[own]):
            fork.best = value
            self.best = fork.at if is_root else self.best
        fork.at += 1
        needs_all = is_root and self.effort.every
        if self.is_path:
            if is_root:
                self.table = {}  # positions on the stack of one action may be reached after another
            if fork.best[0] >= self.top and not needs_all:
                fork.at = len(fork.core.acts)
        elif self.count == 2 and not needs_all:
            if is_second:
                fork.high = min(fork.high, fork.best[0])
            else:
                fork.low = max(fork.low, fork.best[0])
            if fork.low >= fork.high:
                fork.at = len(fork.core.acts)

    # ---- estimates ---------------------------------------------------------------------------------------------------

    def guess(self) -> float | None:
        """Estimate the nodes of the tree from random games, and set `scale`. None if a game is too long or cannot be solved.

        Source: D. Knuth, "Estimating the Efficiency of Backtrack Programs", 1975.
        """
        nodes = changed = 0.0
        for number in range(self.effort.probes):
            core = self.root.copy()
            core.log = None
            estimate = self._probe(core, Chance.stream(0, number, PICKING))
            if estimate is None:
                return None
            nodes += estimate
            for now, before in zip(results.compute_leads(self.game, core), self.lead, strict=True):
                changed += abs(now - before)
        if changed:
            self.scale = changed / (self.effort.probes * self.count)
        return nodes / self.effort.probes

    def _probe(self, core: Core, pick: Chance) -> float | None:
        """Play randomly to the end; return the nodes of a tree that branches like this everywhere."""
        nodes, ways, done, shuffled = 0.0, 1.0, 0, 0
        while not core.over and not self._is_deal_over(core, shuffled):
            if done == self.effort.longest or self.is_unseen(core):
                return None
            ways *= len(core.acts)
            core.chance = draws = self.draws.begin(pick=pick, shuffled=shuffled)
            try:
                is_over = self._play(core, pick.below(len(core.acts)) if len(core.acts) > 1 else 0)
            except GaveUp:
                return None
            ways = math.prod(draws.bounds, start=ways)
            nodes += ways
            if is_over:
                break
            if self.hides and draws.digits:
                return None
            done, shuffled = done + 1, draws.shuffled
        return nodes


def _is_enough(position: Position, low: float, high: float) -> bool:
    if position.known == AT_LEAST:
        return position.value[0] >= high
    return position.known == EXACTLY or (position.known == AT_MOST and position.value[0] <= low)


def solve(game: Compiled, core: Core, effort: Effort, top: float, stakes: Stakes | None = None) -> Ending | None:
    """Return the best action of a state, or None if it is not certain within the effort.

    Args:
        top: a reward that nothing exceeds, for a single side.
        stakes: measure of ends; given, the ending is solved without estimating its effort first.
    """
    solver = Solver(game, core, effort, top, stakes)
    if stakes is None and solver.count > 1:
        nodes = solver.guess()
        if nodes is None or nodes > effort.guess:
            return None
    return solver.solve()
