"""Steps of the flow: each verb is a class, and `Step` has the keys that may stand beside any verb (`for`, `by`, `when`, `else`).

Readers `match` verbs and end with `assert_never`, which proves that none was forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.language.ir import Cell, Expr, Local, Var, walk
from hoyle.language.phrases import Telling


class Label(Struct, frozen=True):
    """An announcement: words, or a row whose words are shown."""

    telling: Telling | None
    row: Expr | None

    @property
    def formulas(self) -> tuple[Expr, ...]:
        """The formulas of its values."""
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
    """Shuffle a pile; with `least`, only cut it, with at least so many pieces in each part."""

    pile: Expr
    least: Expr | None = None


class Roll(Struct, frozen=True):
    """`roll: count, from: cup, to: pile`."""

    count: Expr
    cup: Expr
    to: Expr


class Lots(Struct, frozen=True):
    """Draw one of `items` by lot and store it in the cell `into`."""

    items: Expr
    into: Cell


class Gather(Struct, frozen=True):
    """Send all pieces of a kind home."""

    kind: str


class Deal(Struct, frozen=True):
    """Deal `count` pieces to each player, one by one from the player `first` on, to the player's pile of the family `to`."""

    pile: Expr
    count: Expr
    first: Expr
    to: str


class MovePile(Struct, frozen=True):
    """Move `count` pieces from the top of `pile`, or all (None). A packet keeps its order; one by one reverses it."""

    pile: Expr
    to: Expr
    count: Expr | None
    packet: bool


class MovePieces(Struct, frozen=True):
    """Move a piece, or at most `count` pieces of a list, out of a pile or a list of piles."""

    pieces: Expr
    source: Expr
    to: Expr
    count: Expr | None


class Turn(Struct, frozen=True):
    """Turn the top `count` pieces of a pile, or all (None)."""

    pile: Expr
    count: Expr | None
    up: bool


class Set(Struct, frozen=True):
    """(cell, value) pairs. All values are computed before any is stored."""

    pairs: tuple[tuple[Cell, Expr], ...]


class Score(Struct, frozen=True):
    """Add `points` to the member of the state family `into` for the player `to`; `of` are the pieces that are worth them."""

    points: Expr
    to: Expr
    into: str
    label: Label | None
    of: Expr | None = None


class Choose(Struct, frozen=True):
    """A choice of one of the moves by the acting player.

    together  the players who choose at the same time, unseen by each other
    unasked   the move that is made for people who do not ask for another one
    """

    moves: tuple[str, ...]
    obey: tuple[str, ...]
    together: Expr | None
    unasked: str | None = None


class Play(Struct, frozen=True):
    """Moves as long as one is possible, at most `at_most`; `then` follows each."""

    moves: tuple[str, ...]
    obey: tuple[str, ...]
    at_most: Expr | None
    then: tuple[Step, ...]


class Do(Struct, frozen=True):
    steps: tuple[Step, ...]


class AsOne(Struct, frozen=True):
    """Steps that are one event: automatic rules wait for its end."""

    steps: tuple[Step, ...]


class Repeat(Struct, frozen=True):
    """Repeat steps until a condition holds after one of them, or for so many `rounds`; else `at_most` bounds them."""

    steps: tuple[Step, ...]
    until: Expr | None
    rounds: Expr | None
    at_most: Expr | None

    @property
    def ends_otherwise(self) -> bool:
        """Is `at_most` only a guard?"""
        return self.until is not None or self.rounds is not None


class Turns(Struct, frozen=True):
    """A phase for one player after the other, from `first` on. `until` and `skip` know the current player as `me`."""

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
        """Is `at_most` only a guard?"""
        return self.until is not None or self.rounds is not None or self.skip is not None


class Run(Struct, frozen=True):
    phase: str


class Leave(Struct, frozen=True):
    """Leave a phase. `span` is where it is named."""

    phase: str
    span: Span


class Say(Struct, frozen=True):
    """Announce words; `of` are the pieces that are shown along with them."""

    label: Label
    of: Expr | None = None


class Ends(Struct, frozen=True):
    """Announce that a trick or a deal is over, and its winner."""

    what: str
    winner: Expr | None


class Check(Struct, frozen=True):
    condition: Expr


class TakeBack(Struct, frozen=True):
    pass


Deed = (
    Shuffle | Roll | Lots | Gather | Deal | MovePile | MovePieces | Turn | Set | Score | Say | Ends | Check | TakeBack
)
"""A verb without a decision and without inner steps."""
Ask = Choose | Play
"""A verb with a decision."""
Verb = Deed | Ask | Do | AsOne | Repeat | Turns | Run | Leave


class Step(Struct, frozen=True, eq=False):
    """A named verb with its `for` (loop), `by`, `when`, `else` (otherwise) and `at`.

    `me` is the acting player for the verb and the steps inside it, or None.
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
    """The lists of steps inside a step, in the order they are written."""
    match step.verb:
        case Do(steps) | AsOne(steps) | Repeat(steps) | Play(then=steps):
            return steps, step.otherwise
        case _:
            return (step.otherwise,)


def every_step(steps: Iterable[Step]) -> Iterator[Step]:
    """Yield steps and all steps inside them."""
    for step in steps:
        yield step
        for inner in inner_lists(step):
            yield from every_step(inner)


def formulas(step: Step) -> Iterator[Expr]:
    """Yield the formulas of a step, with the keys of cells it stores into, without those of inner steps."""
    yield from step.loop.formulas if step.loop is not None else ()
    yield from (e for e in (step.by, step.when) if e is not None)
    yield from _computed(step.verb)
    yield from (key for cell in stored(step.verb) for key in cell.args)


def stored(verb: Verb) -> tuple[Cell, ...]:
    """The cells that a verb stores into by name."""
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
    """Does one of these formulas mention a variable?"""
    return any(isinstance(e, Local) and e.var is var for found in formulas for e in walk(found))
