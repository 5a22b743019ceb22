"""Which lists of a function may begin in an array of its own, and which are made anew whenever a loop goes round: those that nobody knows of when they are filled."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from hoyle.native.forms import Body, Type

ROOM = 64
"""Items for which such a list needs no memory of the arena."""

HOLDERS = ("LL", "LLL", "KeyedS", "KeyedLS", "KeyedLLS")
"""What lists may be kept in."""


def roomy(body: Body, names: Mapping[str, Type], result: Type) -> set[str]:
    """The names of lists that only this function knows, and that no other name or list of it may stand for."""
    made = {name for name in _set_empty(body) if names.get(name) in ("L", "LA")}
    return (
        made
        - {*_aliased(body, names), *_held(body, names)}
        - {*body.parameters}
        - ({*_given(body)} if result != "I" else set())
    )


def _given(body: Body) -> Iterator[str]:
    """Names in what a function gives."""
    for node in _nodes(body):
        if isinstance(node, ast.Return) and node.value is not None:
            yield from (x.id for x in ast.walk(node.value) if isinstance(x, ast.Name))


def _nodes(body: Body) -> Iterator[ast.AST]:
    return (node for statement in body.statements for node in ast.walk(statement))


def _set_empty(body: Body) -> Iterator[str]:
    for node in _nodes(body):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])):
                yield name


def _held(body: Body, names: Mapping[str, Type]) -> Iterator[str]:
    """Names in what is put into lists that hold lists."""
    for node in _nodes(body):
        match node:
            case ast.Call(func=ast.Attribute(value=owner, attr="append"), args=args):
                owners = {x.id for x in ast.walk(owner) if isinstance(x, ast.Name)}
                if any(names.get(owner) in HOLDERS for owner in owners):
                    yield from (x.id for arg in args for x in ast.walk(arg) if isinstance(x, ast.Name))
            case ast.AugAssign(target=ast.Name(id=name), value=value) if names.get(name) in HOLDERS:
                yield from (x.id for x in ast.walk(value) if isinstance(x, ast.Name))


def _aliased(body: Body, names: Mapping[str, Type]) -> Iterator[str]:
    """Names in what another name of a list is set to."""
    for node in _nodes(body):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if names.get(name, "I") not in ("I", "A", "P"):
                if not isinstance(value, ast.ListComp):
                    yield from (x.id for x in ast.walk(value) if isinstance(x, ast.Name))


def set_before_used(body: Sequence[ast.stmt], name: str) -> bool:
    """Is the name set whenever this is done, before it is used? What was found once and is kept for the next time round is not."""
    first, *others = [node for node in body if _mentions(node, name)] or [ast.Pass()]
    match first:
        case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
            return not _mentions(value, name)
        case ast.If(test=test, body=inner, orelse=other):
            return not (others or _mentions(test, name)) and all(set_before_used(b, name) for b in (inner, other))
        case ast.For(target=target, iter=items, body=inner):
            is_target = isinstance(target, ast.Name) and target.id == name
            return not (others or _mentions(items, name)) and (is_target or set_before_used(inner, name))
        case ast.While(body=inner):
            return not others and set_before_used(inner, name)
        case _:
            return isinstance(first, ast.Pass)


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(x, ast.Name) and x.id == name for x in ast.walk(node))
