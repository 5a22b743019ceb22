"""Lists that grow by something for each of their items, as the sums of all subsets do with one item more."""

from __future__ import annotations

import ast
from collections.abc import Sequence


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


def is_begun_small(name: str, body: Sequence[ast.stmt]) -> bool:
    """Does a list always begin as one small number, and does it only grow by doubling?"""
    found = [x for b in body for x in ast.walk(b) if isinstance(x, ast.Assign | ast.AugAssign)]
    return all(_begins(x, name) for x in found if name in _set_by(x))


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
