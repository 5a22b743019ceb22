"""Unroll loops over a few rows, so that tables decide more, and replace sums over subsets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

from msgspec import Struct

from hoyle.language import ir
from hoyle.language.ir import Const, Expr, Rows, Var, absent_of, walk
from hoyle.language.value_types import BOOL, Number, ValueType, get_bounds
from hoyle.passes.subformulas import Analysis, substitute

MOST_ROWS, MOST_PLAIN = 16, 4
"""The most rows of a loop that is unrolled, with and without a column of formulas inside."""
_HEAVIEST = 12
"""The greatest weight to repeat for each row, without a column of formulas."""


def unroll(expr: Expr, parts: Analysis) -> Expr | None:
    """A quantifier, or a word of a collection, without its loop; None if it needs one."""
    match expr:
        case ir.Quantified(var=var, items=Rows(size=size) as rows, condition=condition):
            if _few(size, var, (condition,), parts):
                return _quantified(expr, [substitute(condition, {var: row}) for row in _rows(rows, var)])
        case ir.WordCall(word=word, operands=(ir.Collect(items=Rows(size=size) as rows, by=()) as items,)):
            if word in ("sum", "count", "first", "max", "min") and _few(size, items.var, items.args[1:], parts):
                return _collected(expr, items, _rows(rows, items.var))
    return None


def rows_of(items: Expr, var: Var, formulas: tuple[Expr, ...]) -> list[Const] | None:
    """The rows of a loop of steps whose formulas read a column of formulas of the row; else None."""
    few = isinstance(items, Rows) and items.size <= MOST_ROWS and any(_looks_up(e, var) for e in formulas)
    return _rows(items, var) if few and isinstance(items, Rows) else None


def _few(size: int, var: Var, formulas: tuple[Expr, ...], parts: Analysis) -> bool:
    if any(_looks_up(e, var) for e in formulas):
        return size <= MOST_ROWS
    return size <= MOST_PLAIN and sum(parts.weight(e) for e in formulas) <= _HEAVIEST


def _looks_up(expr: Expr, var: Var) -> bool:
    """Does it read a column of formulas of this row?"""
    calls = (part for part in walk(expr) if isinstance(part, ir.ColumnCall))
    return any(isinstance(call.args[0], ir.Local) and call.args[0].var is var for call in calls)


def _rows(rows: Rows, var: Var) -> list[Const]:
    return [Const(var.type, rows.span, n) for n in range(rows.size)]


def _quantified(expr: ir.Quantified, conditions: list[Expr]) -> Expr:
    if not conditions:
        return Const(BOOL, expr.span, expr.word != "some")
    form = ir.And if expr.word == "every" else ir.Or
    found = reduce(lambda left, right: form(BOOL, expr.span, left, right), conditions)
    return ir.Not(BOOL, expr.span, found) if expr.word == "no" else found


def _collected(expr: ir.WordCall, items: ir.Collect, rows: list[Const]) -> Expr | None:
    wheres = [substitute(items.where, {items.var: row}) for row in rows]
    values = [substitute(items.item, {items.var: row}) for row in rows]
    match expr.word:
        case "first" if expr.type.name == "list":
            return None
        case "first":
            found: Expr = Const(expr.type, expr.span, absent_of(expr.type))
            for where, value in reversed(list(zip(wheres, values, strict=True))):
                found = ir.If(expr.type, expr.span, where, value, found)
            return found
        case "sum" | "count":
            one, zero = (Const(Number(n, n), expr.span, n) for n in (1, 0))
            each = values if expr.word == "sum" else [one] * len(rows)
            parts: list[Expr] = [
                value if _always(where) else ir.If(_or_nothing(value.type), expr.span, where, value, zero)
                for where, value in zip(wheres, each, strict=True)
            ]
            first: Expr = zero
            return reduce(lambda left, right: ir.Arith(expr.type, expr.span, left, right, "+"), parts, first)
    if not rows or expr.type.optional or not all(map(_always, wheres)) or expr.type.name != "number":
        return None
    return reduce(lambda left, right: ir.WordCall(expr.type, expr.span, (left, right), expr.word), values)


def _or_nothing(value_type: ValueType) -> ValueType:
    low, high = get_bounds(value_type)
    return Number(min(low, 0), max(high, 0))


def _always(where: Expr) -> bool:
    return isinstance(where, Const) and bool(where.value)


class Summed(Struct, frozen=True):
    """A sum over subsets: the items, the worth of each item (`var`), and the original sum."""

    items: Expr
    var: Var
    worth: Expr
    sum: Expr


def subset_sums(items: Expr, subset: Var, inside: Sequence[Expr], parts: Analysis) -> Summed | None:
    """The sum to compute instead of looping over subsets; None if the formulas use a subset otherwise."""
    if not isinstance(items, ir.WordCall) or items.word != "subsets" or len(items.operands) != 1:
        return None
    found = [use for expr in inside for use in _uses(expr, subset)]
    sums = [_as_sum(use, subset) for use in found]
    if not sums or None in sums or len({parts.shape(use) for use in found}) > 1:
        return None
    one = sums[0]
    assert one is not None
    return Summed(items.operands[0], one.var, one.item, found[0])


def _uses(expr: Expr, var: Var) -> Iterator[Expr]:
    """Yield the smallest parts that use a variable: a word, a form, or a sum over it."""
    if _as_sum(expr, var) is not None:
        yield expr
    elif isinstance(expr, ir.Local):
        if expr.var is var:
            yield expr
    else:
        for arg in expr.args:
            yield from _uses(arg, var)


def _as_sum(expr: Expr, var: Var) -> ir.Collect | None:
    """The `f(x) for x in var` of its sum, if it is one."""
    match expr:
        case ir.WordCall(word="sum", operands=(ir.Local(var=over) as items,)) if over is var:
            item = Var("item", items.type.item_type)
            always, each = ir.Const(BOOL, expr.span, True), ir.Local(item.type, expr.span, item)
            return ir.Collect(items.type, expr.span, item, items, always, each)
        case ir.WordCall(word="sum", operands=(ir.Collect(items=ir.Local(var=over), by=()) as each,)) if over is var:
            every = isinstance(each.where, ir.Const) and bool(each.where.value)
            alone = not any(isinstance(e, ir.Local) and e.var is var for e in ir.walk(each.item))
            return each if every and alone else None
    return None
