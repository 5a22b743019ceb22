"""Links the jumps between blocks: a jump to a block that only jumps on goes there at once, and short blocks are repeated where they are gone on to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from hoyle.compiling.code import Choice, Function, Label, Open, Return, Statement, Value, every_statement, walk

_SHORT, _LONGEST = 4, 300
"""Statements of a block that is repeated wherever it is gone on to, and of what a block may grow to."""
_MOST_REPEATED = 10_000
"""How many statements, in all, are repeated where a block is gone on to."""


def link(functions: list[Function]) -> None:
    """Appends a block that only one other goes on to to that, and a short one to all that go on to it.

    Every block stays callable, since a position may begin at it."""
    for function in functions:
        _cut(function.body)
    blocks = {int(f.name[1:]): f for f in functions if f.name[:1] == "b" and f.name[1:].isdigit()}
    _append(functions, blocks, Counter(label for f in functions for label in labels_in(f)))
    resolve(functions)


def resolve(functions: list[Function]) -> None:
    """Sends each jump to a block that only jumps on to where that leads."""
    onward = {int(f.name[1:]): to for f in functions if f.name[:1] == "b" and (to := _only_jump(f)) is not None}

    def last(label: int) -> int:
        seen = set[int]()
        while label in onward and label not in seen:
            seen.add(label)
            label = onward[label]
        return label

    for function in functions:
        for statement in _returns(function):
            if statement.value is not None:
                statement.value = _relabelled(statement.value, last)


def labels_in(function: Function) -> Iterator[int]:
    """The numbers of the blocks that a function may go on to."""
    for statement in _returns(function):
        if statement.value is not None:
            yield from (node.number for node in walk([statement.value]) if isinstance(node, Label))


def _returns(function: Function) -> Iterator[Return]:
    return (node for node in every_statement(function.body) if isinstance(node, Return))


def _relabelled(value: Value, last: Callable[[int], int]) -> Value:
    match value:
        case Label(number=number):
            return Label(last(number))
        case Choice(test=test, yes=yes, no=no):
            return Choice(test, _relabelled(yes, last), _relabelled(no, last))
    return value


def _only_jump(function: Function) -> int | None:
    """Where a block goes on to that does nothing else."""
    return _tail(function) if sum(not isinstance(node, Open) for node in function.body) == 1 else None


def _cut(body: list[Statement]) -> None:
    """Drops what stands behind a jump that is always made."""
    end = next((n for n, node in enumerate(body, 1) if isinstance(node, Return)), len(body))
    del body[end:]


def _size(body: Sequence[Statement]) -> int:
    """How many statements there are, with those within them."""
    return sum(1 for _ in every_statement(body))


def _append(functions: list[Function], blocks: dict[int, Function], references: Counter[int]) -> None:
    original = {number: ([*f.body], _size(f.body)) for number, f in blocks.items()}
    sizes, repeated = {f.name: _size(f.body) for f in functions}, 0
    waiting, once = _beginnings(functions, blocks, references)
    for function in waiting:
        seen: set[int] = set()
        while (label := _tail(function)) is not None and label not in seen and label in blocks:
            seen.add(label)
            body, size = original[label]
            repeated += size
            if (
                not (size <= _SHORT or label in once)
                or repeated > _MOST_REPEATED
                or blocks[label].file != function.file
                or sizes[function.name] + size > _LONGEST
            ):
                waiting += [blocks[label]] if label in once else []
                break
            function.body[-1:] = [node for node in body if not isinstance(node, Open)]
            sizes[function.name] += size


def _beginnings(
    functions: list[Function], blocks: dict[int, Function], references: Counter[int]
) -> tuple[list[Function], set[int]]:
    """The functions that others are appended to, and the blocks that only one other goes on to. Such a block is called alone only
    where a position begins, and needs nothing appended."""
    once = {label for f in functions if (label := _tail(f)) in blocks and references.get(label) == 1}
    names = {f"b{label}" for label in once}
    return [f for f in functions if f.name not in names], once


def _tail(function: Function) -> int | None:
    """Where a function always goes on to at its end."""
    match function.body:
        case [*_, Return(value=Label(number=number))]:
            return number
    return None
