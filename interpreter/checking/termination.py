"""What can never end, what can never be reached, and what is left while it is not running."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from interpreter.checking.reads import ANY, Effect, Key, Reader, every_step, mentions, roots
from interpreter.checking.world import World
from interpreter.language.evaluate import Setting, evaluate, static
from interpreter.language.ir import Expr
from interpreter.language.model import Ruleset, Step, Whenever


class Termination:
    """Checks one ruleset. An error only where it is certain: what cannot be told is assumed to change everything."""

    def __init__(self, found: Ruleset, world: World, reader: Reader) -> None:
        self.found, self.world, self.reader = found, world, reader
        self.alone = reader.by_themselves()
        self._walked: set[tuple[str, bool, tuple[str, ...]]] = set()

    def check(self) -> None:
        for steps in roots(self.found):
            self._unreachable(steps)
            for step in every_step(steps):
                self._step(step)
        for entry in self.found.whenever.values():
            self._whenever(entry)
        self._phase("game", False, ())

    def _step(self, step: Step) -> None:
        if step.verb == "repeat":
            self._until(step, self.reader.steps(step.inner["do"]), bounded=True)
        elif step.verb == "turns":
            body = self.reader.phase(step.fields["phase"], True)
            inside = Effect(set(body.changes), set(body.fills), body.leaves - {step.fields["phase"]})
            self._until(step, inside, bounded=step.fields["rounds"] is not None or step.fields["at_most"] is not None)
        elif step.verb == "play" and step.fields["at_most"] is None:
            self._play(step)
        for inner in step.inner.values():
            self._unreachable(inner)

    # ---- endless -----------------------------------------------------------------------------------------------------

    def _until(self, step: Step, body: Effect, bounded: bool) -> None:
        until = step.fields["until"]
        if until is None or until.kind.name == "unknown":
            return
        may = Effect()
        for effect in (body, self.alone):
            may.add(effect)
        skipped = step.fields.get("skip") is not None and self._may_change(step.fields["skip"], may, step)
        if may.leaves or skipped or self._may_change(until, may, step):
            return
        if static(until) and (bounded or _value(until, self.world) is True):
            return  # it depends on options only: with others it may be another matter
        if step.verb != "turns" or step.fields["at_most"] is None:
            self._never_ends(step, until)

    def _never_ends(self, step: Step, until: Expr) -> None:
        looked_at = ", ".join(f"`{name}`" for _, name in sorted(self.reader.reads(until)))
        what = f"phase `{step.fields['phase']}`" if step.verb == "turns" else "what is repeated"
        note = (
            f"`until` looks at {looked_at}, and {what} does not change that"
            if looked_at
            else "`until` looks at nothing that could change"
        )
        self.world.problems.add(
            "R526",
            "this can never end: nothing in it can make `until` true",
            until.span,
            notes=[note],
            help="test something that changes inside",
        )

    def _may_change(self, condition: Expr, may: Effect, step: Step) -> bool:
        me = step.fields.get("me")
        if me is not None and mentions(condition, me):
            return True
        return meets(self.reader.reads(condition), may.changes)

    def _play(self, step: Step) -> None:
        """A move stays possible for ever if nothing done in this `play` can change what decides about it."""
        moves = [m for m in step.fields["moves"] if m in self.found.moves]
        if any(
            self.found.obligations[o].sort == "never_twice" for o in step.fields["obey"] if o in self.found.obligations
        ):
            return
        may = self.reader.steps(step.inner.get("then", ()))
        for effect in (self.alone, *(self.reader.move(m) for m in moves)):
            may.add(effect)
        for name in moves if not may.leaves else ():
            if not meets(self.reader.asks(self.found.moves[name]), may.changes):
                self.world.problems.add(
                    "R527",
                    f"this may go on for ever: `{name}` stays possible whatever is done",
                    step.span,
                    notes=["`play` asks again and again until nothing is possible"],
                    help="ask once with `choose`, say `at_most: n`, or give the move a condition that comes to an end",
                    related=[(self.found.moves[name].span, "this move")],
                )

    def _whenever(self, entry: Whenever) -> None:
        reads = self.reader.reads(entry.condition, *entry.loop[1:] if entry.loop else ())
        done = self.reader.steps(entry.do)
        if entry.condition.kind.name == "unknown" or done.leaves or meets(reads, done.changes):
            return
        if static(entry.condition) and _value(entry.condition, self.world) is not True:
            return
        self.world.problems.add(
            "R529",
            f"`{entry.name}` would act for ever: what it does cannot make its `if` false",
            entry.span,
            help="its `do` must change something that its `if` looks at",
        )

    # ---- order -------------------------------------------------------------------------------------------------------

    def _unreachable(self, steps: list[Step]) -> None:
        for step, after in pairwise(steps):
            if step.verb == "leave" and step.when is None and step.loop is None:
                self.world.problems.add(
                    "R528",
                    f"`{after.name}` is never reached",
                    after.span,
                    severity="warning",
                    related=[(step.span, "this always leaves before it")],
                )
                return

    def _phase(self, name: str, acting: bool, running: tuple[str, ...]) -> None:
        """Follow every way through the phases, so that `leave` is judged with what is running there."""
        phase = self.found.phases.get((name, acting))
        if phase is None or name in running or (name, acting, running) in self._walked:
            return
        self._walked.add((name, acting, running))
        self._leaves(phase.steps, (*running, name))

    def _leaves(self, steps: Iterable[Step], running: tuple[str, ...]) -> None:
        for step in every_step(steps):
            if (
                step.verb == "leave"
                and step.fields["phase"] in self.world.phases
                and step.fields["phase"] not in running
            ):
                self._not_running(step, running)
            elif step.verb in ("run", "turns"):
                self._phase(step.fields["phase"], step.verb == "turns" or step.me is not None, running)
            elif step.verb in ("choose", "play"):
                for move in step.fields["moves"]:
                    self._leaves(self.found.moves[move].then if move in self.found.moves else (), running)

    def _not_running(self, step: Step, running: tuple[str, ...]) -> None:
        self.world.problems.add(
            "R520",
            f"`{step.fields['phase']}` is not running here, so it cannot be left",
            step.fields["span"],
            notes=[f"running: {', '.join(f'`{name}`' for name in running)}"],
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
