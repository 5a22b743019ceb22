"""What takes long is looked at last: `and` and `or` are worth the same in any order."""

from __future__ import annotations

from functools import reduce

from interpreter.language import ir
from interpreter.language.ir import Expr
from interpreter.passes.parts import HEAVY, Parts, certain


def cheap_first(expr: Expr, parts: Parts) -> Expr:
    """The operands of `and` or `or`, with cheap ones before those that take long; not what may only be looked at behind a test."""
    if not isinstance(expr, ir.And | ir.Or):
        return expr
    operands = _operands(expr, type(expr))
    early = [e for e in operands if parts.weight(e) < HEAVY and certain(e)]
    if len(early) in (0, len(operands)) or operands[: len(early)] == early:
        return expr
    ordered = early + [e for e in operands if not any(e is other for other in early)]
    return reduce(lambda left, right: type(expr)(expr.kind, expr.span, left, right), ordered)


def _operands(expr: Expr, form: type[ir.And] | type[ir.Or]) -> list[Expr]:
    """Of `a and b and c`, all three."""
    if not isinstance(expr, form):
        return [expr]
    return [*_operands(expr.left, form), *_operands(expr.right, form)]
