"""What generated functions read and where they may lead, found on their nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from hoyle.compiling import code
from hoyle.compiling.code import Function
from hoyle.running.machine import Facts

_READING = frozenset(("maximise", "never_twice", "remember"))
"""Calls that look at pieces although they are given none."""


class _Own(Struct):
    """The facts of one function alone, and what it calls."""

    asks: list[int] = []
    reads: bool = False
    calls: set[str] = set()


def facts_of(functions: Sequence[Function], columns: Mapping[str, tuple[str, ...]]) -> dict[str, Facts]:
    """The facts of each function, with those of all that it calls, also through columns of tables."""
    own = {function.name: _own_facts(function, columns) for function in functions}
    reading = {name for name, one in own.items() if one.reads}
    while more := {name for name, one in own.items() if name not in reading and one.calls & reading}:
        reading |= more
    return {name: Facts(tuple(one.asks), name in reading) for name, one in own.items()}


def _own_facts(function: Function, columns: Mapping[str, tuple[str, ...]]) -> _Own:
    found = _Own()
    moved = list[code.Value]()
    for node in code.walk(function.body):
        match node:
            case code.Ask(decision=decision):
                found.asks.append(decision)
            case code.Method(code.Item(code.Name("P")) as pile):
                moved.append(pile)
            case code.Item(code.Name("P")) if node in moved:
                moved.remove(node)  # the pile that a piece is laid on or taken from
            case code.Item(code.Name("P")):
                found.reads = True
            case code.Call(name):
                found.calls.add(name)
                found.reads |= name in _READING
            case code.RowCall(column):
                found.calls.update(columns[column])
            case code.ForChosen(effect=effect):
                found.calls.add(effect)
    return found
