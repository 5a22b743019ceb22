"""Functions that give several numbers, of which each is asked for by its place: they write them where their caller wants them, and no list is made."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping

from hoyle.native.actions import called
from hoyle.native.forms import Body, Type


def several(bodies: Mapping[str, Body], values: Mapping[str, Type | None], in_columns: Iterable[str]) -> dict[str, int]:
    """How many numbers each such function gives. `values`: of what type they are else; those that stand in columns are left as they are."""
    found = {name: size for name, body in bodies.items() if values.get(name) == "L" and (size := _size(body))}
    for name in in_columns:
        found.pop(name, None)
    for body in bodies.values():
        asked = {id(call) for call in _asked_apart(body, found)}
        for node in _nodes(body):
            if isinstance(node, ast.Call) and id(node) not in asked:
                found.pop(called(node), None)
    return found


def kept_apart(body: Body, sizes: Mapping[str, int]) -> dict[str, int]:
    """The names that stand for what such functions give, and how many numbers each is."""
    return {name: sizes[called(call)] for name, call in _made_by(body, sizes)}


def _size(body: Body) -> int:
    """How many numbers a function gives, if it always writes down as many; else none."""
    given = [x.value for x in _nodes(body) if isinstance(x, ast.Return)]
    sizes = {len(v.elts) if isinstance(v, ast.Tuple) and not _spliced(v) else 0 for v in given}
    return sizes.pop() if len(sizes) == 1 else 0


def _spliced(value: ast.Tuple) -> bool:
    return any(isinstance(item, ast.Starred) for item in value.elts)


def _asked_apart(body: Body, sizes: Mapping[str, int]) -> Iterator[ast.Call]:
    """The calls of which nothing is asked but numbers at known places."""
    made = [*_made_by(body, sizes)]
    nodes = [*_nodes(body)]
    for name, call in made:
        set_by = [other for one, other in made if one == name]
        uses = sum(isinstance(x, ast.Name) and x.id == name for x in nodes)
        places = [x for x in nodes if _is_place(x, name, sizes[called(call)])]
        if uses == len(set_by) + len(places) and len({called(other) for other in set_by}) == 1:
            yield call


def _made_by(body: Body, sizes: Mapping[str, int]) -> Iterator[tuple[str, ast.Call]]:
    for node in _nodes(body):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call) if called(call) in sizes:
                yield name, call


def _is_place(node: ast.AST, name: str, size: int) -> bool:
    match node:
        case ast.Subscript(value=ast.Name(id=one), slice=ast.Constant(value=int(place)), ctx=ast.Load()):
            return one == name and 0 <= place < size
    return False


def _nodes(body: Body) -> Iterator[ast.AST]:
    return (node for statement in body.statements for node in ast.walk(statement))
