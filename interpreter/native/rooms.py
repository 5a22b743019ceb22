"""Which lists of a function may begin in an array of its own: those that nobody knows of when it is filled anew."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from interpreter.native.forms import Body, Type

ROOM = 16
"""Items for which such a list needs no memory of the arena."""


def roomy(body: Body, names: Mapping[str, Type], result: Type) -> set[str]:
    """The names of lists that only this function knows, and that no other name or list of it may stand for."""
    if result != "I" or any(kind in ("LL", "LLL") and _is_filled(name, body) for name, kind in names.items()):
        return set()
    made = {name for name in _set_empty(body) if names.get(name) in ("L", "LA")}
    return made - {*_aliased(body, names)} - {*body.parameters}


def _nodes(body: Body) -> Iterator[ast.AST]:
    return (node for statement in body.statements for node in ast.walk(statement))


def _set_empty(body: Body) -> Iterator[str]:
    for node in _nodes(body):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])):
                yield name


def _is_filled(name: str, body: Body) -> bool:
    return any(
        isinstance(x, ast.Attribute) and isinstance(x.value, ast.Name) and x.value.id == name for x in _nodes(body)
    )


def _aliased(body: Body, names: Mapping[str, Type]) -> Iterator[str]:
    """Names in what another name of a list is set to."""
    for node in _nodes(body):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if names.get(name, "I") not in ("I", "A", "P"):
                if not isinstance(value, ast.ListComp):
                    yield from (x.id for x in ast.walk(value) if isinstance(x, ast.Name))
