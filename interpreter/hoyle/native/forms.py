"""What generated functions hold: the types of their values, and functions with the lines of the ruleset they come from."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from msgspec import Struct

from hoyle.compiling.code import Function
from hoyle.native.rewriting import rewritten

Type = str
"""
I       a whole number or truth value
L       a list of numbers (an unknown one: L?), LL of such lists, LLL of those
A, P    an action: its place among those being listed; where it lies
LA      a list of actions that are being listed
Duo     an action and the obligation that it breaks; Duos a list of them
Keyed…  an item with what orders it; KeyedS, KeyedLS and KeyedLLS lists of them
Map     a number for each action
"""
ITEMS: dict[Type, Type] = {
    "L": "I",
    "LL": "L",
    "LLL": "LL",
    "LA": "A",
    "Duos": "Duo",
    "KeyedS": "Keyed",
    "KeyedLS": "KeyedL",
    "KeyedLLS": "KeyedLL",
}
LISTS: dict[Type, Type] = {item: items for items, item in ITEMS.items()}
KEYED: dict[Type, Type] = {"I": "KeyedS", "A": "KeyedS", "L": "KeyedLS", "LL": "KeyedLLS"}
"""What is put in order, in a list with what orders it."""
IN_ORDER: dict[Type, Type] = {"KeyedS": "L", "KeyedLS": "LL", "KeyedLLS": "LLL"}
"""What such a list is without that."""
IN_C: dict[Type, str] = {"A": "I", "P": "const E *", "LA": "L", "L?": "L", "Map": "L"}

Sizes = tuple[tuple[int, int], ...]
"""Of some piles, by number: how many pieces lie there, whenever it is asked."""


class Untranslatable(Exception):
    """A form that is not written as C (yet): the game is played by the Python engine."""


def in_c(kind: Type) -> str:
    return IN_C.get(kind, kind)


def either(one: Type | None, other: Type | None) -> Type | None:
    """The type of what is one or the other. Raises Untranslatable."""
    if one is None or other is None or one == other:
        return one or other
    for a, b in ((one, other), (other, one)):
        if a == "L?" and b in (*ITEMS, "Map"):
            return b
    raise Untranslatable(f"one name for {one} and {other}")


class Body(Struct):
    """A generated function as a syntax tree. `origins`: for each line of its text the line of the ruleset."""

    name: str
    parameters: list[str]
    statements: list[ast.stmt]
    file: str
    origins: Sequence[int]


def parsed(function: Function) -> Body:
    lines = function.writer.lines
    head = f"def {function.name}({function.parameters}):"
    tree = ast.parse("\n".join([head, *("    " * line.indent + line.text for line in lines)])).body[0]
    assert isinstance(tree, ast.FunctionDef)
    tree = rewritten(tree)
    names = [a.arg for a in tree.args.args]
    origins = [function.line, *(line.origin for line in lines)]
    return Body(function.name, names, tree.body, function.file, origins)
