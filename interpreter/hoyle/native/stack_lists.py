"""Finds lists that need no arena memory: local arrays, and results written into the caller's memory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hoyle.compiling import code
from hoyle.compiling.code import Function, Statement, mentioned_names
from hoyle.native.layout import Type

ROOM = 64
"""Number of items that such a list holds before it allocates memory from the arena."""

HOLDERS = ("LL", "LLL", "KeyedS", "KeyedLS", "KeyedLLS")
"""Types of lists that can hold other lists."""


def find_stack_lists(function: Function, names: Mapping[str, Type], result: Type) -> set[str]:
    """Return the names of lists that no other name, list or caller can refer to."""
    made = {name for name in _set_empty(function) if names.get(name) in ("L", "LA")}
    return (
        made
        - {*_aliased(function, names), *_held(function, names)}
        - {*function.parameters}
        - ({*_given(function)} if result != "I" else set())
    )


def _given(function: Function) -> Iterator[str]:
    """Yield the names in results."""
    for node in code.walk(function.body):
        if isinstance(node, code.Return) and node.value is not None:
            yield from mentioned_names(node.value)


def _set_empty(function: Function) -> Iterator[str]:
    for node in code.walk(function.body):
        match node:
            case code.Assign(target=code.Name(name), value=code.List(())):
                yield name


def _held(function: Function, names: Mapping[str, Type]) -> Iterator[str]:
    """Yield the names in items of lists of lists."""
    for node in code.walk(function.body):
        match node:
            case code.Method(owner, "append", args):
                if any(names.get(name) in HOLDERS for name in mentioned_names(owner)):
                    yield from mentioned_names(*args)
            case code.Add(target=code.Name(name), value=value) if names.get(name) in HOLDERS:
                yield from mentioned_names(value)


def _aliased(function: Function, names: Mapping[str, Type]) -> Iterator[str]:
    """Yield the names in values that are assigned to other list names."""
    for node in code.walk(function.body):
        match node:
            case code.Assign(target=code.Name(name), value=value) if names.get(name, "I") not in ("I", "A", "P"):
                if not isinstance(value, code.Comprehension):
                    yield from mentioned_names(value)


def is_set_before_used(body: Sequence[Statement], name: str) -> bool:
    """Return whether each round assigns the name before using it. False for values that are kept for the next round."""
    mentioning = [node for node in body if name in mentioned_names(node)]
    if not mentioning:
        return True
    first, *others = mentioning
    match first:
        case code.Assign(target=target, value=value) if target == code.Name(name):
            return name not in mentioned_names(value)
        case code.If(test=test, body=inner, otherwise=other):
            return not (others or name in mentioned_names(test)) and all(
                is_set_before_used(b, name) for b in (inner, other)
            )
        case code.For(target=target, items=items, body=inner):
            is_target = target == code.Name(name)
            return not (others or name in mentioned_names(items)) and (is_target or is_set_before_used(inner, name))
        case code.Forever(body=inner):
            return not others and is_set_before_used(inner, name)
    return False


def find_multi_returns(
    functions: Mapping[str, Function], values: Mapping[str, Type | None], in_columns: Iterable[str]
) -> dict[str, int]:
    """Return the functions whose results are only read item by item, with the number of integers in a result.

    `values` has the types of results. Functions of columns are left out.
    """
    sizes = {name: size for name, one in functions.items() if values.get(name) == "L" and (size := _size(one))}
    for name in in_columns:
        sizes.pop(name, None)
    for function in functions.values():
        asked = Counter(_called_for_items(function, sizes))
        for name, count in Counter(call.function for call in code.calls_in(*function.body)).items():
            if count > asked[name]:
                sizes.pop(name, None)
    return sizes


def find_unpacked_names(function: Function, sizes: Mapping[str, int]) -> dict[str, int]:
    """Return the names that hold such results, with their sizes."""
    return {name: sizes[called] for name, called in _made_by(function, sizes)}


def _size(function: Function) -> int:
    """Return the number of integers in a function's results if it is always the same, else 0."""
    given = [x.value for x in code.walk(function.body) if isinstance(x, code.Return)]
    sizes = {len(v.items) if isinstance(v, code.Tuple) and not _is_spliced(v) else 0 for v in given}
    return sizes.pop() if len(sizes) == 1 else 0


def _is_spliced(value: code.Tuple) -> bool:
    return any(isinstance(item, code.Star) for item in value.items)


def _called_for_items(function: Function, sizes: Mapping[str, int]) -> Iterator[str]:
    """Yield the function of each call whose result is only read at constant indices."""
    made = [*_made_by(function, sizes)]
    mentions = Counter(code.mentioned_names(*function.body))
    for name, called in made:
        set_by = [other for one, other in made if one == name]
        places = sum(_is_place(node, name, sizes[called]) for node in code.walk(function.body))
        if mentions[name] == len(set_by) + places and {*set_by} == {called} and not _is_changed(function, name):
            yield called


def _is_changed(function: Function, name: str) -> bool:
    """Return whether an item of a list is assigned."""
    return any(
        isinstance(node, code.Assign | code.Add)
        and isinstance(node.target, code.Item)
        and node.target.items == code.Name(name)
        for node in code.every_statement(function.body)
    )


def _made_by(function: Function, sizes: Mapping[str, int]) -> Iterator[tuple[str, str]]:
    for node in code.walk(function.body):
        match node:
            case code.Assign(target=code.Name(name), value=code.Call(called)) if called in sizes:
                yield name, called


def _is_place(node: code.Node, name: str, size: int) -> bool:
    match node:
        case code.Item(code.Name(one), code.Literal(int(place))):
            return one == name and 0 <= place < size
    return False
