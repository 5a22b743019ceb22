"""What a running game refuses: values that do not fit, piles that are full, rules that never rest."""

from __future__ import annotations

from interpreter.diagnostics import Refused
from interpreter.language.ir import NO_NUMBER
from interpreter.running.machine import Machine, refuse
from interpreter.running.naming import Namer


class Refusals:
    """Called by blocks, by name. A `fault` is the number of the place in the ruleset that is to blame."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def _refusal(self, code: str, message: str, fault: int, help: str) -> Refused:
        return refuse(code, message, span=self.machine.faults[fault], help=help)

    def broken(self, fault: int) -> None:
        raise self._refusal("R901", "this does not hold", fault, "the ruleset says this always holds")

    def restless(self, fault: int) -> None:
        message = "rules that act by themselves wake each other without end"
        raise self._refusal("R902", message, fault, "what such a rule does must make its own `if` false")

    def within(self, value: int, low: int, high: int, cell: int, fault: int) -> int:
        """The value, if it may be stored in this cell, which has these bounds. (What may be absent is only ever given to a cell that may be.)"""
        if low <= value <= high or value == NO_NUMBER:
            return value
        message = f"`{Namer(self.machine).cell(cell)}` would be {value}, which is outside {low}..{high}"
        raise self._refusal("R903", message, fault, "give the state a wider `range`, or the formula a bound")

    def inside(self, index: int, size: int, fault: int) -> int:
        """The index, if there is such a member."""
        if 0 <= index < size:
            return index
        message = f"there is no member {index + 1} of {size} to set"
        raise self._refusal("R904", message, fault, "look whether it is there: `when:`")

    def taken(self, piece: int, pile: int, fault: int) -> None:
        namer = Namer(self.machine)
        message = f"`{namer.signs[piece >> 1]}` is no longer in `{namer.key(pile)}`: another player has taken it at the same time"
        raise self._refusal("R908", message, fault, "who choose together take pieces of their own")

    def short(self, pile: int, count: int, there: int, fault: int) -> None:
        message = f"`{Namer(self.machine).key(pile)}` holds {there}, and {count} are rolled out of it"
        raise self._refusal("R909", message, fault, "roll no more than lie there: `min(n, count(pile))`")

    def full(self, pile: int, fault: int) -> None:
        room, name = self.machine.room[pile], Namer(self.machine).key(pile)
        message = f"more than {room} piece{'s' * (room != 1)} would lie in `{name}`"
        raise self._refusal("R905", message, fault, "give the pile more `room`, or move only what has room there")
