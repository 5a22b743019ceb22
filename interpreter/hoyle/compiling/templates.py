"""Words that are written in place of a call: their templates in the vocabulary as nodes."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache
from string import Formatter

from hoyle.compiling import code
from hoyle.compiling.code import Value


def in_place(template: str, args: Sequence[Value]) -> Value:
    """The value that a template gives for these arguments."""
    return _filled(_parsed(template), args)


@lru_cache(maxsize=256)
def _parsed(template: str) -> Value:
    """The template as a value, in which the name `_0` stands for the first argument."""
    parts = Formatter().parse(template)
    text = "".join(f"{fixed}_{hole}" if hole is not None else fixed for fixed, hole, *_ in parts)
    return parsed_value(ast.parse(text, mode="eval").body)


def _filled(node: Value, args: Sequence[Value]) -> Value:
    if isinstance(node, code.Name):
        return args[int(node.id[1:])] if node.id[0] == "_" else node
    held = (getattr(node, field) for field in node.__struct_fields__)
    return type(node)(*(_filled_in(each, args) for each in held))


def _filled_in(held: object, args: Sequence[Value]) -> object:
    if isinstance(held, tuple):
        return tuple([_filled_in(each, args) for each in held])
    return _filled(held, args) if isinstance(held, Value) else held


_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Mod: "%",
    ast.BitAnd: "&",
    ast.Eq: "==",
    ast.GtE: ">=",
}


def parsed_value(node: ast.expr) -> Value:
    """A Python expression as a value. Raises AssertionError for forms that no template has."""
    match node:
        case ast.Constant(value=int(value)):
            return code.Literal(value)
        case ast.Name(id=name):
            return code.Name(name)
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))):
            return code.Literal(-value)
        case ast.UnaryOp(op=ast.Not(), operand=value):
            return code.Not(parsed_value(value))
        case ast.Subscript(value=items, slice=place):
            return code.Item(parsed_value(items), parsed_value(place))
        case ast.BinOp(left=left, op=operator, right=right):
            return code.Binary(parsed_value(left), _OPERATORS[type(operator)], parsed_value(right))
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            return code.Compare(parsed_value(left), _OPERATORS[type(operator)], parsed_value(right))
        case ast.BoolOp(op=ast.And(), values=values):
            return code.And(_all(values))
        case ast.BoolOp(values=values):
            return code.Or(_all(values))
        case ast.Call(func=function, args=args, keywords=[]):
            return code.Call(ast.unparse(function), _all(args))
        case ast.ListComp(elt=item, generators=[ast.comprehension(target=target, iter=source, ifs=tests)]):
            test = parsed_value(tests[0]) if tests else None
            return code.Comprehension(parsed_value(item), parsed_value(target), parsed_value(source), test)
    raise AssertionError(ast.dump(node))


def _all(nodes: Sequence[ast.expr]) -> tuple[Value, ...]:
    return tuple([parsed_value(node) for node in nodes])
