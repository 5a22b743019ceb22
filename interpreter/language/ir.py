"""The intermediate form of formulas: names resolved, kinds known. The compiler and the explainer both read it.

There is a class for each form of expression, and `Expr` is any of them, so that a reader can `match` them all. Each knows its
kind, where it stands, and its operands (`args`).

Values are whole numbers at run time. A piece is `2 * class + face` (face 1: up); rows, players, pairs, choices and piles are
numbered from 0. What is absent is `ABSENT` (-1), or `NO_NUMBER` for numbers, so attribute tables end in one more
cell which index -1 finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from interpreter.diagnostics import Span
from interpreter.language.families import CellRef, PileRef
from interpreter.language.kinds import Kind

ABSENT = -1
NO_NUMBER = -(2**31)

Arithmetic = Literal["+", "-", "*", "div", "mod"]
Comparison = Literal["<", "<=", ">", ">="]
Quantifier = Literal["some", "every", "no"]
Extreme = Literal["most", "least"]


@dataclass(frozen=True, slots=True, eq=False)
class Var:
    """A bound name: a quantifier's, a move's, a step's, a parameter, or `me`."""

    name: str
    kind: Kind


@dataclass(slots=True, eq=False)
class Instance:
    """A term for one set of kinds of its arguments; a function of the compiled game."""

    name: str
    number: int
    parameters: tuple[Var, ...]
    me: Var
    body: Expr
    uses_me: bool = False


# ---- what the forms share --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Form:
    kind: Kind
    span: Span

    @property
    def args(self) -> tuple[Expr, ...]:
        """The operands, in the order in which they are written."""
        return ()


@dataclass(frozen=True, slots=True, eq=False)
class _Unary(_Form):
    value: Expr

    @property
    def args(self) -> tuple[Expr, ...]:
        return (self.value,)


@dataclass(frozen=True, slots=True, eq=False)
class _Binary(_Form):
    left: Expr
    right: Expr

    @property
    def args(self) -> tuple[Expr, ...]:
        return (self.left, self.right)


@dataclass(frozen=True, slots=True, eq=False)
class _OfPiles(_Form):
    ref: PileRef
    member: Expr | None = None

    @property
    def args(self) -> tuple[Expr, ...]:
        return () if self.member is None else (self.member,)


# ---- leaves, cells and piles -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Const(_Form):
    value: int


@dataclass(frozen=True, slots=True, eq=False)
class Local(_Form):
    var: Var


@dataclass(frozen=True, slots=True, eq=False)
class Fault(_Form):
    """The obligation broken by the last move."""


@dataclass(frozen=True, slots=True, eq=False)
class Rows(_Form):
    """All values of a kind that has so many: the rows of a table, players, pairs."""

    size: int


@dataclass(frozen=True, slots=True, eq=False)
class Cell(_Form):
    """A cell of the state; none, one or several keys say which member of its family."""

    ref: CellRef
    keys: tuple[Expr, ...] = ()

    @property
    def args(self) -> tuple[Expr, ...]:
        return self.keys


@dataclass(frozen=True, slots=True, eq=False)
class Pile(_OfPiles):
    """One pile: the only one of its family, or that of a member."""


@dataclass(frozen=True, slots=True, eq=False)
class Piles(_OfPiles):
    """A list of piles: a whole family, or the columns of a member."""


@dataclass(frozen=True, slots=True, eq=False)
class Contents(_Unary):
    """The pieces of a pile, bottom to top."""


@dataclass(frozen=True, slots=True, eq=False)
class Others(_Unary):
    """All players but this one, in seat order after it."""


@dataclass(frozen=True, slots=True, eq=False)
class Attr(_Unary):
    """What a table of attributes (by its name in `model.Tables`) says of the value."""

    table: str


@dataclass(frozen=True, slots=True, eq=False)
class Member(_Unary):
    """The first or second player of a pair."""

    place: Literal[0, 1]


# ---- calls -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Call(_Form):
    operands: tuple[Expr, ...]

    @property
    def args(self) -> tuple[Expr, ...]:
        return self.operands


@dataclass(frozen=True, slots=True, eq=False)
class WordCall(_Call):
    """A word of the table in `vocabulary`."""

    word: str


