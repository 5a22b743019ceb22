"""Branches that a processor would have to guess, and that are written so that it need not."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Sequence

from hoyle.language.ir import NO_NUMBER


def counted_if(node: ast.If) -> str | None:
    """What a branch adds 1 to, if it does no more and compares two numbers that are there."""
    match node:
        case ast.If(
            test=ast.Compare(
                left=left,
                ops=[ast.Eq() | ast.NotEq() | ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()],
                comparators=[right],
            ),
            body=[ast.AugAssign(target=ast.Name(id=count), op=ast.Add(), value=ast.Constant(value=1))],
            orelse=[],
        ) if _is_there(left) and _is_there(right):
            return count
    return None


def counted_in(loop: ast.For) -> tuple[str, ast.expr] | None:
    """What a loop adds up, and the item, if it only counts how often a list has it."""
    match loop:
        case ast.For(
            target=ast.Name(id=one),
            body=[ast.If(test=ast.Compare(left=ast.Name(id=asked), ops=[ast.Eq()], comparators=[item])) as only],
        ) if one == asked and isinstance(item, ast.Constant):
            count = counted_if(only)
            return (count, item) if count is not None else None
    return None


def lesser(node: ast.If, looked_up: Collection[str]) -> tuple[str, str] | None:
    """The least number so far and another one, if a branch takes the other where it is less, or there is none so far: no
    number is less than any. The other is `looked_up`, so that it is one of 32 bits, and there."""
    match node:
        case ast.If(
            test=ast.BoolOp(
                op=ast.Or(),
                values=[
                    ast.Compare(left=ast.Name(id=least), ops=[ast.Eq()], comparators=[absent]),
                    ast.Compare(left=ast.Name(id=value), ops=[ast.Lt()], comparators=[ast.Name(id=other)]),
                ],
            ),
            body=[ast.Assign(targets=[ast.Name(id=target)], value=ast.Name(id=given))],
            orelse=[],
        ) if least == other == target and value == given and value in looked_up:
            return (least, value) if ast.unparse(absent) == str(NO_NUMBER) else None
    return None


def looked_up(body: Sequence[ast.stmt], tables: Collection[str]) -> set[str]:
    """Names that are only set to what stands in tables."""
    stores, found = Counter[str](), Counter[str]()
    for node in (x for statement in body for x in ast.walk(statement)):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(value=ast.Name(id=table))):
                found[name] += table in tables
            case ast.Name(id=name, ctx=ast.Store()):
                stores[name] += 1
    return {name for name in stores if stores[name] == found[name]}


def _is_there(node: ast.expr) -> bool:
    """A number, a name, or an item of a table."""
    match node:
        case ast.Subscript(value=ast.Name(), slice=ast.Name() | ast.Constant()):
            return True
    return isinstance(node, ast.Name | ast.Constant)
