"""Finds loops that can never end and steps that can never be reached.

Reports only what is certain: formulas and steps that cannot be analysed count as changing everything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import pairwise

from hoyle.checking.analysis import ANY, Effect, EffectReader, Key, list_step_lists
from hoyle.checking.formulas.symbols import SymbolTable
from hoyle.diagnostics import LocalizedText
from hoyle.language.evaluate import Setting, evaluate, is_static
from hoyle.language.ir import Expr
from hoyle.language.model import Maximise, Move, NeverTwice, Ruleset, Whenever
from hoyle.language.sentences import make_message
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


class TerminationCheck:
    def __init__(self, ruleset: Ruleset, symbols: SymbolTable, reader: EffectReader) -> None:
        self.ruleset, self.symbols, self.reader = ruleset, symbols, reader
        self.by_rules = reader.effect_of_rules()

    def check(self) -> None:
        for steps in list_step_lists(self.ruleset):
            self._check_order(steps)
            for step in every_step(steps):
                self._check_step(step)
        for entry in self.ruleset.whenever.values():
            self._check_whenever(entry)

    def _check_step(self, step: Step) -> None:
        match step.verb:
            case Repeat(steps, until):
                self._check_until(
                    until,
                    partial(make_message, "termination.repeated"),
                    self.reader.effect_of_steps(steps),
                    bounded=True,
                )
            case Turns():
                self._check_turns(step.verb)
            case Play(at_most=None):
                self._check_play(step, step.verb)
        for inner in inner_lists(step):
            self._check_order(inner)
        if isinstance(step.verb, Choose | Play) and step.otherwise:
            self._check_else(step, step.verb)

    # ---- endless loops -----------------------------------------------------------------------------------------------

    def _check_turns(self, verb: Turns) -> None:
        body = self.reader.effect_of_phase(verb.phase, True)
        inside = Effect(set(body.changes), set(body.fills), body.leaves - {verb.phase})
        inside.add(self.by_rules)
        own = [e for e in (verb.until, verb.skip) if e is not None]
        skipped = verb.skip is not None and may_affect(self.reader.reads(verb.skip), inside.changes)
        if not skipped and not mentions(own, verb.me) and verb.at_most is None:
            self._check_until(
                verb.until, partial(make_message, "termination.phase", name=verb.phase), inside, verb.bounded
            )

    def _check_until(
        self, until: Expr | None, subject: Callable[[], LocalizedText], body: Effect, bounded: bool
    ) -> None:
        """Report an `until` that the effects of its loop cannot make true. `bounded`: the number of rounds is limited, too."""
        if until is None or until.type.name == "unknown":
            return
        effect = Effect()
        effect.add(body)
        effect.add(self.by_rules)
        reads = self.reader.reads(until)
        if effect.leaves or may_affect(reads, effect.changes):
            return
        if is_static(until) and (bounded or _evaluate_static(until, self.symbols) is True):
            return  # other option values may end the loop
        looked_at = ", ".join(f"`{name}`" for _, name in sorted(reads))
        note = make_message("termination.nothing_changes")
        if looked_at:
            note = make_message("termination.not_changed", looked_at=looked_at, what=subject())
        self.symbols.report("R526", "termination.never_ends", until.span, note=note, help="termination.test_inside")

    def _check_play(self, step: Step, verb: Play) -> None:
        """Report moves that stay possible forever, because nothing done in this `play` changes what decides about them."""
        moves = [name for name in verb.moves if name in self.ruleset.moves]
        if any(isinstance(self.ruleset.obligations[name].demand, NeverTwice) for name in verb.obey):
            return
        effect = self.reader.effect_of_steps(verb.then)
        for other in (self.by_rules, *(self.reader.effect_of_move(name) for name in moves)):
            effect.add(other)
        for name in moves if not effect.leaves else ():
            move = self.ruleset.moves[name]
            if not may_affect(self.reader.reads_of_move(move), effect.changes):
                self.symbols.report(
                    "R527",
                    "termination.for_ever",
                    step.span,
                    name=name,
                    note="termination.play_again",
                    help="termination.ask_once",
                    related=[(move.span, make_message("termination.this_move"))],
                )

    def _check_whenever(self, entry: Whenever) -> None:
        """Report a rule whose steps cannot make its condition false."""
        reads = self.reader.reads(entry.condition, *(entry.loop.formulas if entry.loop is not None else ()))
        effect = self.reader.effect_of_steps(entry.do)
        if entry.condition.type.name == "unknown" or effect.leaves or may_affect(reads, effect.changes):
            return
        if not is_static(entry.condition) or _evaluate_static(entry.condition, self.symbols) is True:
            help = "termination.must_change"
            self.symbols.report("R529", "termination.acts_for_ever", entry.span, name=entry.name, help=help)

    # ---- unreachable steps -------------------------------------------------------------------------------------------

    def _check_order(self, steps: Iterable[Step]) -> None:
        """Report the first step behind one that always leaves."""
        if any(d.code == "R520" for d in self.symbols.problems):
            return  # where a wrong `leave` leads is not known
        for step, after in pairwise(steps):
            if self._find_left(step):
                related = [(step.span, make_message("termination.leaves_before"))]
                self.symbols.report("R528", "termination.never_reached", after.span, name=after.name, related=related)
                return

    def _find_left_by(self, steps: Iterable[Step]) -> frozenset[str]:
        """Find phases of which steps certainly leave one; none if the steps may come to their end."""
        return next((left for step in steps if (left := self._find_left(step))), frozenset())

    def _find_left(self, step: Step) -> frozenset[str]:
        if step.loop is not None or (isinstance(step.verb, Choose) and step.when is not None):
            return frozenset()
        ways = list(self._list_ways(step))
        if step.when is not None or (isinstance(step.verb, Choose) and self._find_sure_move(step.verb) is None):
            ways.append(self._find_left_by(step.otherwise))
        return frozenset().union(*ways) if all(ways) else frozenset()

    def _list_ways(self, step: Step) -> Iterator[frozenset[str]]:
        """Yield the phases left in each way in which a verb can go."""
        match step.verb:
            case Leave(phase):
                yield frozenset([phase])
            case Do(steps) | AsOne(steps):
                yield self._find_left_by(steps)
            case Run(phase):
                inside = self._find_left_by(self.ruleset.phases[phase, step.me is not None].steps)
                yield inside if phase not in inside else frozenset()
            case Choose(moves, together=None):
                yield from (self._find_left_by(self.ruleset.moves[name].then) for name in moves)
            case _:
                yield frozenset()

    def _find_sure_move(self, verb: Choose | Play) -> Move | None:
        """Find a move that is always possible: without bindings and conditions, and ruled out by no obligation."""
        demands = [self.ruleset.obligations[name].demand for name in verb.obey]
        if any(isinstance(d, NeverTwice) or (isinstance(d, Maximise) and d.ends_if is not None) for d in demands):
            return None
        moves = (self.ruleset.moves[name] for name in verb.moves)
        return next((m for m in moves if not (m.bindings or m.put or m.conditions)), None)

    def _check_else(self, step: Step, verb: Choose | Play) -> None:
        """Report an `else` beside a move that is always possible: it is for when nothing is possible."""
        sure, never = self._find_sure_move(verb), step.otherwise[0]
        if sure is not None and not (isinstance(verb, Play) and verb.at_most is not None):
            self.symbols.report(
                "R528",
                "termination.never_reached",
                never.span,
                name=never.name,
                note="termination.else_is",
                related=[(sure.span, make_message("termination.always_possible"))],
                help="termination.into_do" if step.when is not None else "",
            )


def may_affect(reads: set[Key], changes: set[Key]) -> bool:
    """Return whether a change may be seen by what reads these keys."""
    return bool(reads & changes) or ANY in reads or (ANY in changes and bool(reads))


def _evaluate_static(expr: Expr, symbols: SymbolTable) -> object:
    """Evaluate a formula of options and tables; None if it needs more than that."""
    try:
        return bool(evaluate(expr, Setting(symbols.attributes.by_name, SEATS=len(symbols.seats)), {}))
    except (KeyError, IndexError):
        return None
