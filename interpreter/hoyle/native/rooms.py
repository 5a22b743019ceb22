"""Which lists of a function may begin in an array of its own, and which are made anew whenever a loop goes round: those that nobody knows of when they are filled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hoyle.compiling import code
from hoyle.compiling.code import Function, Statement, names_in
from hoyle.native.forms import Type

ROOM = 64
"""Items for which such a list needs no memory of the arena."""

HOLDERS = ("LL", "LLL", "KeyedS", "KeyedLS", "KeyedLLS")
"""What lists may be kept in."""


def roomy(function: Function, names: Mapping[str, Type], result: Type) -> set[str]:
    """The names of lists that only this function knows, and that no other name or list of it may stand for."""
    made = {name for name in _set_empty(function) if names.get(name) in ("L", "LA")}
    return (
        made
        - {*_aliased(function, names), *_held(function, names)}
        - {*function.parameters}
        - ({*_given(function)} if result != "I" else set())
    )


def _given(function: Function) -> Iterator[str]:
    """Names in what a function gives."""
    for node in code.walk(function.body):
        if isinstance(node, code.Return) and node.value is not None:
            yield from names_in(node.value)


def _set_empty(function: Function) -> Iterator[str]:
    for node in code.walk(function.body):
        match node:
            case code.Assign(target=code.Name(name), value=code.List(())):
                yield name


def _held(function: Function, names: Mapping[str, Type]) -> Iterator[str]:
    """Names in what is put into lists that hold lists."""
    for node in code.walk(function.body):
        match node:
            case code.Method(owner, "append", args):
                if any(names.get(name) in HOLDERS for name in names_in(owner)):
                    yield from names_in(*args)
            case code.Add(target=code.Name(name), value=value) if names.get(name) in HOLDERS:
                yield from names_in(value)


def _aliased(function: Function, names: Mapping[str, Type]) -> Iterator[str]:
    """Names in what another name of a list is set to."""
    for node in code.walk(function.body):
        match node:
            case code.Assign(target=code.Name(name), value=value) if names.get(name, "I") not in ("I", "A", "P"):
                if not isinstance(value, code.Comprehension):
                    yield from names_in(value)


def set_before_used(body: Sequence[Statement], name: str) -> bool:
    """Is the name set whenever this is done, before it is used? What was found once and is kept for the next time round is not."""
    mentioning = [node for node in body if name in names_in(node)]
    if not mentioning:
        return True
    first, *others = mentioning
    match first:
        case code.Assign(target=target, value=value) if target == code.Name(name):
            return name not in names_in(value)
        case code.If(test=test, body=inner, otherwise=other):
            return not (others or name in names_in(test)) and all(set_before_used(b, name) for b in (inner, other))
        case code.For(target=target, items=items, body=inner):
            is_target = target == code.Name(name)
            return not (others or name in names_in(items)) and (is_target or set_before_used(inner, name))
        case code.Forever(body=inner):
            return not others and set_before_used(inner, name)
    return False
