"""What a running game refuses: values that do not fit, piles that are full, rules that never rest."""

from __future__ import annotations

from interpreter.diagnostics import Refused
from interpreter.language.ir import NO_NUMBER
from interpreter.running.machine import Machine, refuse


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

    def within(self, value: int, low: int, high: int, fault: int) -> int:
        """The value, if it may be stored in a cell with these bounds. (What may be absent is only ever given to a cell that may be.)"""
        if low <= value <= high or value == NO_NUMBER:
            return value
        help = "give the state a wider `range`, or the formula a bound"
        raise self._refusal("R903", f"{value} is outside {low}..{high}", fault, help)

    def inside(self, index: int, size: int) -> int:
        """The index, if there is such a member."""
        if 0 <= index < size:
            return index
        raise refuse("R904", f"there is no member {index + 1} of {size} to set")

    def full(self, pile: int) -> None:
        room, name = self.machine.room[pile], self.machine.pile_name(pile)
        raise refuse("R905", f"more than {room} pieces would lie in `{name}`")
