"""Subsets of which nothing is asked but what their items come to together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from hoyle.language import ir
from hoyle.language.ir import Expr, Var
from hoyle.language.kinds import BOOL
from hoyle.passes.parts import Parts


class Summed(Struct, frozen=True):
    """What the subsets are of, what each item (`var`) is worth, and the sum as it is written."""

    items: Expr
    var: Var
    worth: Expr
    sum: Expr


def subset_sums(items: Expr, subset: Var, inside: Sequence[Expr], parts: Parts) -> Summed | None:
    """What to add up instead of going through all subsets; None if these formulas ask more of each `subset`."""
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
    """The smallest parts that say what is done with a variable: a word or a form that mentions it, or a sum over it."""
    if _as_sum(expr, var) is not None:
        yield expr
    elif isinstance(expr, ir.Local):
        if expr.var is var:
            yield expr
    else:
        for arg in expr.args:
            yield from _uses(arg, var)


def _as_sum(expr: Expr, var: Var) -> ir.Collect | None:
    """The `f(x) for x in var` of its sum, if this is one."""
    match expr:
        case ir.WordCall(word="sum", operands=(ir.Local(var=over) as items,)) if over is var:
            item = Var("item", items.kind.of_item)
            always, each = ir.Const(BOOL, expr.span, True), ir.Local(item.kind, expr.span, item)
            return ir.Collect(items.kind, expr.span, item, items, always, each)
        case ir.WordCall(word="sum", operands=(ir.Collect(items=ir.Local(var=over), by=()) as each,)) if over is var:
            every = isinstance(each.where, ir.Const) and bool(each.where.value)
            alone = not any(isinstance(e, ir.Local) and e.var is var for e in ir.walk(each.item))
            return each if every and alone else None
    return None
