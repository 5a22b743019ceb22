"""Finds state that keeps its value by accident: a phase runs again and reads what its last run left there."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from hoyle.checking.analysis import EffectReader, Key, list_step_lists, list_stored
from hoyle.checking.formulas.symbols import SymbolTable
from hoyle.language.ir import Expr
from hoyle.language.model import Move, Ruleset
from hoyle.language.steps import (
    Ask,
    AsOne,
    Choose,
    Do,
    Play,
    Repeat,
    Run,
    Score,
    Step,
    Turns,
    every_step,
    formulas,
    inner_lists,
)
from hoyle.reading.tree import Node, add_key_fix

READ, WRITTEN, UNTOUCHED = "read", "written", ""
"""First use of a state: perhaps read, certainly written, or neither."""


class PhaseUse(Struct):
    """The state that a phase's own steps touch, and the phases they run, each with whether it runs repeatedly."""

    touches: set[Key] = set()
    runs: list[tuple[str, bool]] = []


class StaleStateCheck:
    """Finds the phase that a state belongs to: the innermost that everything reading or setting it is part of."""

    def __init__(self, ruleset: Ruleset, symbols: SymbolTable, reader: EffectReader) -> None:
        self.ruleset, self.symbols, self.reader = ruleset, symbols, reader
        self.steps = {name: phase.steps for (name, _), phase in reversed(ruleset.phases.items())}
        self.uses = {name: PhaseUse() for name in self.steps}
        for name, steps in self.steps.items():
            self._add_uses(self.uses[name], steps, repeats=False)
        self.callers = self._find_callers()
        self.above = self._find_above()
        for entry in ruleset.whenever.values():
            for name in entry.during or ("game",):
                self.uses[name if name in self.above else "game"].touches |= self.reader.touches_of_rule(entry)

    def check(self, root: Node) -> None:
        """Warn of state of the file itself that a later run of its phase reads before it is set."""
        shown = self.reader.reads(*self.ruleset.result.formulas)
        steps = (step for listed in list_step_lists(self.ruleset) for step in every_step(listed))
        changing = {key for step in steps for key in list_stored(step.verb)}
        for state in self.ruleset.state.values():
            key: Key = ("state", state.name)
            if not state.span.shares_file(root.span) or state.renewed or key in shown or key not in changing:
                continue
            places = [self.above[name] for name in self.above if key in self.uses[name].touches]
            shared = set.intersection(*places) if places else {"game"}
            phase = max(shared, key=lambda name: len(self.above[name]))
            if self._runs_again(phase) and _FirstUse(self, key).of_steps(self.steps[phase]) == READ:
                fixes, help = add_key_fix(root["state"].get(state.name), "renewed", phase), "carry.say_renewed"
                self.symbols.report(
                    "R550", "carry.old_value", state.span, phase=phase, name=state.name, help=help, fixes=fixes
                )

    def offered(self, verb: Ask) -> list[Move]:
        return [self.ruleset.moves[name] for name in verb.moves]

    def _add_uses(self, use: PhaseUse, steps: Iterable[Step], repeats: bool) -> None:
        for step in steps:
            verb = step.verb
            often = repeats or step.loop is not None or isinstance(verb, Repeat | Turns | Play)
            use.touches |= self.reader.reads(*formulas(step)) | list_stored(verb)
            if isinstance(verb, Run | Turns):
                use.runs.append((verb.phase, often))
            if isinstance(verb, Choose | Play):
                use.touches |= self.reader.reads_of_obligations(verb.obey)
                for move in self.offered(verb):
                    use.touches |= self.reader.reads_of_move(move)
                    self._add_uses(use, move.then, often)
            for inner in inner_lists(step):
                self._add_uses(use, inner, often)

    def _find_callers(self) -> dict[str, list[tuple[str, bool]]]:
        """Find the phases that run each phase reached from `game`, with whether they do so repeatedly."""
        callers: dict[str, list[tuple[str, bool]]] = {"game": []}
        waiting = ["game"]
        while waiting:
            caller = waiting.pop()
            for name, repeats in self.uses[caller].runs:
                if name not in callers:
                    waiting.append(name)
                callers.setdefault(name, []).append((caller, repeats))
        return callers

    def _find_above(self) -> dict[str, set[str]]:
        """Find the phases that every way to a phase goes through, with itself. Phases never run themselves."""
        above: dict[str, set[str]] = {"game": {"game"}}
        while len(above) < len(self.callers):
            for name, callers in self.callers.items():
                if name not in above and all(caller in above for caller, _ in callers):
                    above[name] = {name} | set.intersection(*(above[caller] for caller, _ in callers))
        return above

    def _runs_again(self, phase: str) -> bool:
        callers = self.callers[phase]
        return len(callers) > 1 or any(repeats or self._runs_again(caller) for caller, repeats in callers)


class _FirstUse:
    """Finds the first use of one state. An uncertain write counts as a write, so only certain reads are reported."""

    def __init__(self, check: StaleStateCheck, key: Key) -> None:
        self.check, self.reader, self.key = check, check.reader, key

    def of_steps(self, steps: Iterable[Step]) -> str:
        return next((use for step in steps if (use := self._of_step(step)) != UNTOUCHED), UNTOUCHED)

    def _of_formulas(self, exprs: Iterable[Expr | None]) -> str:
        return READ if self.key in self.reader.reads(*exprs) else UNTOUCHED

    def _of_step(self, step: Step) -> str:
        before = [*(step.loop.formulas if step.loop is not None else ()), step.by, step.when]
        use = self._of_formulas(before) or self._of_verb(step)
        if step.when is None or isinstance(step.verb, Choose | Play) or use == READ:
            return use
        other = self.of_steps(step.otherwise)
        return READ if other == READ else use if use == other else UNTOUCHED

    def _of_verb(self, step: Step) -> str:
        verb = step.verb
        match verb:
            case Do(steps) | AsOne(steps) | Repeat(steps):
                return self.of_steps(steps) or self._of_formulas(formulas(step))
            case Choose() | Play():
                return self._of_decision(step, verb)
            case Run(phase) | Turns(phase):
                return self._of_formulas(formulas(step)) or self.of_steps(self.check.steps[phase])
            case Score(into=into) if self.key == ("state", into):
                return READ
            case _:
                stored = self.key in list_stored(verb)
                return self._of_formulas(formulas(step)) or (WRITTEN if stored else UNTOUCHED)

    def _of_decision(self, step: Step, verb: Ask) -> str:
        moves = self.check.offered(verb)
        if any(
            self.key in self.reader.reads_of_move(move) for move in moves
        ) or self.key in self.reader.reads_of_obligations(verb.obey):
            return READ
        ways = [self.of_steps(move.then) for move in moves]
        ways += [self.of_steps(step.otherwise)] if step.otherwise else []
        if READ in ways:
            return READ
        then = self.of_steps(verb.then) if isinstance(verb, Play) else UNTOUCHED
        return (WRITTEN if all(ways) else UNTOUCHED) or self._of_formulas(formulas(step)) or then
