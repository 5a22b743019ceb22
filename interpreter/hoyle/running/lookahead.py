"""The whole-turn obligation (`maximise`): which actions begin a sequence with the greatest sums. Memoised; stops early when the bound is reached.

Methods that look further along a sequence are generators: they yield what they ask and are sent the answer (`_answer`), so no sequence
exhausts Python's stack. A sequence longer than `MOST_MOVES` is an error of the ruleset (R917).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from operator import add, itemgetter, sub
from typing import Any, TypeVar

from msgspec import Struct

from hoyle.diagnostics import Refused
from hoyle.language.sentences import localize_integer, make_message
from hoyle.running.machine import Apply, Machine, refuse
from hoyle.running.state import Action, Core
from hoyle.running.verbs import Ended

Weigh = Callable[[Any, Any, int, Any], tuple[int, ...]]
Test = Callable[[Any, Any, int], bool]
Sums = tuple[int, ...]
Each = Callable[[Core, int], Iterator[Action]]
Answer = TypeVar("Answer")
Asking = Generator[Any, Any, Answer]
"""Yields other such generators, and is sent their results."""
MOST_MOVES = 1_000
"""The longest sequence that is examined."""
_MOST_TRIES = 500
"""Attempts to find quickly a turn that reaches the bound."""


class Aim(Struct, frozen=True):
    """A `maximise` at a decision.

    label     the label of the decision
    number    the number of the obligation
    register  if it spares some sequences: the register of the sums still to be reached, `()` at the first action
    grows     no action lowers a sum, and a turn may end anywhere
    """

    label: int
    number: int
    register: int | None
    grows: bool = False


def maximise(
    machine: Machine, s: Core, acts: list[Action], me: int, most: Sums, aim: Aim, earlier: tuple[Aim, ...] = ()
) -> Sequence[Action]:
    """The actions that begin a sequence by `me` with the greatest sums, and those that begin a spared one.

    `most` is a bound on the sums from here, `()` if none is known; an action that reaches it needs no further search. After a spared
    sequence with other sums was chosen, only spared ones remain. Sequences must satisfy the `earlier` obligations. No action remains if
    nothing ends as it must and stopping here does.
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
    """The sums still to be reached after an action that adds `own`."""
    return tuple(map(sub, sums, own))


def _functions(machine: Machine, aim: Aim) -> tuple[Weigh, Test | None, Test | None, Each | None, Apply | None]:
    """Generated functions: the worth of an action, is a sequence spared, may it end, actions one by one, and their effect."""
    label, ending, space = aim.label, f"{aim.label}_{aim.number}", machine.space
    ends = (space.get(f"{name}_{ending}") for name in ("spare", "ends"))
    return space[f"weigh_{ending}"], *ends, space.get(f"each_{label}"), space.get(f"c{label}")


