"""Where everything lies in the flat struct of a state: cells, lists that registers hold, and the places of an action's bindings."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from hoyle.language.kinds import Kind, List
from hoyle.language.model import Move
from hoyle.native.forms import Untranslatable
from hoyle.running.lookahead import Aim
from hoyle.running.machine import Machine

LONGEST = 512
"""Items that a register or a binding can hold here; a game that needs more is played by the Python engine."""


class Binding(Struct, frozen=True):
    """One of an action's bindings: where it begins, how long it may be if it is a list, and whether it is a number that may be large."""

    at: int
    most: int | None
    counts: bool


class Layout(Struct, frozen=True):
    """
    cells    how many numbers are kept: state, then registers
    lists    of registers that hold a list of numbers: how many
    chosen   registers that hold the actions of those who decide together
    seen     registers that hold arrangements
    aims     registers that hold sums
    moves    of each move, by its number: its bindings
    flat     moves that are bound to no list: their action is itself the beginning of its place in a row
    width    how many numbers an action takes
    pieces   how many pieces there are
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
    """How many items a list of this kind may have: no more than there are pieces, piles or players, if nothing else is known."""
    assert isinstance(kind, List)
    if kind.item.name == "list":
        raise Untranslatable("a move bound to lists of lists")
    most = {"piece": sum(machine.copies), "player": len(machine.ruleset.seats), "pile": len(machine.face)}
    return min(kind.most, most.get(kind.item.name, LONGEST), LONGEST)
