"""What a running game refuses: values that do not fit, piles that are full, rules that never rest."""

from __future__ import annotations

from hoyle.diagnostics import Refused, Said
from hoyle.language.ir import NO_NUMBER
from hoyle.language.sentences import said
from hoyle.running.machine import Machine, refuse
from hoyle.running.naming import Namer


class Refusals:
    """Called by blocks, by name. A `fault` is the number of the place in the ruleset that is to blame."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine

    def _refusal(self, code: str, message: Said, fault: int, help: Said) -> Refused:
        return refuse(code, message, span=self.machine.faults[fault], help=help)

    def broken(self, fault: int) -> None:
        raise self._refusal("R901", said("running.not_held"), fault, said("running.always_holds"))

    def restless(self, fault: int) -> None:
        message = said("running.restless")
        raise self._refusal("R902", message, fault, said("running.make_false"))

    def within(self, value: int, low: int, high: int, cell: int, fault: int) -> int:
        """The value, if it may be stored in this cell, which has these bounds. (What may be absent is only ever given to a cell that may be.)"""
        if low <= value <= high or value == NO_NUMBER:
            return value
        message = said("running.outside", cell=Namer(self.machine).cell(cell), value=value, low=low, high=high)
        raise self._refusal("R903", message, fault, said("running.wider"))

    def inside(self, index: int, size: int, fault: int) -> int:
        """The index, if there is such a member."""
        if 0 <= index < size:
            return index
        message = said("running.no_member", number=index + 1, size=size)
        raise self._refusal("R904", message, fault, said("running.look_first"))

    def taken(self, piece: int, pile: int, fault: int) -> None:
        namer = Namer(self.machine)
        message = said("running.taken", piece=namer.signs[piece >> 1], pile=namer.key(pile))
        raise self._refusal("R908", message, fault, said("running.own_pieces"))

    def short(self, pile: int, count: int, there: int, fault: int) -> None:
        message = said("running.short", pile=Namer(self.machine).key(pile), there=there, count=count)
        raise self._refusal("R909", message, fault, said("running.roll_fewer"))

    def full(self, pile: int, fault: int) -> None:
        room, name = self.machine.room[pile], Namer(self.machine).key(pile)
        message = said("running.full", room=room, name=name)
        raise self._refusal("R905", message, fault, said("running.more_room"))
