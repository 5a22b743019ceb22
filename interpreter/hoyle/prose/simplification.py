"""Simplify formulas for wording: resolve what the options decide and replace terms by their bodies."""

from __future__ import annotations

import operator

from hoyle.language import ir
from hoyle.language.evaluate import Attributes, simplify
from hoyle.language.ir import NO_NUMBER, Const, Expr, absent_of
from hoyle.language.value_types import Number
from hoyle.passes.subformulas import rebuild, substitute

_COMPARED = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
MOST_PARTS = 250
"""Most parts of a formula that is put into words."""


class TooLong(Exception):
    """Raised if a formula is too long to be put into words."""


def simplify_formula(
    expr: Expr, attributes: Attributes, told: frozenset[str] = frozenset(), room: int = MOST_PARTS
) -> Expr:
    """Return an equal formula without options, and without terms except those in `told`. Raises TooLong."""
    return _Simplifier(attributes, told, room).of(expr)


class _Simplifier:
    def __init__(self, attributes: Attributes, told: frozenset[str], room: int) -> None:
        self.attributes, self.told, self.room = attributes, told, room

    def of(self, expr: Expr) -> Expr:
        self.room -= 1
        if self.room < 0:
            raise TooLong
        match expr:
            case Const():
                return expr
            case ir.Local(var=var) if var.value is not None:
                return self.of(var.value)
            case ir.TermCall() if expr.instance.name in self.told:
                return self._keep_term(expr)
            case ir.TermCall():
                return self.of(expand_term(expr))
            case ir.ColumnCall(operands=(Const(value=row), *_)) if row >= 0:
                instance = expr.instances[row]
                return self.of(ir.TermCall(expr.type, expr.span, expr.operands, instance))
            case ir.And() | ir.Or() | ir.If():
                return self._resolve_branch(expr)
        return self._evaluate(rebuild(expr, self.of))

    def _keep_term(self, expr: ir.TermCall) -> Expr:
        """Keep a term that has words of its own, unless the options make it constant."""
        try:
            found = simplify_formula(expand_term(expr), self.attributes)
        except TooLong:
            found = expr
        return found if isinstance(found, Const) else rebuild(expr, self.of)

    def _resolve_branch(self, expr: ir.And | ir.Or | ir.If) -> Expr:
        """Resolve the condition first, so that excluded branches are never expanded."""
        first = self.of(expr.args[0])
        if isinstance(first, Const):
            match expr:
                case ir.If():
                    return self.of(expr.yes if first.value else expr.no)
                case ir.And():
                    return self.of(expr.right) if first.value else first
                case ir.Or():
                    return first if first.value else self.of(expr.right)
        others = [self.of(arg) for arg in expr.args[1:]]
        return self._evaluate(_replace_args(expr, (first, *others)))

    def _evaluate(self, expr: Expr) -> Expr:
        match expr:
            case ir.If(condition=Const(value=value)):
                return expr.yes if value else expr.no
            case ir.If(condition=condition, yes=Const(value=1), no=no) if expr.type.name == "bool":
                return ir.Or(expr.type, expr.span, condition, no)
            case ir.If(condition=condition, yes=yes, no=Const(value=0)) if expr.type.name == "bool":
                return ir.And(expr.type, expr.span, condition, yes)
            case ir.Otherwise(left=Const(value=value) as left, right=right):
                return right if value == absent_of(left.type) else left
            case ir.Otherwise(left=left) if not left.type.optional:
                return left
            case ir.Compare() if (known := _compare_bounds(expr)) is not None:
                return Const(expr.type, expr.span, known)
            case ir.Compare(left=ir.If(yes=Const(), no=Const()), right=Const()) if (
                found := _compare_choice(expr)
            ) is not None:
                return found
            case ir.Arith(op="+" | "-", left=left, right=Const(value=0)):
                return left
            case ir.Arith(op="*", left=Const(value=1), right=right):
                return right
        return simplify(expr, self.attributes)


def _compare_choice(expr: ir.Compare) -> Expr | None:
    """Return the condition behind a comparison of one of two constants: `(0 if a else 1) > 0` means not a."""
    found, limit = expr.left, expr.right
    if not (isinstance(found, ir.If) and isinstance(found.yes, Const) and isinstance(found.no, Const)):
        return None
    if not isinstance(limit, Const) or NO_NUMBER in (found.yes.value, found.no.value, limit.value):
        return None
    yes, no = (_COMPARED[expr.op](value, limit.value) for value in (found.yes.value, found.no.value))
    if yes == no:
        return Const(expr.type, expr.span, yes)
    return found.condition if yes else ir.Not(expr.type, expr.span, found.condition)


def _compare_bounds(expr: ir.Compare) -> bool | None:
    """Return the result of a comparison that the bounds of both sides decide; None if they do not."""
    a, b = _find_bounds(expr.left), _find_bounds(expr.right)
    if a is None or b is None:
        return None
    low, high = (a, b) if expr.op[0] == "<" else (b, a)
    strict = len(expr.op) == 1
    if low.high < high.low or (not strict and low.high == high.low):
        return True
    return False if low.low > high.high or (strict and low.low == high.high) else None


def _find_bounds(expr: Expr) -> Number | None:
    """Return the bounds of a number; None if it may be absent."""
    if isinstance(expr, Const) and isinstance(expr.type, Number) and expr.value != NO_NUMBER:
        return Number(int(expr.value), int(expr.value))
    return expr.type if isinstance(expr.type, Number) and not expr.type.optional else None


def expand_term(expr: ir.TermCall) -> Expr:
    """Return the body of a term with its arguments in place of the parameters."""
    instance = expr.instance
    names = (*instance.parameters, *((instance.me,) if instance.uses_me else ()))
    return substitute(instance.body, dict(zip(names, expr.operands, strict=True)))


def _replace_args(expr: Expr, args: tuple[Expr, ...]) -> Expr:
    left = iter(args)
    return rebuild(expr, lambda arg: next(left))
