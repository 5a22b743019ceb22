"""Finds loops over subsets that first iterate the items of each subset.

Subsets with a common prefix share the work for it. Prefixes that no item can complete are skipped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from hoyle.compiling import code
from hoyle.compiling.code import Name, Statement, Value, assigned_names, mentioned_names

_OF_NUMBERS = (
    *(code.Assign, code.If, code.Name, code.Literal, code.Compare, code.And, code.Or, code.Binary),
    *(code.Not, code.Minus, code.Item),
)
"""Node types that the loop over the items may contain."""


class Span(Struct, frozen=True):
    """A difference between the greatest and the least of some values, and its limit. More items only make it larger.

    `absent` is the first value of the least, if items may be absent.
    """

    greatest: str
    least: str
    absent: Value | None
    limit: Value


class SharedPrefix(Struct, frozen=True):
    """The beginning of a loop over subsets.

    begins    assignments of constants before the loop over the items of a subset
    each      the loop over its items, which changes only those names
    later     the same, from the second item on
    rest      the statements after it
    spans     differences that rule a subset out if they are too large
    """

    begins: list[code.Assign]
    each: code.For
    later: list[Statement]
    rest: list[Statement]
    spans: list[Span]


def find_shared_prefix(loop: code.For, function: Sequence[Statement]) -> SharedPrefix | None:
    """Return the beginning of a loop over subsets. None if work cannot be shared, or its names are used elsewhere."""
    at = next((n for n, statement in enumerate(loop.body) if not _sets_constant(statement)), len(loop.body))
    match loop.body[at:]:
        case [code.For(target=Name() as item, items=items) as each, *rest] if items == loop.target:
            begins = [x for x in loop.body[:at] if isinstance(x, code.Assign)]
            if _only_finds(each, item.id, begins) and not _asked_elsewhere(loop, function):
                extremes = _Extremes(each.body, begins)
                return SharedPrefix(begins, each, extremes.later(), rest, [*extremes.spans(rest)])
    return None


def find_least_size(loop: code.For, function: Sequence[Statement]) -> int:
    """Return the least length of a list for which the loop has an effect; 1 if unknown."""
    if isinstance(loop.target, Name) and not _asked_elsewhere(loop, function):
        for test in _needed(loop.body):
            match test:
                case code.Compare(code.Call("len", (one,)), ">=", code.Literal(int(size))) if one == loop.target:
                    return max(size, 1)
    return 1


def names_of(begins: Sequence[code.Assign]) -> list[str]:
    return [one.target.id for one in begins if isinstance(one.target, Name)]


def _sets_constant(node: Statement) -> bool:
    match node:
        case code.Assign(target=Name(), value=code.Literal()):
            return True
    return False


def _only_finds(each: code.For, item: str, begins: Sequence[code.Assign]) -> bool:
    """Return whether a loop only changes numbers that begin as constants, by values of each item."""
    nodes = [*code.walk(each.body)]
    own = [x.target.id for x in each.body if isinstance(x, code.Assign) and isinstance(x.target, Name)]
    return (
        all(isinstance(x, _OF_NUMBERS) for x in nodes)
        and all(isinstance(x.items, Name) for x in nodes if isinstance(x, code.Item))
        and all(isinstance(x.target, Name) for x in nodes if isinstance(x, code.Assign))
        and len({*own}) == len(own)
        and {*assigned_names(*each.body)} <= {*own, *names_of(begins)} - {item}
        and not {*own} & {*names_of(begins)}
        and all(_first_set(name, each.body) for name in own)
    )


def _first_set(name: str, body: Sequence[Statement]) -> bool:
    """Return whether a name is assigned before it is read."""
    first = next(x for x in body if name in mentioned_names(x))
    return isinstance(first, code.Assign) and name not in mentioned_names(first.value)


def _asked_elsewhere(loop: code.For, function: Sequence[Statement]) -> bool:
    """Return whether a name that the loop assigns each time is used outside it."""
    stored = {loop.target.id} if isinstance(loop.target, Name) else set[str]()
    for statement in loop.body:
        if isinstance(statement, code.Assign) and isinstance(statement.target, Name):
            stored.add(statement.target.id)
        elif isinstance(statement, code.For):
            stored.update(assigned_names(statement))
    everywhere, inside = Counter(mentioned_names(*function)), Counter(mentioned_names(loop))
    return any(everywhere[name] != inside[name] for name in stored)


class _Extremes:
    """Finds the maxima and minima that a loop over items keeps."""

    def __init__(self, body: Sequence[Statement], begins: Sequence[code.Assign]) -> None:
        self.body = body
        firsts = dict(zip(names_of(begins), (one.value for one in begins), strict=True))
        self.greatest, self.least = set[str](), dict[str, Value | None]()
        for node in body:
            match node:
                case code.If(test=test, body=[code.Assign(target=Name(name), value=Name() as item)], otherwise=[]) if (
                    name in firsts and [*assigned_names(*body)].count(name) == 1
                ):
                    self._learn(name, test, item, firsts[name])

    def _learn(self, name: str, test: Value, item: Name, first: Value) -> None:
        known = Name(name)
        is_less = code.Or((code.Compare(known, "==", first), code.Compare(item, "<", known)))
        if test == code.Compare(item, ">", known):
            self.greatest.add(name)
        elif test == is_less:
            self.least[name] = None
        elif test == code.And((code.Compare(item, "!=", first), is_less)):
            self.least[name] = first

    def later(self) -> list[Statement]:
        """Return the statements for every item but the first. Values exist by then."""
        there = {name for name, absent in self.least.items() if absent is None}
        return [_where_there(x, there) for x in self.body]

    def spans(self, rest: Sequence[Statement]) -> Iterator[Span]:
        """Yield the spans that rule a subset out."""
        for test in _needed(rest):
            match test:
                case code.Compare(
                    code.Binary(Name(greatest), "-", Name(least)), "==" | "<=", code.Literal() as limit
                ) if greatest in self.greatest and least in self.least:
                    yield Span(greatest, least, self.least[least], limit)


def _where_there(node: Statement, there: set[str]) -> Statement:
    """Return the branch without its test for a first value."""
    match node:
        case code.If(test=code.Or((code.Compare(Name(name), "=="), other))) if name in there:
            return code.If(other, node.body, node.otherwise, origin=node.origin)
    return node


def _needed(rest: Sequence[Statement]) -> Sequence[Value]:
    """Return conditions without which the statements have no effect."""
    match rest:
        case [code.Assign(target=Name(name), value=code.Compare() | code.And() | code.Or() as test), *others]:
            return _conjoined(test) if _idle(others, {name}) else []
        case [code.If(test=test, otherwise=[])]:
            return _conjoined(test)
    return []


def _conjoined(test: Value) -> Sequence[Value]:
    return test.values if isinstance(test, code.And) else [test]


def _idle(statements: Sequence[Statement], false: set[str]) -> bool:
    """Return whether statements have no effect if these names are false."""
    for node in statements:
        match node:
            case code.Assign(target=Name(name), value=Name(other)) if other in false:
                false = false | {name}
            case code.If(test=test, otherwise=[]) if any(
                isinstance(x, Name) and x.id in false for x in _conjoined(test)
            ):
                continue
            case _:
                return False
    return True
