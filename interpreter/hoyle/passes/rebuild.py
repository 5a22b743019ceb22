"""A formula with other operands, or with values in the place of variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from hoyle.language import ir
from hoyle.language.ir import Expr, Var


def rebuilt(expr: Expr, change: Callable[[Expr], Expr]) -> Expr:
    """The same form with each operand changed; the very same formula if none has. What `let` gives is left alone."""
    old = expr.args
    if not old or isinstance(expr, ir.Local):
        return expr
    new = tuple([change(a) for a in old])
    for a, b in zip(old, new, strict=True):
        if a is not b:
            return with_args(expr, new)
    return expr


def with_args(expr: Expr, args: tuple[Expr, ...]) -> Expr:
    """The same form with these operands, in the order of `args`."""
    match expr:
        case ir.Cell():
            return replace(expr, keys=args)
        case ir.Pile() | ir.Piles():
            return replace(expr, member=args[0])
        case ir.WordCall() | ir.TermCall() | ir.ColumnCall() | ir.Listed():
            return replace(expr, operands=args)
        case ir.If():
            return replace(expr, condition=args[0], yes=args[1], no=args[2])
        case ir.Quantified():
            return replace(expr, items=args[0], condition=args[1])
        case ir.Chosen():
            return replace(expr, items=args[0], where=args[1], by=args[2:])
        case ir.Collect():
            return replace(expr, items=args[0], where=args[1], item=args[2], by=args[3:])
        case ir.Item():
            return replace(expr, items=args[0], index=args[1])
    names = ("value",) if len(args) == 1 else ("left", "right")
    return replace(expr, **dict(zip(names, args, strict=True)))


def substituted(expr: Expr, values: Mapping[Var, Expr]) -> Expr:
    """The formula with constants in the place of these variables."""
    if isinstance(expr, ir.Local):
        found = values.get(expr.var)
        if found is None and expr.var.value is not None:
            value = substituted(expr.var.value, values)
            return expr if value is expr.var.value else value
        return found if found is not None else expr
    return rebuilt(expr, lambda arg: substituted(arg, values))
