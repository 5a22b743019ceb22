"""Types of generated values in C, where a state's parts lie in memory, and what the C back end asks of generated functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from hoyle.compiling import code
from hoyle.compiling.code import Function, Statement, Value
from hoyle.compiling.python import text_of
from hoyle.language.kinds import Kind, List
from hoyle.language.model import Move
from hoyle.running.lookahead import Aim
from hoyle.running.machine import Machine

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
    """A form that is not written as C: Python plays the game."""


def in_c(kind: Type) -> str:
    return IN_C.get(kind, kind)


def either(one: Type | None, other: Type | None) -> Type | None:
    """The type of a value that has one of two types. Raises Untranslatable."""
    if one is None or other is None or one == other:
        return one or other
    for a, b in ((one, other), (other, one)):
        if a == "L?" and b in (*ITEMS, "Map"):
            return b
    raise Untranslatable(f"one name for {one} and {other}")


LONGEST = 512
"""Items that a register or a binding can hold here; a game that needs more is played by the Python engine."""


class Binding(Struct, frozen=True):
    """One of an action's bindings: its offset, its greatest length if it is a list, and whether it is a number that
    may be large."""

    at: int
    most: int | None
    counts: bool


class Layout(Struct, frozen=True):
    """Where everything lies in the struct of a state.

    cells    the count of numbers: state, then registers
    lists    registers that hold a list of numbers, and its greatest length
    chosen   registers that hold the actions of players who decide together
    seen     registers that hold arrangements
    aims     registers that hold sums
    moves    the bindings of each move, by its number
    flat     moves without list bindings, whose actions are laid out as they are
    width    the count of numbers of an action
    pieces   the count of pieces"""

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
    """`aims`: the registers of sums. Raises Untranslatable."""
    lists: dict[int, int] = {}
    chosen, seen = set(), set()
    for number, kind in enumerate(machine.register_kinds, machine.state_size):
        if number in aims:
            continue
        match kind:
            case List(item) if item.name == "move":
                chosen.add(number)
            case List(item):
                if item.name == "list":
                    raise Untranslatable("a register that holds lists of lists")
                lists[number] = _room(kind, machine)
            case _ if kind.name == "nothing" and machine.first_cells[number] == frozenset():
                seen.add(number)
    moves = {m.number: _bindings(m, machine) for m in machine.ruleset.moves.values()}
    flat = frozenset(number for number, bindings in moves.items() if all(b.most is None for b in bindings))
    width = max((b[-1].at + 1 + (b[-1].most or 0) for b in moves.values() if b), default=1)
    pieces = sum(machine.copies)
    return Layout(len(machine.first_cells), lists, frozenset(chosen), frozenset(seen), aims, moves, flat, width, pieces)


def aims_in(constants: Iterable[object]) -> frozenset[int]:
    """The registers of sums still to be reached."""
    return frozenset(c.register for c in constants if isinstance(c, Aim) and c.register is not None)


def _bindings(move: Move, machine: Machine) -> tuple[Binding, ...]:
    found, at = [], 1
    for var in move.bindings:
        most = _room(var.kind, machine) if var.kind.name == "list" else None
        found.append(Binding(at, most, var.kind.name == "number"))
        at += 1 if most is None else 1 + most
    return tuple(found)


def _room(kind: Kind, machine: Machine) -> int:
    """The greatest length of a list of this kind: at most the number of pieces, piles or players, if nothing else is
    known."""
    assert isinstance(kind, List)
    if kind.item.name == "list":
        raise Untranslatable("a move bound to lists of lists")
    most = {"piece": sum(machine.copies), "player": len(machine.ruleset.seats), "pile": len(machine.face)}
    return min(kind.most, most.get(kind.item.name, LONGEST), LONGEST)


def move_of(test: Value) -> int | None:
    """The number of the move that `a[0] == number` asks for."""
    match test:
        case code.Compare(code.Item(code.Name("a")), "==", code.Literal(int(number))):
            return number
    return None


def listed_moves(function: Function) -> set[int]:
    """The moves, by number, whose actions a function lists or takes apart."""
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
    """Where `a[place]` lies, in an action of one of these moves. Raises Untranslatable."""
    bindings = {places.moves[move][place - 1] for move in moves if len(places.moves[move]) >= place}
    if len(bindings) != 1:
        raise Untranslatable(f"binding {place} of several moves")
    return bindings.pop()


def arguments_of(call: code.Call | code.RowCall) -> list[Value]:
    """The arguments without the state."""
    return [value for value in call.args if value not in (code.P, code.C, code.S)]


def perhaps_absent(body: Sequence[Statement]) -> set[str]:
    """Names that may hold None."""
    return {*_compared_or_set(body)}


def _compared_or_set(body: Sequence[Statement]) -> Iterator[str]:
    for node in code.walk(body):
        match node:
            case code.Compare(code.Name(name), "is" | "is not"):
                yield name
            case code.Assign(target=code.Name(name), value=code.Literal(None)):
                yield name


def untranslatable(node: code.Node) -> Untranslatable:
    """The error for a node that is not written as C."""
    return Untranslatable(text_of(node) if isinstance(node, Value) else type(node).__name__)
