"""How near a side is to what wins."""

from __future__ import annotations

from interpreter.language.ir import Arith, Expr, If, Same
from interpreter.language.kinds import Number, bounds, number
from interpreter.language.model import Result


def nearness(result: Result) -> Expr | None:
    """Where what wins first begins with `if a number is another`, and it only ever comes from one side: by how much it is not yet, as a number that is
    0 then and else less. None if the result does not read so."""
    best = result.best[0]
    if not isinstance(best, If) or not isinstance(best.condition, Same):
        return None
    less, more = best.condition.args
    if not _is_sure(less) or not _is_sure(more):
        return None
    if bounds(less.kind)[0] >= bounds(more.kind)[1]:
        less, more = more, less
    if bounds(less.kind)[1] > bounds(more.kind)[0]:
        return None
    return Arith(number(bounds(less.kind)[0] - bounds(more.kind)[1], 0), best.span, less, more, "-")


def _is_sure(expr: Expr) -> bool:
    return isinstance(expr.kind, Number) and not expr.kind.optional
