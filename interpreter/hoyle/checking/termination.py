"""What can never end, and what can never be reached."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise

from hoyle.checking.reads import ANY, Effect, Key, Reader, roots
from hoyle.checking.world import World
from hoyle.diagnostics import UNSAID, Said
from hoyle.language.evaluate import Setting, evaluate, static
from hoyle.language.ir import Expr
from hoyle.language.model import Maximise, Move, NeverTwice, Ruleset, Whenever
from hoyle.language.sentences import said
from hoyle.language.steps import (
    AsOne,
    Choose,
    Do,
    Leave,
    Play,
    Repeat,
    Run,
    Step,
    Turns,
    every_step,
    inner_lists,
    mentions,
)


class Termination:
    """Checks one ruleset. An error only where it is certain: what cannot be told is assumed to change everything."""

    def __init__(self, found: Ruleset, world: World, reader: Reader) -> None:
        self.found, self.world, self.reader = found, world, reader
        self.alone = reader.by_themselves()

    def check(self) -> None:
        for steps in roots(self.found):
            self._unreachable(steps)
            for step in every_step(steps):
                self._step(step)
        for entry in self.found.whenever.values():
            self._whenever(entry)

    def _step(self, step: Step) -> None:
        match step.verb:
            case Repeat(steps, until):
                self._until(until, partial(said, "termination.repeated"), self.reader.steps(steps), bounded=True)
            case Turns():
                self._turns(step.verb)
            case Play(at_most=None):
                self._play(step, step.verb)
        for inner in inner_lists(step):
            self._unreachable(inner)
        if isinstance(step.verb, Choose | Play) and step.otherwise:
            self._otherwise(step, step.verb)

    # ---- endless -----------------------------------------------------------------------------------------------------

    def _turns(self, verb: Turns) -> None:
        body = self.reader.phase(verb.phase, True)
        inside = Effect(set(body.changes), set(body.fills), body.leaves - {verb.phase})
        inside.add(self.alone)
        own = [e for e in (verb.until, verb.skip) if e is not None]
        skipped = verb.skip is not None and meets(self.reader.reads(verb.skip), inside.changes)
        if skipped or mentions(own, verb.me) or verb.at_most is not None:
            return
        self._until(verb.until, partial(said, "termination.phase", name=verb.phase), inside, verb.bounded)

    def _until(self, until: Expr | None, what: Callable[[], Said], body: Effect, bounded: bool) -> None:
        """`what` does what `body` says: can that make `until` true?"""
        if until is None or until.kind.name == "unknown":
            return
        may = Effect()
        for effect in (body, self.alone):
            may.add(effect)
        if may.leaves or meets(self.reader.reads(until), may.changes):
            return
        if static(until) and (bounded or _value(until, self.world) is True):
            return  # it depends on options only: with others it may be another matter
        self._never_ends(until, what)

    def _never_ends(self, until: Expr, what: Callable[[], Said]) -> None:
        looked_at = ", ".join(f"`{name}`" for _, name in sorted(self.reader.reads(until)))
        note = (
            said("termination.not_changed", looked_at=looked_at, what=what())
            if looked_at
            else said("termination.nothing_changes")
        )
        self.world.problems.add(
            "R526",
            said("termination.never_ends"),
            until.span,
            notes=[note],
            help=said("termination.test_inside"),
        )

    def _play(self, step: Step, verb: Play) -> None:
        """A move stays possible for ever if nothing done in this `play` can change what decides about it."""
        moves = [m for m in verb.moves if m in self.found.moves]
        if any(isinstance(self.found.obligations[o].demand, NeverTwice) for o in verb.obey):
            return
        may = self.reader.steps(verb.then)
        for effect in (self.alone, *(self.reader.move(m) for m in moves)):
            may.add(effect)
        for name in moves if not may.leaves else ():
            if not meets(self.reader.asks(self.found.moves[name]), may.changes):
                self.world.problems.add(
                    "R527",
                    said("termination.for_ever", name=name),
                    step.span,
                    notes=[said("termination.play_again")],
                    help=said("termination.ask_once"),
                    related=[(self.found.moves[name].span, said("termination.this_move"))],
                )

    def _whenever(self, entry: Whenever) -> None:
        reads = self.reader.reads(entry.condition, *(entry.loop.formulas if entry.loop is not None else ()))
        done = self.reader.steps(entry.do)
        if entry.condition.kind.name == "unknown" or done.leaves or meets(reads, done.changes):
            return
        if static(entry.condition) and _value(entry.condition, self.world) is not True:
            return
        self.world.problems.add(
            "R529",
            said("termination.acts_for_ever", name=entry.name),
            entry.span,
            help=said("termination.must_change"),
        )

    # ---- order -------------------------------------------------------------------------------------------------------

    def _unreachable(self, steps: Iterable[Step]) -> None:
        if any(d.code == "R520" for d in self.world.problems):
            return  # it leaves what is not running: where it leads is not known
        for step, after in pairwise(steps):
            if self._left(step):
                self.world.problems.add(
                    "R528",
                    said("termination.never_reached", name=after.name),
                    after.span,
                    related=[(step.span, said("termination.leaves_before"))],
                )
                return

    def _left_by(self, steps: Iterable[Step]) -> frozenset[str]:
        """Phases of which these steps leave one, whatever happens; none if they may come to their end."""
        return next((left for step in steps if (left := self._left(step))), frozenset())

    def _left(self, step: Step) -> frozenset[str]:
        if step.loop is not None or (isinstance(step.verb, Choose) and step.when is not None):
            return frozenset()
        ways = list(self._ways(step))
        if step.when is not None or (isinstance(step.verb, Choose) and self._sure(step.verb) is None):
            ways.append(self._left_by(step.otherwise))
        return frozenset().union(*ways) if all(ways) else frozenset()

    def _ways(self, step: Step) -> Iterator[frozenset[str]]:
        """Of each way in which the verb can go what it leaves."""
        match step.verb:
            case Leave(phase):
                yield frozenset([phase])
            case Do(steps) | AsOne(steps):
                yield self._left_by(steps)
            case Run(phase):
                inside = self._left_by(self.found.phases[phase, step.me is not None].steps)
                yield inside if phase not in inside else frozenset()
            case Choose(moves, together=None):
                yield from (self._left_by(self.found.moves[name].then) for name in moves)
            case _:
                yield frozenset()

    def _sure(self, verb: Choose | Play) -> Move | None:
        """A move that is always possible: bound to nothing, without conditions, and kept back by no obligation."""
        demands = [self.found.obligations[name].demand for name in verb.obey]
        if any(isinstance(d, NeverTwice) or (isinstance(d, Maximise) and d.ends_if is not None) for d in demands):
            return None
        moves = (self.found.moves[name] for name in verb.moves)
        return next((m for m in moves if not (m.bindings or m.put or m.conditions)), None)

    def _otherwise(self, step: Step, verb: Choose | Play) -> None:
        """With these verbs `else` is for when nothing is possible."""
        sure, never = self._sure(verb), step.otherwise[0]
        if sure is None or (isinstance(verb, Play) and verb.at_most is not None):
            return
        self.world.problems.add(
            "R528",
            said("termination.never_reached", name=never.name),
            never.span,
            notes=[said("termination.else_is")],
            related=[(sure.span, said("termination.always_possible"))],
            help=said("termination.into_do") if step.when is not None else UNSAID,
        )


def meets(reads: set[Key], changes: set[Key]) -> bool:
    """May a change be seen by who reads this?"""
    return bool(reads & changes) or ANY in reads or (ANY in changes and bool(reads))


def _value(expr: Expr, world: World) -> object:
    """The value of a formula of options and tables, or None if it needs more than that."""
    try:
        return bool(evaluate(expr, Setting(world.attributes.by_name, SEATS=len(world.seats)), {}))
    except (KeyError, IndexError):
        return None
