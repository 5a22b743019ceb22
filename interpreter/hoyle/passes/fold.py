"""Constant folding: compute what options and tables decide, drop branches that are never taken, and test cheap operands first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import reduce
from typing import Any

from msgspec.structs import replace

from hoyle.language import ir
from hoyle.language.evaluate import Setting, evaluate
from hoyle.language.ir import Const, Expr, Instance, absent_of
from hoyle.language.value_types import Number, ValueType, get_families, get_lengths
from hoyle.language.vocabulary import WORDS
from hoyle.passes.loops import MOST_ROWS, unroll
from hoyle.passes.subformulas import HEAVY, Analysis, rebuild, substitute


def sort_by_cost(expr: Expr, parts: Analysis) -> Expr:
    """Sort the operands of `and` or `or` by cost, except those that are only valid behind a test."""
    if not isinstance(expr, ir.And | ir.Or):
        return expr
    operands = _operands(expr, type(expr))
    if all(parts.weight(e) < HEAVY for e in operands):
        return expr
    ranks = list(_ranks(operands, parts))
    if ranks == sorted(ranks):
        return expr
    ordered = [e for rank in range(3) for e, own in zip(operands, ranks, strict=True) if own == rank]
    return reduce(lambda left, right: type(expr)(expr.type, expr.span, left, right), ordered)


def _ranks(operands: list[Expr], parts: Analysis) -> Iterator[int]:
    """Yield the rank of each operand: 0 cheap, 1 without a loop, 2 with one. An operand that is only valid behind a test stays behind it."""
    least = 1
    for operand in operands:
        loops = 1 + parts.loops(operand)
        rank = loops if parts.certain(operand) else max(loops, least)
        if parts.certain(operand) and parts.weight(operand) < HEAVY:
            rank = 0
        least = max(least, rank)
        yield rank


def _operands(expr: Expr, form: type[ir.And] | type[ir.Or]) -> list[Expr]:
    """All operands of nested `and` or `or`."""
    if not isinstance(expr, form):
        return [expr]
    return [*_operands(expr.left, form), *_operands(expr.right, form)]


Attributes = dict[str, tuple[Any, ...]]
_COPIED = 200
"""The greatest weight of a term that is inlined when its arguments are names, constants and piles, which may decide more inside.
Terms do not call themselves, so no name is captured.
"""


_LEFT = (ir.Local, ir.Cell, ir.Pile, ir.Piles, ir.Contents, ir.Rows, ir.Collect, ir.Chosen, ir.Others)
"""Forms of which only the operands are folded."""
_COMPUTED = (ir.Arith, ir.Neg, ir.Compare, ir.Same, ir.Differs, ir.Absent, ir.Attr, ir.In, ir.Empty, ir.Otherwise)
"""Forms that are computed if their operands are constant."""


class Fold:
    """Folds the formulas of one game. Memoised."""

    def __init__(self, attributes: Attributes, parts: Analysis) -> None:
        self._attributes, self._parts = attributes, parts
        self._known: dict[int, tuple[Expr, Expr]] = {}

    def __call__(self, expr: Expr) -> Expr:
        """Fold a formula."""
        known = self._known.get(id(expr))
        if known is None:
            found = self._fold(expr)
            self._known[id(found)] = (found, found)
            known = self._known[id(expr)] = (expr, found)
        return known[1]

    def _fold(self, expr: Expr) -> Expr:
        if isinstance(expr, Const):
            return expr
        value = _only_value(expr)
        if value is not None:
            return Const(expr.type, expr.span, value)
        looped = unroll(expr, self._parts)
        if looped is not None:
            return self(looped)
        return self._simple(rebuild(expr, self))

    def _simple(self, expr: Expr) -> Expr:
        """Fold a form whose operands are folded."""
        if isinstance(expr, _LEFT):
            return expr
        match expr:
            case ir.And() | ir.Or():
                return sort_by_cost(_junction(expr), self._parts)
            case ir.Not(value=Const(value=value)):
                return _truth(expr, not value)
            case ir.Not(value=ir.Not(value=inner)):
                return inner
            case ir.If():
                return _if(expr)
            case ir.Otherwise(left=value, right=other):
                return _otherwise(expr, value, other)
            case ir.Absent(value=value) if not value.type.optional and value.type.name != "nothing":
                return _truth(expr, False)
            case ir.Empty(value=items) if get_lengths(items.type)[0] > 0:
                return _truth(expr, False)
            case ir.Empty(value=ir.Collect() as items):
                return self(ir.Quantified(expr.type, expr.span, "no", items.var, items.items, items.where))
            case ir.Compare():
                return self._constant(_compared(expr))
            case ir.Same(left=left, right=right) if _elsewhere(left, right):
                return _truth(expr, False)
            case ir.In(left=left, right=right) if left.type.name == "pile" and _elsewhere(left, right):
                return _truth(expr, False)
            case ir.Differs(left=left, right=right) if _elsewhere(left, right):
                return _truth(expr, True)
            case ir.Arith(op="+", left=left, right=right) if not expr.type.optional:
                return self._constant(right if _is_zero(left) else left if _is_zero(right) else expr)
            case ir.Attr(value=ir.If() as chosen) if _among_known(chosen):
                return self(_inside(chosen, expr.type, lambda row: replace(expr, value=row)))
            case ir.Absent(value=ir.WordCall(word="first", operands=(ir.Collect() as items,))) if not items.by:
                return self._none(expr, items)
            case ir.TermCall(instance=instance, operands=args):
                return self._fold_call(expr, instance, args)
            case ir.ColumnCall(instances=instances, operands=args):
                return self._column(expr, instances, args)
        return self._constant(expr)

    def _constant(self, expr: Expr) -> Expr:
        if not expr.args or not all(map(_is_known, expr.args)):
            return expr
        if expr.type.name == "list":
            return self._reversed(expr)
        if not isinstance(expr, _COMPUTED) and not (isinstance(expr, ir.WordCall) and not WORDS[expr.word].world):
            return expr
        return Const(expr.type, expr.span, evaluate(expr, Setting(self._attributes), {}))

    def _reversed(self, expr: Expr) -> Expr:
        """A few rows in reverse order."""
        match expr:
            case ir.WordCall(word="reversed", operands=(ir.Rows(size=size),)) if size <= MOST_ROWS:
                rows = tuple(Const(expr.type.item_type, expr.span, n) for n in reversed(range(size)))
                return ir.Listed(expr.type, expr.span, rows)
        return expr

    def _fold_call(self, expr: ir.TermCall, instance: Instance, args: tuple[Expr, ...]) -> Expr:
        body = self(instance.body)
        if isinstance(body, Const):
            return Const(expr.type, expr.span, body.value)
        if not all(map(_is_plain, args)) or self._parts.weight(body) > _COPIED:
            return expr
        names = (*instance.parameters, *((instance.me,) if instance.uses_me else ()))
        return self(substitute(body, dict(zip(names, args, strict=True))))

    def _none(self, expr: Expr, items: ir.Collect) -> Expr:
        """`first(…) is none` is `no`."""
        if items.item.type.optional or items.item.type.name == "list":
            return expr
        return self(ir.Quantified(expr.type, expr.span, "no", items.var, items.items, items.where))

    def _column(self, expr: ir.ColumnCall, instances: tuple[Instance, ...], args: tuple[Expr, ...]) -> Expr:
        row = args[0]
        if isinstance(row, ir.If) and _among_known(row) and (not row.type.optional or _all_there(row)):
            return self(_inside(row, expr.type, lambda known: replace(expr, operands=(known, *args[1:]))))
        if not isinstance(row, Const) or row.value < 0:
            return expr
        instance = instances[row.value]
        return self(ir.TermCall(expr.type, expr.span, args, instance))


def _only_value(expr: Expr) -> int | None:
    """The value of a number type with one value."""
    value_type = expr.type
    one = isinstance(value_type, Number) and not value_type.optional and value_type.low == value_type.high
    return value_type.low if one and isinstance(value_type, Number) else None


def _among_known(expr: Expr) -> bool:
    """Is it a constant, or a choice between constants?"""
    return isinstance(expr, Const) or (isinstance(expr, ir.If) and _among_known(expr.yes) and _among_known(expr.no))


def _all_there(expr: Expr) -> bool:
    """Is no constant the absent row?"""
    if isinstance(expr, ir.If):
        return _all_there(expr.yes) and _all_there(expr.no)
    return isinstance(expr, Const) and expr.value >= 0


def _inside(expr: Expr, value_type: ValueType, change: Callable[[Expr], Expr]) -> Expr:
    """Change each constant of a choice."""
    if isinstance(expr, ir.If):
        return ir.If(
            value_type,
            expr.span,
            expr.condition,
            _inside(expr.yes, value_type, change),
            _inside(expr.no, value_type, change),
        )
    return change(expr)


def _is_plain(expr: Expr) -> bool:
    """Is it as short as a name: a constant, a name, or a pile of one?"""
    return isinstance(expr, Const | ir.Local) or (isinstance(expr, ir.Pile) and all(map(_is_plain, expr.args)))


def _is_known(expr: Expr) -> bool:
    return isinstance(expr, Const | ir.Rows) or (isinstance(expr, ir.Listed) and all(map(_is_known, expr.args)))


def _is_zero(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value == 0


def _truth(expr: Expr, value: bool) -> Expr:
    return Const(expr.type, expr.span, value)


def _junction(expr: ir.And | ir.Or) -> Expr:
    decides = isinstance(expr, ir.Or)
    for one, other in ((expr.left, expr.right), (expr.right, expr.left)):
        if isinstance(one, Const):
            return one if bool(one.value) == decides else other
    return expr


def _if(expr: ir.If) -> Expr:
    if isinstance(expr.condition, Const):
        return expr.yes if expr.condition.value else expr.no
    if isinstance(expr.yes, Const) and isinstance(expr.no, Const) and expr.yes.value == expr.no.value:
        return expr.yes
    return expr


def _otherwise(expr: Expr, value: Expr, other: Expr) -> Expr:
    if value.type.name == "nothing":
        return other
    if not value.type.optional:
        return value
    if isinstance(value, Const) and value.type.name != "list":
        return other if value.value == absent_of(value.type) else value
    return expr


def _elsewhere(left: Expr, right: Expr) -> bool:
    """Are these certainly different piles?"""
    one, other = get_families(left.type), get_families(right.type)
    return left.type.name == "pile" and bool(one) and bool(other) and one.isdisjoint(other)


def _compared(expr: ir.Compare) -> Expr:
    """A comparison that bounds decide."""
    a, b = expr.left.type, expr.right.type
    if not isinstance(a, Number) or not isinstance(b, Number) or a.optional or b.optional:
        return expr
    less, more = expr.op[0] == "<", len(expr.op) == 2
    low, high = (a, b) if less else (b, a)
    if low.high < high.low or (more and low.high == high.low):
        return _truth(expr, True)
    if low.low > high.high or (not more and low.low == high.high):
        return _truth(expr, False)
    return expr
