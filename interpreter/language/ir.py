"""The intermediate form of formulas: names resolved, kinds known. The compiler and the explainer both read it.

Values are whole numbers at run time. A piece is `2 * class + face` (face 1: up); rows, players, pairs, choices and piles are
numbered from 0. What is absent is `ABSENT` (-1), or `NO_NUMBER` for numbers, so attribute tables end in one more
cell which index -1 finds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from interpreter.diagnostics import Span
from interpreter.language.kinds import Kind

ABSENT = -1
NO_NUMBER = -(2**31)


@dataclass(frozen=True, slots=True, eq=False)
class Var:
    """A bound name: a quantifier's, a move's, a step's, a parameter, or `me`."""

    name: str
    kind: Kind


@dataclass(frozen=True, slots=True, eq=False)
class Expr:
    """
    op     const, local, cell, pile, piles, contents, rows, attr, order, column, call, word, arith, neg, concat, compare,
           same, differs, absent, empty, in, and, or, not, if, some, every, no, most, least, collect, list, range, item,
           otherwise, member
    args   its operands
    value  what else the op needs: the constant, the Var, the base of a family, the attribute's name, the operator …
    """

    op: str
    kind: Kind
    span: Span
    args: tuple[Expr, ...] = ()
    value: Any = None

    def walk(self) -> Iterator[Expr]:
        yield self
        for arg in self.args:
            yield from arg.walk()


@dataclass(slots=True, eq=False)
class Instance:
    """A term for one set of kinds of its arguments; a function of the compiled game."""

    name: str
    number: int
    parameters: tuple[Var, ...]
    me: Var
    body: Expr
    uses_me: bool = False
    reads: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class CellRef:
    """Where a state family stands in the cells: member i is `base + i`; `low` is what number member 0 has. With two keys
    member (i, j) is `base + i * inner + j`."""

    family: str
    base: int
    size: int
    low: int = 0
    inner: int = 0


@dataclass(frozen=True, slots=True)
class PileRef:
    """Where a pile family stands among the piles: member m, column c is `base + m * columns + c`."""

    family: str
    base: int
    members: int
    columns: int


@dataclass(slots=True)
class Tables:
    """Attribute tables by name (`card.rank`, `ranks.order`, …): value → value, and one more cell for ABSENT."""

    by_name: dict[str, tuple[int, ...]] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    """What text columns say; their cells are places in this list."""


def absent_of(kind: Kind) -> int:
    """What stands for an absent value of this kind."""
    return NO_NUMBER if kind.name == "number" else 0 if kind.name == "bool" else ABSENT
