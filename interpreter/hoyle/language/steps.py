"""The steps of the flow. Each verb is a class that says what it needs; what any step may say besides (`for`, `by`, `when`, `else`) says `Step`.

Readers take a verb apart with `match`; `assert_never` at the end proves that none was forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.language.ir import Cell, Expr, Local, Var, walk
from hoyle.language.phrases import Telling


class Label(Struct, frozen=True):
    """What is announced: words, or a row whose words are shown."""

    telling: Telling | None
    row: Expr | None

    @property
    def formulas(self) -> tuple[Expr, ...]:
        """What is worked out to announce it."""
        told = tuple(self.telling.values.values()) if self.telling is not None else ()
        return told if self.row is None else (self.row,)


class Loop(Struct, frozen=True):
    """`for: var in items where condition`."""

    var: Var
    items: Expr
    where: Expr | None

    @property
    def formulas(self) -> tuple[Expr, ...]:
        return (self.items,) if self.where is None else (self.items, self.where)


# ---- verbs -----------------------------------------------------------------------------------------------------------


class Shuffle(Struct, frozen=True):
    """Put a pile in random order; with `least`, only cut it, with so many pieces at least in each part."""

    pile: Expr
    least: Expr | None = None


class Roll(Struct, frozen=True):
    """`roll: count, from: cup, to: pile`."""

    count: Expr
    cup: Expr
    to: Expr


class Lots(Struct, frozen=True):
    """One of `items`, drawn by lot, is stored in the cell `into`."""

    items: Expr
    into: Cell


class Gather(Struct, frozen=True):
    """All pieces of this kind go home."""

    kind: str


class Deal(Struct, frozen=True):
    """`count` pieces for each player, one by one from the player `first` on, to each one's pile of the family `to`."""

    pile: Expr
    count: Expr
    first: Expr
    to: str


class MovePile(Struct, frozen=True):
    """`count` pieces from the top of `pile`, or all (None). A packet keeps its order, one by one reverses it."""

    pile: Expr
    to: Expr
    count: Expr | None
    packet: bool


class MovePieces(Struct, frozen=True):
    """These pieces (one, or a list; of a list at most `count`) out of a pile or a list of piles."""

    pieces: Expr
    source: Expr
    to: Expr
    count: Expr | None


class Turn(Struct, frozen=True):
    """The top `count` pieces of a pile, or all (None), are turned in place."""

    pile: Expr
    count: Expr | None
    up: bool


class Set(Struct, frozen=True):
    """(cell, value) pairs; all values are computed before any is stored."""

    pairs: tuple[tuple[Cell, Expr], ...]


class Score(Struct, frozen=True):
    """`points` are added to the state family `into`, for the player `to`; `of` are the pieces that are worth it."""

    points: Expr
    to: Expr
    into: str
    label: Label | None
    of: Expr | None = None


class Choose(Struct, frozen=True):
    """One of the moves, by whoever acts; `together`: by each of these players, and nobody sees what the others chose; `unasked`: the move
    of people who do not ask to make another one."""

    moves: tuple[str, ...]
    obey: tuple[str, ...]
    together: Expr | None
    unasked: str | None = None


class Play(Struct, frozen=True):
    """Moves as long as one is possible, `at_most` so many; `then` comes after each."""

    moves: tuple[str, ...]
    obey: tuple[str, ...]
    at_most: Expr | None
    then: tuple[Step, ...]


class Do(Struct, frozen=True):
    steps: tuple[Step, ...]


class AsOne(Struct, frozen=True):
    """Steps that are one event: rules that act by themselves wait for its end."""

    steps: tuple[Step, ...]


class Repeat(Struct, frozen=True):
    """The steps again and again, until (looked at after each time) or so many `rounds`; `at_most` is known to be there if `rounds` are not."""

    steps: tuple[Step, ...]
    until: Expr | None
    rounds: Expr | None
    at_most: Expr | None

    @property
    def ends_otherwise(self) -> bool:
        """Is `at_most` no more than a guard?"""
        return self.until is not None or self.rounds is not None


class Turns(Struct, frozen=True):
    """A phase for one player after the other, from `first` on. `me` is whoever's turn it is, in `until` and `skip` too."""

    phase: str
    first: Expr
    me: Var
    until: Expr | None
    skip: Expr | None
    rounds: Expr | None
    at_most: Expr | None

    @property
    def bounded(self) -> bool:
        return self.rounds is not None or self.at_most is not None

    @property
    def ends_otherwise(self) -> bool:
        """Is `at_most` no more than a guard?"""
        return self.until is not None or self.rounds is not None or self.skip is not None


