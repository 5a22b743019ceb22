"""Branches that a processor would have to guess, and that are written so that it need not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence

from hoyle.compiling import code
from hoyle.compiling.code import Statement, Value
from hoyle.language.ir import NO_NUMBER


def counted_if(node: code.If) -> str | None:
    """What a branch adds 1 to, if it does no more and compares two numbers that are there."""
    match node:
        case code.If(
            test=code.Compare(left, "==" | "!=" | "<" | "<=" | ">" | ">=", right),
            body=[code.Add(target=code.Name(count), value=code.Literal(1))],
            otherwise=[],
        ) if _is_there(left) and _is_there(right):
            return count
    return None


def counted_in(loop: code.For) -> tuple[str, Value] | None:
    """What a loop adds up, and the item, if it only counts how often a list has it."""
    match loop:
        case code.For(
            target=code.Name(one),
            body=[code.If(test=code.Compare(code.Name(asked), "==", code.Literal() as item)) as only],
        ) if one == asked:
            count = counted_if(only)
            return (count, item) if count is not None else None
    return None


def lesser(node: code.If, looked_up: Collection[str]) -> tuple[str, str] | None:
    """The least number so far and another one, if a branch takes the other where it is less, or there is none so far: no
    number is less than any. The other is `looked_up`, so that it is one of 32 bits, and there."""
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


def looked_up(body: Sequence[Statement], tables: Collection[str]) -> set[str]:
    """Names that are only set to what stands in tables."""
    found = Counter[str]()
    for node in code.walk(body):
        match node:
            case code.Assign(target=code.Name(name), value=code.Item(code.Name(table))):
                found[name] += table in tables
    stores = Counter(code.set_in(*body))
    return {name for name in stores if stores[name] == found[name]}


def _is_there(node: Value) -> bool:
    """A number, a name, or an item of a table."""
    match node:
        case code.Item(code.Name(), code.Name() | code.Literal()):
            return True
    return isinstance(node, code.Name | code.Literal)
