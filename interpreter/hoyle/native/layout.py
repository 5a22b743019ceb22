"""Defines C types, the memory layout of a state, and helpers for reading generated functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from hoyle.compiling import code
from hoyle.compiling.code import Function, Statement, Value
from hoyle.compiling.python import text_of
from hoyle.language.model import Move
from hoyle.language.value_types import List, ValueType
from hoyle.running.lookahead import Aim
from hoyle.running.machine import Machine

Type = str
"""I       an integer or truth value
L       a list of integers (of unknown depth: L?); LL and LLL are lists of such lists
A, P    an action: its index among those being listed; a pointer to it
LA      a list of actions that are being listed
Duo     an action and the obligation that it breaks; Duos is a list of them
Keyed…  an item with its sort key; KeyedS, KeyedLS and KeyedLLS are lists of them
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
"""List types for sorting, by the type of an item."""
IN_ORDER: dict[Type, Type] = {"KeyedS": "L", "KeyedLS": "LL", "KeyedLLS": "LLL"}
"""Types of the sorted list without its keys."""
IN_C: dict[Type, str] = {"A": "I", "P": "const E *", "LA": "L", "L?": "L", "Map": "L"}

Sizes = tuple[tuple[int, int], ...]
"""Piles of known size: pairs of pile number and number of pieces."""


class Untranslatable(Exception):
    """Raised for a form that cannot be written as C. Python then plays the game."""


def in_c(kind: Type) -> str:
    return IN_C.get(kind, kind)


def either(one: Type | None, other: Type | None) -> Type | None:
    """Return the common type of two types. Raises Untranslatable if there is none."""
    if one is None or other is None or one == other:
        return one or other
    for a, b in ((one, other), (other, one)):
        if a == "L?" and b in (*ITEMS, "Map"):
            return b
    raise Untranslatable(f"one name for {one} and {other}")


LONGEST = 512
"""Greatest number of items in a register or a binding. Games that need more are played by the Python engine."""


class Binding(Struct, frozen=True):
    """A binding of an action: its offset, its greatest length if it is a list, and whether its number may be large."""

    at: int
    most: int | None
    counts: bool


class Layout(Struct, frozen=True):
    """Layout of the C struct of a state.

    cells    number of integers: state, then registers
    lists    registers that hold a list of integers, with its greatest length
    chosen   registers that hold the actions of players who decide together
    seen     registers that hold arrangements
    aims     registers that hold sums
    moves    bindings of each move, by its number
    flat     moves without list bindings, whose actions are copied unchanged
    width    number of integers of an action
    pieces   number of pieces
    """

    cells: int
    lists: dict[int, int]
    chosen: frozenset[int]
    seen: frozenset[int]
    aims: frozenset[int]
    moves: dict[int, tuple[Binding, ...]]
    flat: frozenset[int]
    width: int
    pieces: int


def layout(machine: Machine, aims: frozenset[int]) -> Layout:
    """Lay out the states of a game. `aims` are the registers of sums. Raises Untranslatable."""
    lists: dict[int, int] = {}
    chosen, seen = set(), set()
    for number, value_type in enumerate(machine.register_types, machine.state_size):
        if number in aims:
            continue
        match value_type:
            case List(item) if item.name == "move":
                chosen.add(number)
            case List(item):
                if item.name == "list":
                    raise Untranslatable("a register that holds lists of lists")
                lists[number] = _room(value_type, machine)
            case _ if value_type.name == "nothing" and machine.first_cells[number] == frozenset():
                seen.add(number)
    moves = {m.number: _bindings(m, machine) for m in machine.ruleset.moves.values()}
    flat = frozenset(number for number, bindings in moves.items() if all(b.most is None for b in bindings))
    width = max((b[-1].at + 1 + (b[-1].most or 0) for b in moves.values() if b), default=1)
    pieces = sum(machine.copies)
    return Layout(len(machine.first_cells), lists, frozenset(chosen), frozenset(seen), aims, moves, flat, width, pieces)


def aims_in(constants: Iterable[object]) -> frozenset[int]:
    """Return the registers of sums that are still to be reached."""
    return frozenset(c.register for c in constants if isinstance(c, Aim) and c.register is not None)


def _bindings(move: Move, machine: Machine) -> tuple[Binding, ...]:
    found, at = [], 1
    for var in move.bindings:
        most = _room(var.type, machine) if var.type.name == "list" else None
        found.append(Binding(at, most, var.type.name == "number"))
        at += 1 if most is None else 1 + most
    return tuple(found)


def _room(value_type: ValueType, machine: Machine) -> int:
    """Return the greatest length of a list of this type.

    It is at most the number of pieces, piles or players.
    """
    assert isinstance(value_type, List)
    if value_type.item.name == "list":
        raise Untranslatable("a move bound to lists of lists")
    most = {"piece": sum(machine.copies), "player": len(machine.ruleset.seats), "pile": len(machine.face)}
    return min(value_type.most, most.get(value_type.item.name, LONGEST), LONGEST)


def move_of(test: Value) -> int | None:
    """Return the move number that a test `a[0] == number` compares with, else None."""
    match test:
        case code.Compare(code.Item(code.Name("a")), "==", code.Literal(int(number))):
            return number
    return None


def listed_moves(function: Function) -> set[int]:
    """Return the numbers of the moves whose actions a function lists or unpacks."""
    moves = set[int]()
    for node in code.walk(function.body):
        match node:
            case code.Method(code.Name("acts"), "append", (code.Tuple((code.Literal(int(number)), *_)),)):
                moves.add(number)
            case code.Compare():
                move = move_of(node)
                moves |= {move} if move is not None else set()
    return moves


def binding_of(places: Layout, moves: set[int], place: int) -> Binding:
    """Return the layout of `a[place]` for an action of one of these moves. Raises Untranslatable."""
    bindings = {places.moves[move][place - 1] for move in moves if len(places.moves[move]) >= place}
    if len(bindings) != 1:
        raise Untranslatable(f"binding {place} of several moves")
    return bindings.pop()


def arguments_of(call: code.Call | code.RowCall) -> list[Value]:
    """Return the arguments without the state."""
    return [value for value in call.args if value not in (code.P, code.C, code.S)]


def perhaps_absent(body: Sequence[Statement]) -> set[str]:
    """Return the names that may hold None."""
    return {*_compared_or_set(body)}


def _compared_or_set(body: Sequence[Statement]) -> Iterator[str]:
    for node in code.walk(body):
        match node:
            case code.Compare(code.Name(name), "is" | "is not"):
                yield name
            case code.Assign(target=code.Name(name), value=code.Literal(None)):
                yield name


def untranslatable(node: code.Node) -> Untranslatable:
    """Return the error for a node that cannot be written as C."""
    return Untranslatable(text_of(node) if isinstance(node, Value) else type(node).__name__)
