"""Functions that give several numbers, of which each is asked for by its place: they write them where their caller wants them, and no list is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from hoyle.compiling import code
from hoyle.compiling.code import Function
from hoyle.native.forms import Type


def several(
    functions: Mapping[str, Function], values: Mapping[str, Type | None], in_columns: Iterable[str]
) -> dict[str, int]:
    """How many numbers each such function gives. `values`: of what type they are else; those that stand in columns are left as they are."""
    sizes = {name: size for name, one in functions.items() if values.get(name) == "L" and (size := _size(one))}
    for name in in_columns:
        sizes.pop(name, None)
    for function in functions.values():
        asked = Counter(_asked_apart(function, sizes))
        for name, count in Counter(call.function for call in code.calls_in(*function.body)).items():
            if count > asked[name]:
                sizes.pop(name, None)
    return sizes


def kept_apart(function: Function, sizes: Mapping[str, int]) -> dict[str, int]:
    """The names that stand for what such functions give, and how many numbers each is."""
    return {name: sizes[called] for name, called in _made_by(function, sizes)}


def _size(function: Function) -> int:
    """How many numbers a function gives, if it always writes down as many; else none."""
    given = [x.value for x in code.walk(function.body) if isinstance(x, code.Return)]
    sizes = {len(v.items) if isinstance(v, code.Tuple) and not _is_spliced(v) else 0 for v in given}
    return sizes.pop() if len(sizes) == 1 else 0


def _is_spliced(value: code.Tuple) -> bool:
    return any(isinstance(item, code.Star) for item in value.items)


def _asked_apart(function: Function, sizes: Mapping[str, int]) -> Iterator[str]:
    """The functions that are called, once for each call of which nothing is asked but numbers at known places."""
    made = [*_made_by(function, sizes)]
    mentions = Counter(code.names_in(*function.body))
    for name, called in made:
        set_by = [other for one, other in made if one == name]
        places = sum(_is_place(node, name, sizes[called]) for node in code.walk(function.body))
        if mentions[name] == len(set_by) + places and {*set_by} == {called} and not _is_changed(function, name):
            yield called


def _is_changed(function: Function, name: str) -> bool:
    """Is an item of a list set?"""
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
