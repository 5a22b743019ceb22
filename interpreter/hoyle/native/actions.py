"""What is read from the trees of generated functions: which function a call names, of which move an action is, and which names may hold nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from hoyle.native.forms import Body, Untranslatable
from hoyle.native.layout import Binding, Layout


def move_of(test: ast.expr) -> int | None:
    """The number of the move that `a[0] == number` asks for."""
    match test:
        case ast.Compare(
            left=ast.Subscript(value=ast.Name(id="a")), ops=[ast.Eq()], comparators=[ast.Constant(value=int(number))]
        ):
            return number
    return None


def listed_moves(body: Body) -> set[int]:
    """The moves, by number, whose actions a function lists or takes apart."""
    found = set[int]()
    for node in (x for statement in body.statements for x in ast.walk(statement)):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="acts"), attr="append"),
                args=[ast.Tuple(elts=[ast.Constant(value=int(number)), *_])],
            ):
                found.add(number)
            case ast.Compare():
                move = move_of(node)
                found |= {move} if move is not None else set()
    return found


def binding_of(places: Layout, moves: set[int], place: int) -> Binding:
    """Where `a[place]` lies, in an action of one of these moves. Raises Untranslatable."""
    found = {places.moves[move][place - 1] for move in moves if len(places.moves[move]) >= place}
    if len(found) != 1:
        raise Untranslatable(f"binding {place} of several moves")
    return found.pop()


def called(node: ast.Call) -> str:
    match node.func:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            return f"{owner}.{name}"
        case ast.Attribute(attr=name):
            return f".{name}"
        case ast.Subscript(value=ast.Name(id=name)):
            return name
    raise Untranslatable(ast.unparse(node))


def perhaps_absent(body: Sequence[ast.stmt]) -> set[str]:
    """Names that may hold nothing at all."""
    return {name for statement in body for node in ast.walk(statement) for name in _may_be_none(node)}


def _may_be_none(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Compare(left=ast.Name(id=name), ops=[ast.Is() | ast.IsNot(), *_]):
            yield name
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=None)):
            yield name
