"""Lists of subsets or tails that are only gone through, which need not be made: one subset at a time is."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from hoyle.native.actions import called
from hoyle.native.forms import Type

WALKED: dict[Type, Type] = {"LL": "Subsets", "LLL": "LL_Subsets"}
_WALKS = ("w_subsets", "w_tails")
"""What stands for such a list."""
SUBSET: dict[Type, Type] = {"Subsets": "L", "LL_Subsets": "LL"}
DEEPEST = 8
"""Loops within each other that go through subsets."""
_LOOKS = {
    "len",
    "sum",
    "max",
    "min",
    "w_max",
    "w_min",
    "w_distinct",
    "w_sorted",
    "w_reversed",
    "left_over",
    "same_lists",
    "in_list",
}
"""Calls that keep no list that they are given."""


class Walk(Struct, frozen=True):
    """The items whose subsets are gone through, and how many each has, if that is said; or whose tails are."""

    of: ast.expr
    size: ast.expr | None
    tails: bool


def looks_only(body: Sequence[ast.stmt]) -> bool:
    """Does a block leave piles as they are?"""
    nodes = [x for statement in body for x in ast.walk(statement)]
    calls = [x for x in nodes if isinstance(x, ast.Call)]
    does = [x.value for x in nodes if isinstance(x, ast.Expr)]
    set_by = [x for x in nodes if isinstance(x, ast.AugAssign) and isinstance(x.target, ast.Subscript)]
    return (
        not any(re.match(r"(settle_|e)\d+$", called(call)) for call in calls)
        and all(isinstance(x, ast.Call) and re.search(r"^\w+\.append$", called(x)) for x in does)
        and not any("P[" in ast.unparse(x.target) for x in set_by)
    )


def walks(body: Sequence[ast.stmt], names: Mapping[str, Type], values: Mapping[str, Type | None]) -> dict[str, Walk]:
    """The names of such lists in a function that leaves piles as they are. `values`: what functions give."""
    nodes = [x for statement in body for x in ast.walk(statement)]
    found = {}
    for node in nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=[_, of, *size]) as call):
                listed = called(call) in _WALKS and names[name] in WALKED
                tails = called(call) == "w_tails"
                if listed and not (tails and names[name] != "LL") and _goes_through(name, nodes, values):
                    found[name] = Walk(of, size[0] if size else None, tails)
    return found


def _goes_through(name: str, nodes: Sequence[ast.AST], values: Mapping[str, Type | None]) -> bool:
    """Is a list that is set once gone through, and nothing else?"""
    uses = [x for x in nodes if isinstance(x, ast.Name) and x.id == name]
    loops = [x for x in nodes if isinstance(x, ast.For) and x.iter in uses]
    if not loops or len(uses) > 1 + len(loops):
        return False
    return not any(
        not isinstance(loop.target, ast.Name) or _keeps(loop, loop.target.id, nodes, values) for loop in loops
    )


def _keeps(loop: ast.For, one: str, nodes: Sequence[ast.AST], values: Mapping[str, Type | None]) -> bool:
    """May a subset be needed when the next is looked at?"""
    uses = [x for x in nodes if isinstance(x, ast.Name) and x.id == one]
    inside = [x for statement in loop.body for x in ast.walk(statement)]
    looked = {id(x) for node in inside for x in _looked_at(node, values)}
    return any(id(x) not in looked for x in uses if x is not loop.target)


def _looked_at(node: ast.AST, values: Mapping[str, Type | None]) -> Iterator[ast.expr]:
    match node:
        case ast.For(iter=items) | ast.comprehension(iter=items):
            yield items
        case ast.Subscript(value=items):
            yield items
        case ast.Call(func=ast.Attribute(value=ast.Name(id="acts")), args=[ast.Tuple(elts=items)]):
            yield from items
        case ast.Call(args=args) if called(node) in _LOOKS or values.get(called(node)) == "I":
            yield from args
