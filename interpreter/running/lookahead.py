"""The whole-turn obligation: which actions begin a sequence with the greatest sums. Memoised, and it stops early when everything
that is there to play can be played."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import add, sub
from typing import Any

from msgspec import Struct

from interpreter.running.machine import Apply, Machine
from interpreter.running.state import Action, Core
from interpreter.running.verbs import Ended

Weigh = Callable[[Any, Any, int, Any], tuple[int, ...]]
Test = Callable[[Any, Any, int], bool]
Sums = tuple[int, ...]
Reaches = Callable[[Core, int, Sums], bool]


class Aim(Struct, frozen=True):
    """A `maximise` at one decision: the decision's label, the obligation's number and, if it spares some sequences, the register
    of the sums still to be reached: `()` at the first action; and whether no action makes any sum less, and a turn may end anywhere."""

    label: int
    number: int
    register: int | None
    grows: bool = False


def maximise(
    machine: Machine, s: Core, acts: list[Action], me: int, most: Sums, aim: Aim, earlier: tuple[Aim, ...] = ()
) -> Sequence[Action]:
    """The actions of `acts` that begin a sequence by `me` with the greatest sums, and those that begin a spared one.

    `most` is a bound on the sums from here; an action that reaches it needs no further search; `()`: none is known. Who has left the
    greatest sums for a spared sequence must go on with one. Of sequences only those count that the `earlier` obligations leave. None
    is left where nothing that could be done ends as it must, and stopping here does.
    """
    if s.looking:
        return acts
    search = Search(machine, aim, me, earlier)
    best, kept = search.greatest(s, acts, most)
    if aim.register is None:
        return kept
    s.cells[aim.register] = s.cells[aim.register] or best
    if s.cells[aim.register] != best:
        kept = []
    return [a for a in acts if a in kept or search.is_spared(s, a)]


def less(sums: Sums, own: Sums) -> Sums:
    """What is still to be reached after an action that adds `own`."""
    return tuple(map(sub, sums, own))


class Search:
    """What sequences of actions of one player at one decision come to; what it has found it remembers, by the state's key."""

    def __init__(self, machine: Machine, aim: Aim, me: int, earlier: tuple[Aim, ...] = ()) -> None:
        self._machine, self._label, self._me, self._grows = machine, aim.label, me, aim.grows
        self._weigh: Weigh = machine.function(f"weigh_{aim.label}_{aim.number}")
        self._spare: Test | None = machine.space.get(f"spare_{aim.label}_{aim.number}")
        self._ends: Test | None = machine.space.get(f"ends_{aim.label}_{aim.number}")
        self._reaches: Reaches | None = machine.space.get(f"reaches_{aim.label}_{aim.number}")
        self._apply: Apply = machine.apply[aim.label]
        self._shares = f"c{aim.label}" in machine.space
        self._apply_sparing: Apply = machine.space.get(f"c{aim.label}", self._apply)
        self._earlier = [Search(machine, other, me, earlier[:n]) for n, other in enumerate(earlier)]
        self._best: dict[Any, Sums | None] = {}
        self._spared: dict[Any, bool] = {}

    def greatest(self, s: Core, acts: Sequence[Action], most: Sums = ()) -> tuple[Sums, Sequence[Action]]:
        """The greatest sums, and the actions that begin a sequence with them."""
        found = [(sums, action) for action in acts if (sums := self._sums(s, action, most)) is not None]
        if not found:
            return (), [] if self._ends is not None and self._may_end(s) else acts
        best = max(sums for sums, _ in found)
        return best, [action for sums, action in found if sums == best]

    def sums(self, s: Core, action: Action) -> Sums | None:
        """The greatest sums of sequences that begin with this action, without an early end; None if none of them ends as it must."""
        return self._sums(s, action, ())

    def _sums(self, s: Core, action: Action, most: Sums) -> Sums | None:
        own = self._weigh(s.piles, s.cells, self._me, action)
        if self._grows and own == most:
            return own
        left = less(most, own) if most else ()
        tried, goes_on = self._try(s, action, left if self._grows else ())
        if goes_on is None:
            return most
        if not goes_on:
            return own if self._may_end(tried) else None
        rest = self._rest(tried, left)
        return tuple(map(add, own, rest)) if rest is not None else None

    def _rest(self, s: Core, most: Sums) -> Sums | None:
        """The greatest sums of sequences from here; of none, if it may end here and could not otherwise."""
        if self._grows and not self._earlier and self._reached(s, most):
            return most
        key = self._machine.memory_key(s)
        if key not in self._best:
            best: Sums = ()
            for action in self._left(s):
                best = max(best, self._sums(s, action, most) or ())
                if best and most and best >= most:
                    break
            nothing = tuple(0 for _ in self._weigh(s.piles, s.cells, self._me, s.acts[0]))
            self._best[key] = best or (nothing if self._ends is not None and self._may_end(s) else None)
        return self._best[key]

    def _reached(self, s: Core, most: Sums) -> bool:
        """Does one action come to all that could be hoped for? Nothing that follows it takes away from that."""
        return any(self._weigh(s.piles, s.cells, self._me, action) == most for action in s.acts)

    def _left(self, s: Core) -> Sequence[Action]:
        """What the obligations before this one leave of the actions."""
        acts = s.acts
        for search in self._earlier:
            kept = search.greatest(s, acts)[1]
            acts = [a for a in acts if a in kept or search.is_spared(s, a)]
        return acts

    def _may_end(self, s: Core) -> bool:
        return self._ends is None or self._ends(s.piles, s.cells, self._me)

    def is_spared(self, s: Core, action: Action) -> bool:
        """Does the action begin a sequence that is spared, which shows at its end?"""
        if self._spare is None:
            return False
        tried, goes_on = self._try(s, action)
        if not goes_on:
            return self._may_end(tried) and bool(self._spare(tried.piles, tried.cells, self._me))
        key = self._machine.memory_key(tried)
        if key not in self._spared:
            self._spared[key] = any(self.is_spared(tried, a) for a in tried.acts)
        return self._spared[key]

    def _try(self, s: Core, action: Action, most: Sums = ()) -> tuple[Core, bool | None]:
        """The state after an action, and whether the same player decides the same there again; None if he does, and one action comes to
        `most`. (Then it is not known which others there are.)"""
        reaches = self._reaches if most else None
        shares = reaches is not None and self._shares
        tried = s.tried(shares)
        try:
            pc = (self._apply_sparing if shares else self._apply)(tried, action)
            if reaches is not None and pc == self._label and reaches(tried, self._me, most):
                return tried, None
            if shares:
                tried.own()
            self._machine.advance(tried, pc)
        except Ended:
            return tried, False
        return tried, not tried.over and tried.pc == self._label and tried.actor == self._me
