"""Lists that grow by something for each of their items, as the sums of all subsets do with one item more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.compiling import code
from hoyle.compiling.code import Node, Statement, Value

ROOM = 64
"""Sums for which such a list needs no memory of the arena."""


def doubles(name: str, value: Value) -> bool:
    """Is this something for each item of that list?"""
    match value:
        case code.Comprehension(target=code.Name(), source=code.Name(listed), test=None):
            return listed == name
    return False


def added(item: Value, target: Value) -> Value | None:
    """What is added to each item."""
    match item:
        case code.Binary(code.Name(), "+", code.Name() as more) if item.left == target:
            return more
    return None


def sums(body: Sequence[Statement]) -> set[str]:
    """The names of lists that begin as one 0, only grow by doubling, and are only gone through."""
    nodes = [*code.walk(body)]
    return {name for name in _begun(nodes) if _only_grows(name, nodes)}


def _begun(nodes: Sequence[Node]) -> Iterator[str]:
    for node in nodes:
        match node:
            case code.Assign(target=code.Name(name), value=code.List((code.Literal(0),))):
                yield name


def _only_grows(name: str, nodes: Sequence[Node]) -> bool:
    set_by = [x for x in nodes if isinstance(x, code.Assign | code.Add) and x.target == code.Name(name)]
    through = [
        x.items if isinstance(x, code.For) else x.source for x in nodes if isinstance(x, code.For | code.Comprehension)
    ]
    mentions = sum(isinstance(x, code.Name) and x.id == name for x in nodes)
    known = len(set_by) + through.count(code.Name(name))
    return mentions == known and all(_begins_or_doubles(x, name) for x in set_by)


def _begins_or_doubles(node: code.Assign | code.Add, name: str) -> bool:
    match node:
        case code.Assign(value=code.List((code.Literal(0),))):
            return True
        case code.Add(value=code.Comprehension(item=item, target=target) as value):
            return doubles(name, value) and added(item, target) is not None
    return False
