"""Analysis of steps before they are compiled: who decides in them, what they read and change, which phases they leave."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from hoyle.language.evaluate import walk_all
from hoyle.language.ir import Cell, Collect, Expr, Local, Pile, Piles, Var
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
from hoyle.language.value_types import List, get_families, get_lengths

Touched = frozenset[str]
"""Names of families of piles and of state."""


def list_reads(*formulas: Expr | None) -> Touched:
    """The families that formulas read."""
    found = set()
    for formula in formulas:
        for e in walk_all(formula) if formula is not None else ():
            if isinstance(e, Cell | Pile | Piles):
                found.add(e.ref.family)
    return frozenset(found)


def families(ruleset: Ruleset, expr: Expr | Var) -> Touched:
    """The pile families that a pile, a piece or a list of them may belong to."""
    return get_families(expr.type) or frozenset(ruleset.piles)


def list_changes(ruleset: Ruleset, deed: Deed) -> Touched:
    """The families that a verb may change."""
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
    """The families that steps, and the steps and phases inside them, may change."""
    found: Touched = frozenset()
    for step in walk_steps(ruleset, steps):
        if isinstance(step.verb, Deed):
            found |= list_changes(ruleset, step.verb)
    return found


def walk_steps(ruleset: Ruleset, steps: Iterable[Step]) -> Iterator[Step]:
    """Yield every step, with those inside steps and in phases that are run."""
    for step in every_step(steps):
        yield step
        if isinstance(step.verb, Run):
            yield from walk_steps(ruleset, find_phase(ruleset, step, step.verb).steps)


def find_phase(ruleset: Ruleset, step: Step, verb: Run) -> Phase:
    """The phase that a step runs, checked with or without an acting player."""
    return ruleset.phases[verb.phase, step.me is not None]


def list_left_phases(ruleset: Ruleset, steps: Iterable[Step]) -> frozenset[str]:
    """The phases that some step leaves."""
    return frozenset(s.verb.phase for s in walk_steps(ruleset, steps) if isinstance(s.verb, Leave))


def is_plain(ruleset: Ruleset, step: Step) -> bool:
    """Can it be plain Python inside one block? Steps with decisions cannot, nor phases that leave themselves."""
    if isinstance(step.verb, Choose | Play | Turns):
        return False
    if isinstance(step.verb, Run):
        phase = find_phase(ruleset, step, step.verb)
        if not are_plain(ruleset, phase.steps) or phase.name in list_left_phases(ruleset, phase.steps):
            return False
    return all(are_plain(ruleset, inner) for inner in inner_lists(step))


def is_inline(ruleset: Ruleset, step: Step) -> bool:
    """Is it written as plain Python? Groups and phases that run once are not, because positions may begin inside them."""
    return is_plain(ruleset, step) and not (isinstance(step.verb, Do | Run) and step.loop is None)


def are_plain(ruleset: Ruleset, steps: Iterable[Step]) -> bool:
    return all(is_plain(ruleset, step) for step in steps)


def filtered_list(loop: Loop) -> Expr:
    """The list that a `for` loops over: filtered, and read once."""
    if loop.where is None:
        return loop.items
    item = Local(loop.var.type, loop.items.span, loop.var)
    value_type = List(loop.var.type, get_lengths(loop.items.type)[1])
    return Collect(value_type, loop.items.span, loop.var, loop.items, loop.where, item)
