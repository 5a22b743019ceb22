"""Answers questions about a checked ruleset: what formulas read, what steps change, what play can reach. Reports nothing.

Things are named by keys: `("state", name)`, `("piles", name)`, or `ANY` where the analysis cannot tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import assert_never

from msgspec import Struct

from hoyle.language import ir
from hoyle.language.evaluate import instances, walk_all
from hoyle.language.ir import Const, Expr, Instance, walk
from hoyle.language.model import Maximise, Move, NeverTwice, Obligation, Ruleset, Whenever
from hoyle.language.steps import (
    AsOne,
    Check,
    Choose,
    Deal,
    Do,
    Ends,
    Gather,
    Leave,
    Lots,
    MovePieces,
    MovePile,
    Play,
    Repeat,
    Roll,
    Run,
    Say,
    Score,
    Set,
    Shuffle,
    Step,
    TakeBack,
    Turn,
    Turns,
    Verb,
    every_step,
    formulas,
    inner_lists,
    stored,
)
from hoyle.language.value_types import List, ValueType, get_families

Key = tuple[str, str]
ANY: Key = ("*", "*")


class Effect(Struct):
    """The keys that steps change, the piles among them that they fill with pieces, and the phases they leave."""

    changes: set[Key] = set()
    fills: set[Key] = set()
    leaves: set[str] = set()

    def add(self, other: Effect) -> None:
        self.changes |= other.changes
        self.fills |= other.fills
        self.leaves |= other.leaves

    def fill(self, keys: Iterable[Key]) -> None:
        filled = set(keys)
        self.fills |= filled
        self.changes |= filled


class EffectReader:
    """Analyses one ruleset. Results for terms, moves and phases are cached."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self._terms: dict[int, frozenset[Key]] = {}
        self._moves: dict[str, Effect] = {}
        self._phases: dict[tuple[str, bool], Effect] = {}

    # ---- formulas ----------------------------------------------------------------------------------------------------

    def reads(self, *exprs: Expr | None) -> set[Key]:
        """List the keys that formulas read, through terms, too."""
        return {key for expr in exprs if expr is not None for part in walk(expr) for key in self._part(part)}

    def _part(self, part: Expr) -> Iterable[Key]:
        match part:
            case ir.Cell(ref=ref):
                return [("state", ref.family)]
            case ir.TermCall() | ir.ColumnCall():
                return [key for instance in instances(part) for key in self._instance(instance)]
            case ir.Fault():
                return [ANY]
            case ir.Pile() | ir.Piles() | ir.Local():
                return list_piles(part.type)
        return ()

    def _instance(self, instance: Instance) -> frozenset[Key]:
        if id(instance) not in self._terms:
            self._terms[id(instance)] = frozenset(self.reads(instance.body))
        return self._terms[id(instance)]

    # ---- moves and steps ---------------------------------------------------------------------------------------------

    def reads_of_move(self, move: Move) -> set[Key]:
        """List the keys that decide whether a move is possible."""
        bindings = [expr for _, expr in move.withs]
        return self.reads(*(t.source for t in move.takes), *bindings, move.put, *(c.expr for c in move.conditions))

    def effect_of_move(self, name: str) -> Effect:
        if name not in self._moves:
            self._moves[name] = effect = Effect()
            move = self.ruleset.moves[name]
            if move.takes and move.put is not None:
                effect.changes |= {key for t in move.takes for key in list_piles(t.source.type)}
                effect.fill(list_piles(move.put.type))
            effect.add(self.effect_of_steps(move.then))
        return self._moves[name]

    def effect_of_phase(self, name: str, acting: bool) -> Effect:
        if (name, acting) not in self._phases:
            self._phases[name, acting] = effect = Effect()
            effect.changes |= {("state", s.name) for s in self.ruleset.state.values() if name in s.renewed}
            phase = self.ruleset.phases.get((name, acting))
            effect.add(self.effect_of_steps(phase.steps if phase else []))
        return self._phases[name, acting]

    def effect_of_steps(self, steps: Iterable[Step]) -> Effect:
        effect = Effect()
        for step in steps:
            self._verb(step, effect)
            for inner in inner_lists(step):
                effect.add(self.effect_of_steps(inner))
        return effect

    def _verb(self, step: Step, effect: Effect) -> None:
        verb = step.verb
        match verb:
            case Do() | AsOne() | Repeat() | Say() | Ends() | Check():
                pass
            case Shuffle(pile) | Turn(pile):
                effect.changes |= list_piles(pile.type)
            case Roll(_, source, to) | MovePile(source, to) | MovePieces(_, source, to):
                effect.changes |= list_piles(source.type)
                effect.fill(list_piles(to.type))
            case Deal(pile, to=to):
                effect.changes |= list_piles(pile.type)
                effect.fill([("piles", to)])
            case Gather(kind):
                effect.changes |= {("piles", f.name) for f in self.ruleset.piles.values() if f.holds == kind}
                effect.fill([("piles", self.ruleset.pieces[kind].home)])
            case Set() | Lots() | Score():
                effect.changes |= list_stored(verb)
            case Choose(moves) | Play(moves):
                for name in moves:
                    effect.add(self.effect_of_move(name))
            case Turns(phase):
                effect.add(self.effect_of_phase(phase, True))
            case Run(phase):
                effect.add(self.effect_of_phase(phase, step.me is not None))
            case Leave(phase):
                effect.leaves.add(phase)
            case TakeBack():
                effect.fill([ANY])
            case _:
                assert_never(verb)

    def reads_of_obligations(self, names: Iterable[str]) -> set[Key]:
        """List the keys that obligations read."""
        judged = [e for (name, _), e in self.ruleset.judged.items() if name in names]
        own = [e for name in names for e in list_obligation_formulas(self.ruleset.obligations[name])]
        return self.reads(*own, *(e for j in judged for e in (j if isinstance(j, tuple) else (j,))))

    def touches_of_rule(self, entry: Whenever) -> set[Key]:
        """List the keys that a rule of `whenever` reads or changes."""
        lists = entry.loop.formulas if entry.loop is not None else ()
        return self.reads(entry.condition, *lists) | self.effect_of_steps(entry.do).changes

    def effect_of_rules(self) -> Effect:
        """Return what all rules of `whenever` may do."""
        effect = Effect()
        for entry in self.ruleset.whenever.values():
            effect.add(self.effect_of_steps(entry.do))
        return effect


