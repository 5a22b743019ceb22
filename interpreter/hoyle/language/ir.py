"""Intermediate representation of formulas: names resolved, types known. Compiler, evaluator and explainer read it.

Each form of expression has a class, and `Expr` is their union, so that readers can `match` them all. An expression has its type, its span
and its operands (`args`).

Values are whole numbers at run time. A piece is `2 * class + face` (face 1: up); rows, players, pairs, choices and piles are numbered
from 0. Absent is `ABSENT` (-1), for numbers `NO_NUMBER`; tables of attributes have one more cell at their end, which index -1 finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Literal, TypeAlias

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.language.value_types import Number, ValueType


class Key(Struct, frozen=True):
    """The values that number the members of a family: `size` of them, from `low` on."""

    low: int
    size: int

    def holds(self, value_type: ValueType) -> bool:
        """Is every value of this type a key?"""
        if isinstance(value_type, Number):
            return not value_type.optional and self.low <= value_type.low and value_type.high < self.low + self.size
        return not value_type.optional


class CellRef(Struct, frozen=True):
    """The cells of a state family: member i is `base + i`, counted from 0. With several keys, the last counts fastest."""

    family: str
    base: int
    keys: tuple[Key, ...] = ()

    @property
    def widths(self) -> tuple[int, ...]:
        """The distance in cells between neighbours, for each key."""
        return tuple(prod(key.size for key in self.keys[i + 1 :]) for i in range(len(self.keys)))


class PileRef(Struct, frozen=True):
    """The piles of a family: member m, counted from 0, and column c is pile `base + m * columns + c`."""

    family: str
    base: int
    key: Key
    columns: int

    def of_member(self, member: int) -> range:
        """The piles of a member."""
        return range(self.base + member * self.columns, self.base + (member + 1) * self.columns)

    @property
    def all(self) -> range:
        return range(self.base, self.base + self.key.size * self.columns)


ABSENT = -1
NO_NUMBER = -(2**31)

SIDE_OF, PARTNER, OTHER_SIDE, SEAT_NUMBER = "player.side", "player.partner", "side.opponent", "player.order"
"""Names of the tables of attributes of players and sides."""

Arithmetic = Literal["+", "-", "*", "div", "mod"]
Comparison = Literal["<", "<=", ">", ">="]
Quantifier = Literal["some", "every", "no"]
Extreme = Literal["most", "least"]


class Var(Struct, frozen=True, eq=False):
    """A bound name: of a quantifier, a move, a step, a parameter, or `me`. `value` is the formula of a name that `let` binds."""

    name: str
    type: ValueType
    value: Expr | None = None


class Instance(Struct, eq=False):
    """A term for one combination of types of its arguments; a function of the compiled game."""

    name: str
    number: int
    parameters: tuple[Var, ...]
    me: Var
    body: Expr
    uses_me: bool = False


# ---- what the forms share --------------------------------------------------------------------------------------------


class _Form(Struct, frozen=True, eq=False):
    type: ValueType
    span: Span

    @property
    def args(self) -> tuple[Expr, ...]:
        """The operands, in the order in which they are written."""
        return ()


class _Unary(_Form, frozen=True, eq=False):
    value: Expr

    @property
    def args(self) -> tuple[Expr, ...]:
        return (self.value,)


class _Binary(_Form, frozen=True, eq=False):
    left: Expr
    right: Expr

    @property
    def args(self) -> tuple[Expr, ...]:
        return (self.left, self.right)


class _OfPiles(_Form, frozen=True, eq=False):
    ref: PileRef
    member: Expr | None = None

    @property
    def args(self) -> tuple[Expr, ...]:
        return () if self.member is None else (self.member,)


# ---- leaves, cells and piles -----------------------------------------------------------------------------------------


class Const(_Form, frozen=True, eq=False):
    value: int


class Local(_Form, frozen=True, eq=False):
    """A bound name. A name that `let` binds has its formula as operand."""

    var: Var

    @property
    def args(self) -> tuple[Expr, ...]:
        return () if self.var.value is None else (self.var.value,)


class Fault(_Form, frozen=True, eq=False):
    """The obligation that the last move broke."""


class Rows(_Form, frozen=True, eq=False):
    """All values of a kind that has `size` of them: the rows of a table, players, pairs."""

    size: int


class Cell(_Form, frozen=True, eq=False):
    """A cell of the state; keys select a member of its family."""

    ref: CellRef
    keys: tuple[Expr, ...] = ()

    @property
    def args(self) -> tuple[Expr, ...]:
        return self.keys


class Pile(_OfPiles, frozen=True, eq=False):
    """One pile: the only one of its family, or that of a member."""


class Piles(_OfPiles, frozen=True, eq=False):
    """A list of piles: a whole family, or the columns of a member."""


class Contents(_Unary, frozen=True, eq=False):
    """The pieces of a pile, bottom to top."""


class Others(_Unary, frozen=True, eq=False):
    """All players but this one, in seat order after it."""


class Attr(_Unary, frozen=True, eq=False):
    """An attribute of the value, from a table by its name in `model.Tables`."""

    table: str


class Member(_Unary, frozen=True, eq=False):
    """The first or second player of a pair."""

    place: Literal[0, 1]


# ---- calls -----------------------------------------------------------------------------------------------------------


class _Call(_Form, frozen=True, eq=False):
    operands: tuple[Expr, ...]

    @property
    def args(self) -> tuple[Expr, ...]:
        return self.operands


class WordCall(_Call, frozen=True, eq=False):
    """A call of a word of the vocabulary."""

    word: str


class TermCall(_Call, frozen=True, eq=False):
    """A call of a term. The operands are its parameters, then the acting player if the term needs one."""

    instance: Instance


class ColumnCall(_Call, frozen=True, eq=False):
    """A column of formulas, with an instance for each row; the first operand is the row."""

    instances: tuple[Instance, ...]


# ---- numbers, comparisons, truth, choice -----------------------------------------------------------------------------


class Arith(_Binary, frozen=True, eq=False):
    op: Arithmetic


class Neg(_Unary, frozen=True, eq=False):
    pass


class Compare(_Binary, frozen=True, eq=False):
    op: Comparison


class Same(_Binary, frozen=True, eq=False):
    """Both values are present and equal. Pieces are equal whatever their faces; lists are compared item by item."""


class Differs(_Binary, frozen=True, eq=False):
    """Not `Same`."""


class Absent(_Unary, frozen=True, eq=False):
    pass


class Empty(_Unary, frozen=True, eq=False):
    pass


class In(_Binary, frozen=True, eq=False):
    """Is the left value the same as an item of the right list?"""


class And(_Binary, frozen=True, eq=False):
    pass


class Or(_Binary, frozen=True, eq=False):
    pass


class Not(_Unary, frozen=True, eq=False):
    pass


class If(_Form, frozen=True, eq=False):
    condition: Expr
    yes: Expr
    no: Expr

    @property
    def args(self) -> tuple[Expr, ...]:
        return (self.condition, self.yes, self.no)


class Otherwise(_Binary, frozen=True, eq=False):
    """The left value, or the right one if the left is absent."""


# ---- lists -----------------------------------------------------------------------------------------------------------


class Quantified(_Form, frozen=True, eq=False):
    """Does the condition hold for some, every or no item?"""

    word: Quantifier
    var: Var
    items: Expr
    condition: Expr

    @property
    def args(self) -> tuple[Expr, ...]:
        return (self.items, self.condition)


class Chosen(_Form, frozen=True, eq=False):
    """The first item with the most or least `by`, among those for which `where` holds. Several `by` are compared in order."""

    word: Extreme
    var: Var
    items: Expr
    where: Expr
    by: tuple[Expr, ...]

    @property
    def args(self) -> tuple[Expr, ...]:
        return (self.items, self.where, *self.by)


class Collect(_Form, frozen=True, eq=False):
    """The values of `item` for the items for which `where` holds, sorted by `by` if there is one."""

    var: Var
    items: Expr
    where: Expr
    item: Expr
    by: tuple[Expr, ...] = ()

    @property
    def args(self) -> tuple[Expr, ...]:
        return (self.items, self.where, self.item, *self.by)


class Listed(_Call, frozen=True, eq=False):
    """A list of these items."""


class Concat(_Binary, frozen=True, eq=False):
    pass


class Without(_Binary, frozen=True, eq=False):
    """The left list without one item, the last that is the same, for each item of the right list."""


class Range(_Binary, frozen=True, eq=False):
    """The numbers from the left value to the right one."""


class Item(_Form, frozen=True, eq=False):
    """An item of a list, counted from 1. `inside`: the index is certainly valid."""

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
Expr: TypeAlias = Leaf | Place | Call | Operation | Loop | Listed | Concat | Without | Range | Item


def walk(expr: Expr) -> Iterator[Expr]:
    """Yield an expression and all its parts, without the bodies of terms and columns."""
    waiting = [expr]
    while waiting:
        found = waiting.pop()
        yield found
        waiting.extend(reversed(found.args))


def lets_in(*exprs: Expr) -> list[Var]:
    """The names that `let` binds in these formulas, each after those that it needs."""
    found = [part.var for expr in exprs for part in walk(expr) if isinstance(part, Local) and part.args]
    return list(dict.fromkeys(reversed(found)))


def missing(value_type: ValueType) -> int | tuple[()]:
    """The value for absent of a type; for lists the empty list."""
    return () if value_type.name == "list" else absent_of(value_type)


def absent_of(value_type: ValueType) -> int:
    """The value for absent of a type that is no list."""
    return NO_NUMBER if value_type.name == "number" else 0 if value_type.name == "bool" else ABSENT
