"""State that carries over by accident: it belongs to a phase, the phase runs again, and finds what the run before left there."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from hoyle.checking.reads import Key, Reader, roots, stores
from hoyle.checking.world import World
from hoyle.language.ir import Expr
from hoyle.language.model import Move, Ruleset, StateFamily
from hoyle.language.sentences import said
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
"""What happens first to a state: it may be read, it is surely written, or neither."""


class Site(Struct):
    """One phase: the state that its own steps touch, and the phases they run (True: again and again)."""

    touches: set[Key] = set()
    runs: list[tuple[str, bool]] = []


class Carry:
    """Finds for every state its phase, the innermost that all who read or set it are part of, and what happens first there."""

    def __init__(self, ruleset: Ruleset, world: World, reader: Reader) -> None:
        self.ruleset, self.world, self.reader = ruleset, world, reader
        self.steps = {name: phase.steps for (name, _), phase in reversed(ruleset.phases.items())}
        self.sites = {name: self._site(steps) for name, steps in self.steps.items()}
        self.callers = self._callers()
        self.above = self._above()
        for entry in ruleset.whenever.values():
            for name in entry.during or ("game",):
                self.sites[name if name in self.above else "game"].touches |= self.reader.by_itself(entry)

    def check(self, root: Node) -> None:
        """Warn of every state of the file itself that is read in a later run of its phase before it is set there."""
        shown = self.reader.reads(*self.ruleset.result.formulas)
        changing = {key for steps in roots(self.ruleset) for step in every_step(steps) for key in stores(step.verb)}
        for state in self.ruleset.state.values():
            key: Key = ("state", state.name)
            if not state.span.shares_file(root.span) or state.renewed or key in shown or key not in changing:
                continue
            phase = self._phase_of(key)
            if self._again(phase) and First(self, key).of(self.steps[phase]) == READ:
                self._tell(state, phase, root)

    def _tell(self, state: StateFamily, phase: str, root: Node) -> None:
        self.world.problems.add(
            "R550",
            said("carry.old_value", phase=phase, name=state.name),
            state.span,
            help=said("carry.say_renewed", phase=phase),
            fixes=add_key_fix(root["state"].get(state.name), "renewed", phase),
        )

    # ---- who touches what --------------------------------------------------------------------------------------------

    def _site(self, steps: Iterable[Step]) -> Site:
        site = Site()
        self._visit(site, steps, again=False)
        return site

    def _visit(self, site: Site, steps: Iterable[Step], again: bool) -> None:
        for step in steps:
            verb = step.verb
            often = again or step.loop is not None or isinstance(verb, Repeat | Turns | Play)
            site.touches |= self.reader.reads(*formulas(step)) | stores(verb)
            if isinstance(verb, Run | Turns):
                site.runs.append((verb.phase, often))
            if isinstance(verb, Choose | Play):
                site.touches |= self.reader.judges(verb.obey)
                for move in self.offered(verb):
                    site.touches |= self.reader.asks(move)
                    self._visit(site, move.then, often)
            for inner in inner_lists(step):
                self._visit(site, inner, often)

    def offered(self, verb: Ask) -> list[Move]:
        return [self.ruleset.moves[name] for name in verb.moves]

    # ---- the phase it belongs to -------------------------------------------------------------------------------------

    def _callers(self) -> dict[str, list[tuple[str, bool]]]:
        """Of every phase that is reached from `game`: by whom it is run, and whether again and again."""
        found: dict[str, list[tuple[str, bool]]] = {"game": []}
        waiting = ["game"]
        while waiting:
            caller = waiting.pop()
            for name, again in self.sites[caller].runs:
                if name not in found:
                    waiting.append(name)
                found.setdefault(name, []).append((caller, again))
        return found

    def _above(self) -> dict[str, set[str]]:
        """For every phase those without which it cannot be reached, itself among them; phases never run themselves."""
        found: dict[str, set[str]] = {"game": {"game"}}
        while len(found) < len(self.callers):
            for name, callers in self.callers.items():
                if name not in found and all(caller in found for caller, _ in callers):
                    found[name] = {name} | set.intersection(*(found[caller] for caller, _ in callers))
        return found

    def _phase_of(self, key: Key) -> str:
        places = [self.above[name] for name in self.above if key in self.sites[name].touches]
        shared = set.intersection(*places) if places else {"game"}
        return max(shared, key=lambda name: len(self.above[name]))

    def _again(self, phase: str) -> bool:
        """May it run more than once?"""
        callers = self.callers[phase]
        return len(callers) > 1 or any(again or self._again(caller) for caller, again in callers)


class First:
    """What happens first to one state. Doubt about whether it is written counts for the author: only what reads is told."""

    def __init__(self, carry: Carry, key: Key) -> None:
        self.carry, self.reader, self.key = carry, carry.reader, key

    def of(self, steps: Iterable[Step]) -> str:
        return next((found for step in steps if (found := self._step(step)) != UNTOUCHED), UNTOUCHED)

    def _reads(self, exprs: Iterable[Expr | None]) -> str:
        return READ if self.key in self.reader.reads(*exprs) else UNTOUCHED

    def _step(self, step: Step) -> str:
        before = [*(step.loop.formulas if step.loop is not None else ()), step.by, step.when]
        found = self._reads(before) or self._verb(step)
        if step.when is None or isinstance(step.verb, Choose | Play) or found == READ:
            return found
        other = self.of(step.otherwise)
        return READ if other == READ else found if found == other else UNTOUCHED

    def _verb(self, step: Step) -> str:
        verb = step.verb
        match verb:
            case Do(steps) | AsOne(steps) | Repeat(steps):
                return self.of(steps) or self._reads(formulas(step))
            case Choose() | Play():
                return self._asks(step, verb)
            case Run(phase) | Turns(phase):
                return self._reads(formulas(step)) or self.of(self.carry.steps[phase])
            case Score(into=into) if self.key == ("state", into):
                return READ
            case _:
                return self._reads(formulas(step)) or (WRITTEN if self.key in stores(verb) else UNTOUCHED)

    def _asks(self, step: Step, verb: Ask) -> str:
        moves = self.carry.offered(verb)
        if any(self.key in self.reader.asks(move) for move in moves) or self.key in self.reader.judges(verb.obey):
            return READ
        ways = [self.of(move.then) for move in moves] + ([self.of(step.otherwise)] if step.otherwise else [])
        if READ in ways:
            return READ
        then = self.of(verb.then) if isinstance(verb, Play) else UNTOUCHED
        return (WRITTEN if all(ways) else UNTOUCHED) or self._reads(formulas(step)) or then
