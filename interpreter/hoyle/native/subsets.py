"""Lists of subsets or tails that are only gone through, which need not be made: one subset at a time is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from hoyle.compiling import code
from hoyle.compiling.code import Node, Statement, Value
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

    of: Value
    size: Value | None
    tails: bool


def looks_only(body: Sequence[Statement]) -> bool:
    """Does a block leave piles as they are?"""
    nodes = [*code.walk(body)]
    does = [x.call for x in nodes if isinstance(x, code.Do)]
    return (
        not any(re.match(r"(settle_|e)\d+$", call.function) for call in code.calls_in(*body))
        and all(isinstance(x, code.Method) and isinstance(x.owner, code.Name) and x.name == "append" for x in does)
        and not any(isinstance(x, code.LogRule | code.ForChosen) for x in nodes)
    )


def walks(body: Sequence[Statement], names: Mapping[str, Type], values: Mapping[str, Type | None]) -> dict[str, Walk]:
    """The names of such lists in a function that leaves piles as they are. `values`: what functions give."""
    nodes = [*code.walk(body)]
    found = {}
    for node in nodes:
        match node:
            case code.Assign(target=code.Name(name), value=code.Call(called, (_, of, *size))):
                listed = called in _WALKS and names[name] in WALKED
                tails = called == "w_tails"
                if listed and not (tails and names[name] != "LL") and _goes_through(name, nodes, values):
                    found[name] = Walk(of, size[0] if size else None, tails)
    return found


def _goes_through(name: str, nodes: Sequence[Node], values: Mapping[str, Type | None]) -> bool:
    """Is a list that is set once gone through, and nothing else?"""
    uses = nodes.count(code.Name(name))
    loops = [x for x in nodes if isinstance(x, code.For) and x.items == code.Name(name)]
    if not loops or uses > 1 + len(loops):
        return False
    return not any(not isinstance(loop.target, code.Name) or _keeps(loop, loop.target, nodes, values) for loop in loops)


def _keeps(loop: code.For, one: code.Name, nodes: Sequence[Node], values: Mapping[str, Type | None]) -> bool:
    """May a subset be needed when the next is looked at?"""
    looked = Counter(
        x.id for node in code.walk(loop.body) for x in _looked_at(node, values) if isinstance(x, code.Name)
    )
    return nodes.count(one) > 1 + looked[one.id]


def _looked_at(node: Node, values: Mapping[str, Type | None]) -> Iterator[Value]:
    match node:
        case code.For(items=items) | code.Comprehension(source=items) | code.Item(items):
            yield items
        case code.Method(code.Name("acts"), _, (code.Tuple(items),)):
            yield from items
        case code.Call(called, args) if called in _LOOKS or values.get(called) == "I":
            yield from args