def list_piles(value_type: ValueType) -> set[Key]:
    """List the families that a pile, a piece or a list of them may belong to."""
    while isinstance(value_type, List):
        value_type = value_type.item
    return {("piles", name) for name in get_families(value_type)} or ({ANY} if value_type.name == "pile" else set())


def list_stored(verb: Verb) -> set[Key]:
    """List the state that a verb itself stores into."""
    names = {cell.ref.family for cell in stored(verb)} | ({verb.into} if isinstance(verb, Score) else set())
    return {("state", name) for name in names}


def list_step_lists(ruleset: Ruleset) -> Iterator[tuple[Step, ...]]:
    """List the steps of phases, moves and rules, each as one list; the steps inside them are not listed apart."""
    yield from (phase.steps for phase in ruleset.phases.values())
    yield from (move.then for move in ruleset.moves.values())
    yield from (entry.do for entry in ruleset.whenever.values())


def list_formulas(ruleset: Ruleset) -> Iterator[Expr]:
    """List the formulas of a checked ruleset. Terms and columns are found where they are called."""
    for steps in list_step_lists(ruleset):
        for step in every_step(steps):
            yield from formulas(step)
    for move in ruleset.moves.values():
        yield from (t.source for t in move.takes)
        yield from (expr for _, expr in move.withs)
        yield from (c.expr for c in move.conditions)
        yield from (var.value for var in move.lets if var.value is not None)
        yield from [move.put] if move.put is not None else []
    yield from _list_judged_formulas(ruleset)
    for entry in ruleset.whenever.values():
        yield entry.condition
        yield from entry.loop.formulas if entry.loop is not None else ()
    yield from ruleset.result.formulas


def _list_judged_formulas(ruleset: Ruleset) -> Iterator[Expr]:
    for judged in ruleset.judged.values():
        yield from judged if isinstance(judged, tuple) else (judged,)
    yield from ruleset.apart.values()
    for obligation in ruleset.obligations.values():
        yield from list_obligation_formulas(obligation)


