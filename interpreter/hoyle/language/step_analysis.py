"""What can be said of steps before they are written: who decides in them, what they leave, read and change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from hoyle.language.evaluate import everything
from hoyle.language.ir import Cell, Collect, Expr, Local, Pile, Piles, Var
from hoyle.language.kinds import List, families_of, lengths
from hoyle.language.model import Phase, Ruleset
from hoyle.language.steps import (
    Check,
    Choose,
    Deal,
    Deed,
    Do,
    Ends,
    Gather,
    Leave,
    Loop,
    Lots,
    MovePieces,
    MovePile,
    Play,
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
    every_step,
    inner_lists,
    stored,
)

Touched = frozenset[str]
"""Families of piles and of state, by name."""


def reads(*formulas: Expr | None) -> Touched:
    """Which pile and state families the formulas look at."""
    found = set()
    for formula in formulas:
        for e in everything(formula) if formula is not None else ():
            if isinstance(e, Cell | Pile | Piles):
                found.add(e.ref.family)
    return frozenset(found)


def families(ruleset: Ruleset, expr: Expr | Var) -> Touched:
    """Which pile families a pile, a piece or a list of them may stand for."""
    return families_of(expr.kind) or frozenset(ruleset.piles)


def changes(ruleset: Ruleset, deed: Deed) -> Touched:
    """Which families a verb may change."""
    match deed:
        case Set() | Lots():
            return frozenset(cell.ref.family for cell in stored(deed))
        case Score(into=into):
            return frozenset([into])
        case Shuffle(pile) | Turn(pile):
            return families(ruleset, pile)
        case Deal(pile, to=to):
            return families(ruleset, pile) | {to}
        case Roll(_, source, to) | MovePile(source, to) | MovePieces(_, source, to):
            return families(ruleset, source) | families(ruleset, to)
        case Gather():
            return frozenset(ruleset.piles)
        case Say() | Ends() | Check() | TakeBack():
            return frozenset()
        case _:
            assert_never(deed)


def all_changes(ruleset: Ruleset, steps: Iterable[Step]) -> Touched:
    """Which families steps may change, and the steps and phases inside them."""
    found: Touched = frozenset()
    for step in unfolded(ruleset, steps):
        if isinstance(step.verb, Deed):
            found |= changes(ruleset, step.verb)
    return found


def unfolded(ruleset: Ruleset, steps: Iterable[Step]) -> Iterator[Step]:
    """Every step, also those inside steps and in phases that are run."""
    for step in every_step(steps):
        yield step
        if isinstance(step.verb, Run):
            yield from unfolded(ruleset, phase_of(ruleset, step, step.verb).steps)


def phase_of(ruleset: Ruleset, step: Step, verb: Run) -> Phase:
    """The phase that a step runs, as it is where somebody acts, or nobody."""
    return ruleset.phases[verb.phase, step.me is not None]


def leaves(ruleset: Ruleset, steps: Iterable[Step]) -> frozenset[str]:
    """The phases that some step in there leaves."""
    return frozenset(s.verb.phase for s in unfolded(ruleset, steps) if isinstance(s.verb, Leave))


def is_plain(ruleset: Ruleset, step: Step) -> bool:
    """Can it be plain Python inside one block? Not if somebody decides in it, nor if it leaves a phase it runs itself."""
    if isinstance(step.verb, Choose | Play | Turns):
        return False
    if isinstance(step.verb, Run):
        phase = phase_of(ruleset, step, step.verb)
        if not are_plain(ruleset, phase.steps) or phase.name in leaves(ruleset, phase.steps):
            return False
    return all(are_plain(ruleset, inner) for inner in inner_lists(step))


def is_inline(ruleset: Ruleset, step: Step) -> bool:
    """Is it written as plain Python? Not a group or a phase that is run once: somebody may want to begin inside it."""
    return is_plain(ruleset, step) and not (isinstance(step.verb, Do | Run) and step.loop is None)


def are_plain(ruleset: Ruleset, steps: Iterable[Step]) -> bool:
    return all(is_plain(ruleset, step) for step in steps)


def looped(loop: Loop) -> Expr:
    """The list a `for` goes through: filtered, and read once."""
    if loop.where is None:
        return loop.items
    item = Local(loop.var.kind, loop.items.span, loop.var)
    kind = List(loop.var.kind, lengths(loop.items.kind)[1])
    return Collect(kind, loop.items.span, loop.var, loop.items, loop.where, item)