class Run(Struct, frozen=True):
    phase: str


class Leave(Struct, frozen=True):
    """`span` is where the phase is named."""

    phase: str
    span: Span


class Say(Struct, frozen=True):
    """`of` are the pieces that are shown along with the words."""

    label: Label
    of: Expr | None = None


class Ends(Struct, frozen=True):
    """Tells that a trick or a deal is over, and who won it."""

    what: str
    winner: Expr | None


class Check(Struct, frozen=True):
    condition: Expr


class TakeBack(Struct, frozen=True):
    pass


Deed = (
    Shuffle | Roll | Lots | Gather | Deal | MovePile | MovePieces | Turn | Set | Score | Say | Ends | Check | TakeBack
)
"""A verb that is over at once: nobody is asked, and no step stands inside it."""
Ask = Choose | Play
"""A verb that asks somebody."""
Verb = Deed | Ask | Do | AsOne | Repeat | Turns | Run | Leave


class Step(Struct, frozen=True, eq=False):
    """A named verb with what may stand beside any: `for` (loop), `by`, `when`, `else` (otherwise), `at`.

    `me` is the player that the verb and the steps inside it see, or None where nobody acts.
    """

    name: str
    verb: Verb
    span: Span
    at: str = ""
    loop: Loop | None = None
    by: Expr | None = None
    when: Expr | None = None
    otherwise: tuple[Step, ...] = ()
    me: Var | None = None


# ---- what any reader of steps needs ----------------------------------------------------------------------------------


def inner_lists(step: Step) -> tuple[tuple[Step, ...], ...]:
    """The lists of steps that stand inside this one, in the order they are written."""
    match step.verb:
        case Do(steps) | AsOne(steps) | Repeat(steps) | Play(then=steps):
            return steps, step.otherwise
        case _:
            return (step.otherwise,)


def every_step(steps: Iterable[Step]) -> Iterator[Step]:
    """Steps and all that stand inside them."""
    for step in steps:
        yield step
        for inner in inner_lists(step):
            yield from every_step(inner)


def formulas(step: Step) -> Iterator[Expr]:
    """The formulas a step computes (of cells it stores into: which member), without those of the steps inside it."""
    yield from step.loop.formulas if step.loop is not None else ()
    yield from (e for e in (step.by, step.when) if e is not None)
    yield from _computed(step.verb)
    yield from (key for cell in stored(step.verb) for key in cell.args)


def stored(verb: Verb) -> tuple[Cell, ...]:
    """The cells that a verb names to store into."""
    match verb:
        case Set(pairs):
            return tuple(cell for cell, _ in pairs)
        case Lots(into=into):
            return (into,)
        case _:
            return ()


def _computed(verb: Verb) -> Iterator[Expr]:
    match verb:
        case Gather() | Do() | AsOne() | Run() | Leave() | TakeBack():
            found: tuple[Expr | None, ...] = ()
        case Shuffle(pile, number) | Turn(pile, number):
            found = (pile, number)
        case Roll(count, cup, to):
            found = (count, cup, to)
        case Lots(items):
            found = (items,)
        case Deal(pile, count, first):
            found = (pile, count, first)
        case MovePile(pile, to, count):
            found = (pile, to, count)
        case MovePieces(pieces, source, to, count):
            found = (pieces, source, to, count)
        case Set(pairs):
            found = tuple(value for _, value in pairs)
        case Score(points, to, _, label, of):
            found = (points, to, *(label.formulas if label is not None else ()), of)
        case Choose(together=together):
            found = (together,)
        case Play(at_most=at_most):
            found = (at_most,)
        case Repeat(_, until, rounds, at_most):
            found = (until, rounds, at_most)
        case Turns():
            found = (verb.first, verb.until, verb.skip, verb.rounds, verb.at_most)
        case Say(label, of):
            found = (*label.formulas, of)
        case Ends(_, winner):
            found = (winner,)
        case Check(condition):
            found = (condition,)
        case _:
            assert_never(verb)
    return (e for e in found if e is not None)


def mentions(formulas: Iterable[Expr], var: Var) -> bool:
    """Does any of these formulas mention this variable?"""
    return any(isinstance(e, Local) and e.var is var for found in formulas for e in walk(found))