def list_obligation_formulas(obligation: Obligation) -> Iterator[Expr]:
    """List the formulas of an obligation itself. Those for single moves are in `Ruleset.judged`."""
    yield from (e for e in (obligation.when, obligation.callable) if e is not None)
    if isinstance(obligation.demand, NeverTwice):
        yield obligation.demand.piles
    elif isinstance(obligation.demand, Maximise):
        yield from obligation.demand.formulas


Decide = Callable[[Expr], bool | None]
"""Returns whether a condition is always true or always false under the options in force; None if the game decides."""


class Reachable(Struct):
    """The names that play can reach, by section, and the formulas that it may compute."""

    phases: set[str] = set()
    moves: set[str] = set()
    obligations: set[str] = set()
    whenever: set[str] = set()
    formulas: list[Expr] = []

    def mentions(self) -> set[str]:
        """List the constants in these formulas as they are written, options among them."""
        return list_constants(self.formulas)


def list_constants(formulas: Iterable[Expr]) -> set[str]:
    """List the constants in formulas as they are written."""
    return {part.span.text for expr in formulas for part in walk_all(expr) if isinstance(part, Const)}


def find_reachable(ruleset: Ruleset, known: Decide = lambda condition: None) -> Reachable:
    """Find what play can reach from the phase `game` on. By default under any options; `known` rules out what they decide."""
    walk = _ReachabilityWalk(ruleset, known)
    walk.add_phase("game")
    for name, entry in ruleset.whenever.items():
        if known(entry.condition) is not False:
            walk.reachable.whenever.add(name)
            walk.reachable.formulas += [entry.condition, *(entry.loop.formulas if entry.loop else ())]
            walk.add_steps(entry.do)
    walk.reachable.formulas += ruleset.result.formulas
    return walk.reachable


class _ReachabilityWalk:
    def __init__(self, ruleset: Ruleset, known: Decide) -> None:
        self.ruleset, self.known, self.reachable = ruleset, known, Reachable()

    def add_phase(self, name: str) -> None:
        if name not in self.reachable.phases:
            self.reachable.phases.add(name)
            for acting in (False, True):
                phase = self.ruleset.phases.get((name, acting))
                self.add_steps(phase.steps if phase is not None else ())

    def add_steps(self, steps: Iterable[Step]) -> None:
        for step in steps:
            done = self.known(step.when) if step.when is not None else None
            if done is False:
                self.add_steps(step.otherwise)
            elif not self._runs_nothing(step):
                self._add_step(step)

    def _runs_nothing(self, step: Step) -> bool:
        """Return whether the step runs a phase of which every step is ruled out."""
        if not isinstance(step.verb, Run) or step.otherwise:
            return False
        phases = [self.ruleset.phases.get((step.verb.phase, acting)) for acting in (False, True)]
        steps = [inner for phase in phases if phase is not None for inner in phase.steps]
        return all(s.when is not None and not s.otherwise and self.known(s.when) is False for s in steps)

    def _add_step(self, step: Step) -> None:
        self.reachable.formulas += formulas(step)
        for inner in inner_lists(step):
            self.add_steps(inner)
        match step.verb:
            case Run(phase) | Turns(phase=phase):
                self.add_phase(phase)
            case Choose(moves, obey) | Play(moves, obey):
                offered = [name for name in moves if self._is_possible(name)]
                for name in offered:
                    self._add_move(name)
                for name in obey:
                    self._add_obligation(name, offered)

    def _is_possible(self, name: str) -> bool:
        return all(self.known(condition.expr) is not False for condition in self.ruleset.moves[name].conditions)

    def _add_move(self, name: str) -> None:
        if name not in self.reachable.moves:
            self.reachable.moves.add(name)
            move = self.ruleset.moves[name]
            sources = [t.source for t in move.takes] + [expr for _, expr in move.withs]
            self.reachable.formulas += [*sources, *(c.expr for c in move.conditions), *([move.put] if move.put else [])]
            self.add_steps(move.then)

    def _add_obligation(self, name: str, moves: Iterable[str]) -> None:
        obligation = self.ruleset.obligations[name]
        if obligation.when is not None and self.known(obligation.when) is False:
            return
        self.reachable.obligations.add(name)
        self.reachable.formulas += list_obligation_formulas(obligation)
        for move in moves:
            judged = self.ruleset.judged.get((name, move), ())
            self.reachable.formulas += judged if isinstance(judged, tuple) else (judged,)
            self.reachable.formulas += [self.ruleset.apart[name, move]] if obligation.each is not None else []
