"""Lists that grow by something for each of their items, as the sums of all subsets do with one item more."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

ROOM = 64
"""Sums for which such a list needs no memory of the arena."""


def doubles(name: str, value: ast.expr) -> bool:
    """Is this something for each item of that list?"""
    match value:
        case ast.ListComp(generators=[ast.comprehension(target=ast.Name(), iter=ast.Name(id=listed), ifs=[])]):
            return listed == name
    return False


def added(item: ast.expr, target: ast.expr) -> ast.expr | None:
    """What is added to each item."""
    match item, target:
        case ast.BinOp(left=ast.Name(id=one), op=ast.Add(), right=ast.Name() as more), ast.Name(id=each) if one == each:
            return more
    return None


def sums(body: Sequence[ast.stmt]) -> set[str]:
    """The names of lists that begin as one 0, only grow by doubling, and are only gone through."""
    nodes = [x for statement in body for x in ast.walk(statement)]
    return {name for name in _begun(nodes) if _only_grows(name, nodes)}


def _begun(nodes: Sequence[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[ast.Constant(value=0)])):
                yield name


def _only_grows(name: str, nodes: Sequence[ast.AST]) -> bool:
    set_by = [x for x in nodes if isinstance(x, ast.Assign | ast.AugAssign) and name in _set_by(x)]
    through = [x.iter for x in nodes if isinstance(x, ast.For | ast.comprehension)]
    named = sum(isinstance(x, ast.Name) and x.id == name for x in nodes)
    known = len(set_by) + sum(isinstance(x, ast.Name) and x.id == name for x in through)
    return named == known and all(_begins(x, name) for x in set_by)


def _set_by(node: ast.Assign | ast.AugAssign) -> list[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return [t.id for t in targets if isinstance(t, ast.Name)]


def _begins(node: ast.Assign | ast.AugAssign, name: str) -> bool:
    match node:
        case ast.Assign(value=ast.List(elts=[ast.Constant(value=0)])):
            return True
        case ast.AugAssign(value=ast.ListComp(elt=item, generators=[one])):
            return doubles(name, node.value) and added(item, one.target) is not None
    return False