@dataclass(frozen=True, slots=True, eq=False)
class TermCall(_Call):
    """A term. Its operands are the term's parameters, then who acts if the term needs it."""

    instance: Instance


@dataclass(frozen=True, slots=True, eq=False)
class ColumnCall(_Call):
    """A column of formulas, of whichever row the first operand is: an instance for each row."""

    instances: tuple[Instance, ...]


# ---- numbers, comparisons, truth, choice -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Arith(_Binary):
    op: Arithmetic


@dataclass(frozen=True, slots=True, eq=False)
class Neg(_Unary):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Compare(_Binary):
    op: Comparison


@dataclass(frozen=True, slots=True, eq=False)
class Same(_Binary):
    """Both are there and equal: pieces whatever their faces, lists item by item."""


@dataclass(frozen=True, slots=True, eq=False)
class Differs(_Binary):
    """Not `Same`."""


@dataclass(frozen=True, slots=True, eq=False)
class Absent(_Unary):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Empty(_Unary):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class In(_Binary):
    """Is the left one the same as some item of the right one?"""


@dataclass(frozen=True, slots=True, eq=False)
class And(_Binary):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Or(_Binary):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Not(_Unary):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class If(_Form):
    condition: Expr
    yes: Expr
    no: Expr

    @property
    def args(self) -> tuple[Expr, ...]:
        return (self.condition, self.yes, self.no)


@dataclass(frozen=True, slots=True, eq=False)
class Otherwise(_Binary):
    """The left one, or the right one if that is absent."""


# ---- lists -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Quantified(_Form):
    """Does the condition hold for some, every or no item?"""

    word: Quantifier
    var: Var
    items: Expr
    condition: Expr

    @property
    def args(self) -> tuple[Expr, ...]:
        return (self.items, self.condition)


@dataclass(frozen=True, slots=True, eq=False)
class Chosen(_Form):
    """The item, of those for which `where` holds, with the most or least `by`; the first of several."""

    word: Extreme
    var: Var
    items: Expr
    where: Expr
    by: Expr

    @property
    def args(self) -> tuple[Expr, ...]:
        return (self.items, self.where, self.by)


@dataclass(frozen=True, slots=True, eq=False)
class Collect(_Form):
    """The value of `item` for each of the items for which `where` holds."""

    var: Var
    items: Expr
    where: Expr
    item: Expr

    @property
    def args(self) -> tuple[Expr, ...]:
        return (self.items, self.where, self.item)


@dataclass(frozen=True, slots=True, eq=False)
class Listed(_Call):
    """A list of these items."""


@dataclass(frozen=True, slots=True, eq=False)
class Concat(_Binary):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Range(_Binary):
    """The numbers from the left one to the right one."""


@dataclass(frozen=True, slots=True, eq=False)
class Item(_Form):
    """An item of a list, counted from 1. `inside`: there certainly is one."""

    items: Expr
    index: Expr
    inside: bool

    @property
    def args(self) -> tuple[Expr, ...]:
        return (self.items, self.index)


Leaf: TypeAlias = Const | Local | Fault | Rows
Place: TypeAlias = Cell | Pile | Piles | Contents | Others | Attr | Member
Call: TypeAlias = WordCall | TermCall | ColumnCall
Operation: TypeAlias = Arith | Neg | Compare | Same | Differs | Absent | Empty | In | And | Or | Not | If | Otherwise
Loop: TypeAlias = Quantified | Chosen | Collect
Expr: TypeAlias = Leaf | Place | Call | Operation | Loop | Listed | Concat | Range | Item


def walk(expr: Expr) -> Iterator[Expr]:
    """The expression and every part of it; not what the terms and columns it calls are made of."""
    yield expr
    for arg in expr.args:
        yield from walk(arg)


def missing(kind: Kind) -> int | tuple[()]:
    """What stands for something of this kind that is not there; a list that is not there has no items."""
    return () if kind.name == "list" else absent_of(kind)


def absent_of(kind: Kind) -> int:
    """What stands for an absent value of this kind, which is no list."""
    return NO_NUMBER if kind.name == "number" else 0 if kind.name == "bool" else ABSENT
