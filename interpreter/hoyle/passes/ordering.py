"""What takes long is looked at last: `and` and `or` are worth the same in any order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from hoyle.language import ir
from hoyle.language.ir import Expr
from hoyle.passes.parts import HEAVY, Parts


def cheap_first(expr: Expr, parts: Parts) -> Expr:
    """The operands of `and` or `or`, with cheap ones before those that take long; not what may only be looked at behind a test."""
    if not isinstance(expr, ir.And | ir.Or):
        return expr
    operands = _operands(expr, type(expr))
    if all(parts.weight(e) < HEAVY for e in operands):
        return expr
    ranks = list(_ranks(operands, parts))
    if ranks == sorted(ranks):
        return expr
    ordered = [e for rank in range(3) for e, own in zip(operands, ranks, strict=True) if own == rank]
    return reduce(lambda left, right: type(expr)(expr.kind, expr.span, left, right), ordered)


def _ranks(operands: list[Expr], parts: Parts) -> Iterator[int]:
    """0: cheap, 1: without a loop, 2: with one. What may only be looked at behind a test stays behind whatever stands before it."""
    least = 1
    for operand in operands:
        loops = 1 + parts.loops(operand)
        rank = loops if parts.certain(operand) else max(loops, least)
        if parts.certain(operand) and parts.weight(operand) < HEAVY:
            rank = 0
        least = max(least, rank)
        yield rank


def _operands(expr: Expr, form: type[ir.And] | type[ir.Or]) -> list[Expr]:
    """Of `a and b and c`, all three."""
    if not isinstance(expr, form):
        return [expr]
    return [*_operands(expr.left, form), *_operands(expr.right, form)]
