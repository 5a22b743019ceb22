"""Finds loops and branches with a faster form in C: doubling lists, counts, minima, emptied piles, iterated subsets."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from msgspec import Struct

from hoyle.compiling import code
from hoyle.compiling.code import Node, Statement, Value, mentioned_names, walk
from hoyle.language.ir import NO_NUMBER
from hoyle.native.layout import Type

SUMS_ROOM = 64
"""Number of sums that such a list holds before it allocates memory from the arena."""


def is_doubling(name: str, value: Value) -> bool:
    """Return whether the comprehension yields one item for each item of that list."""
    match value:
        case code.Comprehension(target=code.Name(), source=code.Name(listed), test=None):
            return listed == name
    return False


def added_name(item: Value, target: Value) -> Value | None:
    """Return the name that is added to each item, if the item is only such a sum."""
    match item:
        case code.Binary(code.Name(), "+", code.Name() as more) if item.left == target:
            return more
    return None


def find_sums(body: Sequence[Statement]) -> set[str]:
    """Return the names of lists that begin as [0], only grow by doubling, and are only iterated."""
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
            return is_doubling(name, value) and added_name(item, target) is not None
    return False


def find_counter(node: code.If) -> str | None:
    """Return the name that a branch increments, if it does nothing else and compares two present numbers."""
    match node:
        case code.If(
            test=code.Compare(left, "==" | "!=" | "<" | "<=" | ">" | ">=", right),
            body=[code.Add(target=code.Name(count), value=code.Literal(1))],
            otherwise=[],
        ) if _is_there(left) and _is_there(right):
            return count
    return None


def find_count_loop(loop: code.For) -> tuple[str, Value] | None:
    """Return the counter and the item, if a loop only counts how often a list has the item."""
    match loop:
        case code.For(
            target=code.Name(one),
            body=[code.If(test=code.Compare(code.Name(asked), "==", code.Literal() as item)) as only],
        ) if one == asked:
            count = find_counter(only)
            return (count, item) if count is not None else None
    return None


def find_lesser(node: code.If, looked_up: Collection[str]) -> tuple[str, str] | None:
    """Return the names of the minimum so far and of a new number, if a branch only keeps the lesser.

    NO_NUMBER means that there is no minimum yet. The new number is `looked_up`, so it is present and has 32 bits.
    """
    match node:
        case code.If(
            test=code.Or(
                (
                    code.Compare(code.Name(least), "==", code.Literal(absent)),
                    code.Compare(code.Name(value), "<", code.Name(other)),
                )
            ),
            body=[code.Assign(target=code.Name(target), value=code.Name(given))],
            otherwise=[],
        ) if least == other == target and value == given and value in looked_up:
            return (least, value) if absent == NO_NUMBER else None
    return None


def find_table_values(body: Sequence[Statement], tables: Collection[str]) -> set[str]:
    """Return the names that are only assigned items of tables."""
    found = Counter[str]()
    for node in code.walk(body):
        match node:
            case code.Assign(target=code.Name(name), value=code.Item(code.Name(table))):
                found[name] += table in tables
    stores = Counter(code.assigned_names(*body))
    return {name for name in stores if stores[name] == found[name]}


def _is_there(node: Value) -> bool:
    """Return whether a value is a number, a name, or an item of a table."""
    match node:
        case code.Item(code.Name(), code.Name() | code.Literal()):
            return True
    return isinstance(node, code.Name | code.Literal)


def find_emptied_pile(loop: code.For) -> tuple[Value, Value] | None:
    """Return the pile that a loop empties, and the target of each piece. None if the target may depend on the piles."""
    match loop:
        case code.For(
            target=one,
            items=code.Call("tuple", (code.Item(code.Name("P"), pile),)),
            body=[code.Do(call=code.Call("move_pieces", (_, pieces, sources, target, code.Literal(-1), _)))],
        ) if pieces == code.Tuple((one,)) and sources == code.Tuple((pile,)):
            calls = any(isinstance(x, code.Call | code.RowCall | code.Method) for x in walk([target]))
            return None if calls or {"P", "s"} & {*mentioned_names(target)} else (pile, target)
    return None


WALKED: dict[Type, Type] = {"LL": "Subsets", "LLL": "LL_Subsets"}
_WALKS = ("w_subsets", "w_tails")
"""Calls whose result can be iterated without building the list."""
SUBSET: dict[Type, Type] = {"Subsets": "L", "LL_Subsets": "LL"}
DEEPEST = 8
"""Greatest depth of nested loops over subsets."""
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
"""Calls that keep no reference to a list argument."""


class Walk(Struct, frozen=True):
    """A list of subsets (or tails) that is iterated without being built.

    It has the items, and the subset size if that is fixed.
    """

    of: Value
    size: Value | None
    tails: bool


def leaves_piles(body: Sequence[Statement], acting: Collection[str]) -> bool:
    """Return whether a block leaves piles unchanged."""
    nodes = [*code.walk(body)]
    does = [x.call for x in nodes if isinstance(x, code.Do)]
    return (
        not any(call.function in acting for call in code.calls_in(*body))
        and all(isinstance(x, code.Method) and isinstance(x.owner, code.Name) and x.name == "append" for x in does)
        and not any(isinstance(x, code.LogRule | code.ForChosen) for x in nodes)
    )


def find_walks(
    body: Sequence[Statement], names: Mapping[str, Type], values: Mapping[str, Type | None]
) -> dict[str, Walk]:
    """Return the lists of subsets that need not be built, in a function that leaves piles unchanged.

    `values` has the types of function results.
    """
    nodes = [*code.walk(body)]
    found = {}
    for node in nodes:
        match node:
            case code.Assign(target=code.Name(name), value=code.Call(called, (_, of, *size))):
                listed = called in _WALKS and names[name] in WALKED
                tails = called == "w_tails"
                if listed and not (tails and names[name] != "LL") and _is_only_iterated(name, nodes, values):
                    found[name] = Walk(of, size[0] if size else None, tails)
    return found


def _is_only_iterated(name: str, nodes: Sequence[Node], values: Mapping[str, Type | None]) -> bool:
    """Return whether a list that is assigned once is only iterated."""
    uses = nodes.count(code.Name(name))
    loops = [x for x in nodes if isinstance(x, code.For) and x.items == code.Name(name)]
    if not loops or uses > 1 + len(loops):
        return False
    return not any(not isinstance(loop.target, code.Name) or _keeps(loop, loop.target, nodes, values) for loop in loops)


def _keeps(loop: code.For, one: code.Name, nodes: Sequence[Node], values: Mapping[str, Type | None]) -> bool:
    """Return whether a subset may still be needed when the next one is made."""
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
