"""What is known of a game before a line of it is written: its cells, pieces, piles and constants; and what blocks add to that."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from hoyle.compiling.code import Statement, Use
from hoyle.diagnostics import Span
from hoyle.language.ir import ABSENT, NO_NUMBER
from hoyle.language.kinds import LARGEST, OBLIGATION, Kind, number
from hoyle.language.model import Face, Family, Ruleset
from hoyle.language.steps import Label
from hoyle.running.machine import Machine, Place, Point, rounds_of
from hoyle.running.verbs import DOWN, KEEP, UP

Start = int | tuple[int, ...] | frozenset[object]
"""What a register holds when a game begins."""
COUNT = number(0, LARGEST)
_FACES: dict[Face, int] = {"down": DOWN, "owner": DOWN, "up": UP, "top seen": UP, "top up": KEEP}


class Outline:
    """What a game has beside its state: registers, each in a cell more, for who acts and cursors of loops; places, labels, faults, counters."""

    def __init__(self, ruleset: Ruleset, traced: bool) -> None:
        self.ruleset, self.traced = ruleset, traced
        self.state_size = sum(f.size for f in ruleset.state.values())
        self.registers: list[Start] = []
        self.register_kinds: list[Kind] = []
        self.fault_register = self.register(kind=OBLIGATION)
        self.places: list[Place] = []
        self.points: dict[int, Point] = {}
        self.paths: dict[int, tuple[str, ...]] = {}
        self.labels: list[Label] = []
        self.faults: list[Span] = []
        self.counters: dict[tuple[str, str], int] = {}

    def register(self, start: Start = 0, kind: Kind = COUNT) -> int:
        self.registers.append(start)
        self.register_kinds.append(kind)
        return self.state_size + len(self.registers) - 1

    def fault(self, span: Span) -> int:
        """The number of a place that a refusal in play points at."""
        self.faults.append(span)
        return len(self.faults) - 1

    def label_number(self, label: Label | None) -> int:
        if label is None:
            return -1
        if label not in self.labels:
            self.labels.append(label)
        return self.labels.index(label)

    def use(self, section: str, name: str) -> list[Statement]:
        """The statement that counts the use of a rule; none if uses are not counted."""
        return [Use(self.counters.setdefault((section, name), len(self.counters)))] if self.traced else []


def outline_of(ruleset: Ruleset) -> Machine:
    """A machine that cannot play: what names of pieces, piles, state and places are looked up in."""
    machine = machine_of(Outline(ruleset, False), 0, constants_of(ruleset))
    span = ruleset.phases["game", False].span
    machine.places[:] = [Place(path, 0, (), False, span) for path in ruleset.places]
    return machine


def constants_of(ruleset: Ruleset) -> dict[str, Any]:
    """INDEX, NEXT, ROUND, OTHERS, PAIR, MEMBERS, SIDES, SEATS, ROOM, TOP_UP, NONE, FAULT: what words and blocks look things up in."""
    seats = len(ruleset.seats)
    members = list(combinations(range(seats), 2))
    pair = tuple(
        tuple(members.index((min(p, q), max(p, q))) if p != q else ABSENT for q in range(seats)) for p in range(seats)
    )
    families = list(ruleset.piles.values())
    index = [_number_in(f, i) for f in families for i in range(f.members * f.columns)]
    rounds = rounds_of(seats)
    return {
        "SEATS": seats,
        "NEXT": (*(r[1 % seats] for r in rounds), ABSENT),
        "ROUND": rounds,
        "OTHERS": tuple(r[1:] for r in rounds),
        "PAIR": pair,
        "SIDES": ruleset.sides,
        "MEMBERS": (*members, (ABSENT, ABSENT)),
        "INDEX": (*index, NO_NUMBER),
        "NONE": (ABSENT,),
        "ROOM": tuple(f.room for f in families for _ in range(f.members * f.columns)),
        "TOP_UP": (*(f.face == "top up" for f in families for _ in range(f.members * f.columns)), False),
        "FAULT": sum(f.size for f in ruleset.state.values()),
    }


def _number_in(family: Family, i: int) -> int:
    return family.numbers[0] + (i % family.columns if family.has_columns else i // family.columns)


def machine_of(outline: Outline, entry: int, constants: dict[str, Any]) -> Machine:
    """What is known of a game beside the functions that play it."""
    ruleset = outline.ruleset
    families = [f for f in ruleset.piles.values() for _ in range(f.members * f.columns)]
    kinds = list(ruleset.pieces.values())
    cells: list[Any] = [f.starts for f in ruleset.state.values() for _ in range(f.size)]
    return Machine(
        ruleset=ruleset,
        entry=entry,
        blocks=[],
        apply={},
        points=outline.points,
        places=outline.places,
        paths=outline.paths,
        labels=outline.labels,
        faults=outline.faults,
        counters=outline.counters,
        hits=[0] * len(outline.counters),
        state_size=outline.state_size,
        first_cells=[*cells, *outline.registers],
        register_kinds=tuple(outline.register_kinds),
        fault_register=outline.fault_register,
        face=tuple(_FACES[f.face] for f in families),
        top_up=tuple(f.face == "top up" for f in families),
        room=tuple(f.room for f in families),
        limited=tuple(f.limited for f in families),
        hands=tuple(
            i // f.columns if f.face == "owner" else ABSENT
            for f in ruleset.piles.values()
            for i in range(f.members * f.columns)
        ),
        homes=tuple(home for k in kinds for home in k.starts),
        copies=tuple(k.copies for k in kinds for _ in k.classes),
        pile_names=tuple(
            (f.name, i // f.columns, i % f.columns)
            for f in ruleset.piles.values()
            for i in range(f.members * f.columns)
        ),
        rounds=rounds_of(len(ruleset.seats)),
        constants=constants,
        source="",
    )