class Search:
    """Search of the sequences of one player at one decision, memoised by the state's key."""

    def __init__(self, machine: Machine, aim: Aim, me: int, earlier: tuple[Aim, ...] = ()) -> None:
        self._machine, self._label, self._number = machine, aim.label, aim.number
        self._me, self._grows = me, aim.grows
        if aim not in machine.sought:
            machine.sought[aim] = _functions(machine, aim)
        found: tuple[Weigh, Test | None, Test | None, Each | None, Apply | None] = machine.sought[aim]
        self._weigh, self._spare, self._ends, self._each, self._sparing = found
        self._tries = _MOST_TRIES
        self._earlier = [Search(machine, other, me, earlier[:n]) for n, other in enumerate(earlier)]
        self._best: dict[Any, Sums | None] = {}
        self._spared: dict[Any, bool] = {}

    def greatest(self, s: Core, acts: Sequence[Action], most: Sums = ()) -> tuple[Sums, Sequence[Action]]:
        """The greatest sums, and the actions that begin a sequence with them."""
        return self._answer(self._greatest(s, acts, most))

    def sums(self, s: Core, action: Action) -> Sums | None:
        """The greatest sums of sequences that begin with an action, without an early end; None if none ends as it must."""
        return self._answer(self._sums(s, [action], ()))[0]

    def is_spared(self, s: Core, action: Action) -> bool:
        """Does an action begin a sequence that is spared, which shows at its end?"""
        return self._answer(self._is_spared(s, action))

    def _answer(self, asking: Asking[Answer]) -> Answer:
        """Run a generator with its own stack and return its result. Raises Refused (R917) if a sequence is too long."""
        asked: list[Asking[Any]] = [asking]
        answer: Any = None
        while asked:
            try:
                further = asked[-1].send(answer)
            except StopIteration as done:
                asked.pop()
                answer = done.value
            else:
                if len(asked) >= 2 * MOST_MOVES:  # each move asks for what follows, and for the sums of that
                    raise self._endless()
                asked.append(further)
                answer = None
        found: Answer = answer
        return found

    def _endless(self) -> Refused:
        span = next(o.span for o in self._machine.ruleset.obligations.values() if o.number == self._number)
        return refuse(
            "R917",
            make_message("running.long_turn", most=localize_integer(MOST_MOVES)),
            span=span,
            help=make_message("running.end_turn"),
        )

    def _greatest(self, s: Core, acts: Sequence[Action], most: Sums = ()) -> Asking[tuple[Sums, Sequence[Action]]]:
        every = yield self._sums(s, acts, most)
        found = [(sums, action) for sums, action in zip(every, acts, strict=True) if sums is not None]
        if not found:
            return (), [] if self._ends is not None and self._may_end(s) else acts
        best = max(found, key=itemgetter(0))[0]
        return best, [action for sums, action in found if sums == best]

    def _sums(self, s: Core, acts: Sequence[Action], most: Sums, enough: bool = False) -> Asking[list[Sums | None]]:
        """The greatest sums for each action. With `enough`, stop at the first action that reaches `most`."""
        found: list[Sums | None] = []
        for own, action in zip(self._weights(s, acts), acts, strict=True):
            sums: Sums | None = most
            if not (self._grows and own == most):
                left = less(most, own) if most else ()
                if not (most and self._grows and self._reaches(s, action, left)):
                    tried, goes_on = self._try(s, action)
                    if goes_on:
                        rest = yield self._rest(tried, left)
                        sums = tuple(map(add, own, rest)) if rest is not None else None
                    else:
                        sums = own if self._may_end(tried) else None
            found.append(sums)
            if enough and most and sums is not None and sums >= most:
                break
        return found

    def _weights(self, s: Core, acts: Sequence[Action]) -> list[Sums]:
        weigh, piles, cells, me = self._weigh, s.piles, s.cells, self._me
        return [weigh(piles, cells, me, action) for action in acts]

    def _rest(self, s: Core, most: Sums) -> Asking[Sums | None]:
        """The greatest sums of sequences from here; zeros if it may end here and must; None if nothing ends as it must."""
        if most and self._grows and not self._earlier and most in self._weights(s, s.acts):
            return (
                most  # one action comes to all that could be hoped for, and nothing that follows takes away from that
            )
        key = self._machine.memory_key(s)
        if key not in self._best:
            acts = yield self._left(s)
            every = yield self._sums(s, acts, most, True)
            best = max((sums for sums in every if sums), default=None)
            if best is None and self._ends is not None and self._may_end(s):
                best = tuple(0 for _ in self._weights(s, s.acts[:1])[0])
            self._best[key] = best
        return self._best[key]

    def _reaches(self, s: Core, action: Action, most: Sums) -> bool:
        """Do the first actions found after this one reach `most`? If not, others may. States share piles, and no list of actions is made."""
        opened = [found for found in [self._followed(s, action, most)] if found is not None]
        while opened:
            tried, following, left = opened[-1]
            try:
                further = next(following, None)
                own = self._weigh(tried.piles, tried.cells, self._me, further) if further is not None else ()
            except Ended:
                further = None
            if further is None:
                opened.pop()
            elif own == left:
                return True
            elif (found := self._followed(tried, further, less(left, own))) is not None:
                opened.append(found)
        return False

    def _followed(self, s: Core, action: Action, most: Sums) -> tuple[Core, Iterator[Action], Sums] | None:
        """The state after an action, the actions there, and what is still to be reached; None if it is not worth trying."""
        if self._each is None or self._sparing is None or min(most) < 0 or not self._tries:
            return None
        self._tries -= 1
        tried = s.lent()
        try:
            goes_on = self._sparing(tried, action) == self._label
        except Ended:
            return None
        return (tried, self._each(tried, self._me), most) if goes_on else None

    def _left(self, s: Core) -> Asking[Sequence[Action]]:
        """The actions that earlier obligations leave."""
        acts = s.acts
        for search in self._earlier:
            _, kept = yield search._greatest(s, acts)
            left = []
            for action in acts:
                if action in kept or (yield search._is_spared(s, action)):
                    left.append(action)
            acts = left
        return acts

    def _may_end(self, s: Core) -> bool:
        return self._ends is None or self._ends(s.piles, s.cells, self._me)

    def _is_spared(self, s: Core, action: Action) -> Asking[bool]:
        if self._spare is None:
            return False
        tried, goes_on = self._try(s, action)
        if not goes_on:
            return self._may_end(tried) and bool(self._spare(tried.piles, tried.cells, self._me))
        key = self._machine.memory_key(tried)
        if key not in self._spared:
            found = False
            for further in tried.acts:
                found = found or (yield self._is_spared(tried, further))
            self._spared[key] = found
        return self._spared[key]

    def _try(self, s: Core, action: Action) -> tuple[Core, bool]:
        """The state after an action, and whether the same player faces the same decision there."""
        tried = s.tried()
        try:
            self._machine.advance(tried, self._machine.apply[self._label](tried, action))
        except Ended:
            return tried, False
        return tried, not tried.over and tried.pc == self._label and tried.actor == self._me
