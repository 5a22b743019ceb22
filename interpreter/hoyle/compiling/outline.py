"""Collects facts about a game before code is written: cells, piles, constants, and piles whose order a rule reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

from hoyle.checking.analysis import list_formulas, list_step_lists
from hoyle.compiling.code import Statement, Use
from hoyle.diagnostics import Span
from hoyle.language import ir
from hoyle.language.evaluate import walk_all
from hoyle.language.ir import ABSENT, NO_NUMBER, Expr
from hoyle.language.model import Face, Family, Ruleset
from hoyle.language.steps import Deal, Label, Loop, MovePieces, MovePile, Step, Turn, every_step
from hoyle.language.value_types import LARGEST, OBLIGATION, List, Pile, ValueType, get_families, make_number_type
from hoyle.language.vocabulary import WORDS
from hoyle.running.machine import Machine, Place, Point, rounds_of
from hoyle.running.verbs import DOWN, KEEP, UP

Start = int | tuple[int, ...] | frozenset[object]
"""Initial value of a register."""
COUNT = make_number_type(0, LARGEST)
_FACES: dict[Face, int] = {"down": DOWN, "owner": DOWN, "up": UP, "top seen": UP, "top up": KEEP}


class Outline:
    """Tables of a game besides its state: registers (one cell each), places, labels, faults, counters."""

    def __init__(self, ruleset: Ruleset, traced: bool) -> None:
        self.ruleset, self.traced = ruleset, traced
        self.state_size = sum(f.size for f in ruleset.state.values())
        self.registers: list[Start] = []
        self.register_types: list[ValueType] = []
        self.fault_register = self.register(value_type=OBLIGATION)
        self.places: list[Place] = []
        self.points: dict[int, Point] = {}
        self.paths: dict[int, tuple[str, ...]] = {}
        self.labels: list[Label] = []
        self.faults: list[Span] = []
        self.counters: dict[tuple[str, str], int] = {}

    def register(self, start: Start = 0, value_type: ValueType = COUNT) -> int:
        self.registers.append(start)
        self.register_types.append(value_type)
        return self.state_size + len(self.registers) - 1

    def fault(self, span: Span) -> int:
        """Register a source span and return its number, which errors during play refer to."""
        self.faults.append(span)
        return len(self.faults) - 1

    def label_number(self, label: Label | None) -> int:
        if label is None:
            return -1
        if label not in self.labels:
            self.labels.append(label)
        return self.labels.index(label)

    def use(self, section: str, name: str) -> list[Statement]:
        """Return the statement that counts the use of a rule; none if uses are not counted."""
        return [Use(self.counters.setdefault((section, name), len(self.counters)))] if self.traced else []


def outline_of(ruleset: Ruleset) -> Machine:
    """Return a machine that cannot play. It serves to look up names of pieces, piles, state and places."""
    machine = machine_of(Outline(ruleset, False), 0, constants_of(ruleset))
    span = ruleset.phases["game", False].span
    machine.places[:] = [Place(path, 0, (), False, span) for path in ruleset.places]
    return machine


def constants_of(ruleset: Ruleset) -> dict[str, Any]:
    """Return the tables that words and blocks use.

    Their names are INDEX, NEXT, ROUND, OTHERS, PAIR, MEMBERS, SIDES, SEATS, ROOM, TOP_UP, NONE and FAULT.
    """
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
    """Return a machine whose state is laid out, but which has no generated functions."""
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
        register_types=tuple(outline.register_types),
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


Families = frozenset[str]


def unordered_piles(ruleset: Ruleset) -> tuple[int, ...]:
    """Return the numbers of piles whose order no formula, move or verb reads."""
    ordered = _read_by_moves(ruleset) | _read_by_steps(ruleset)
    ordered |= families_read_in_order(list_formulas(ruleset), frozenset(ruleset.piles))
    loose = [f for f in ruleset.piles.values() if f.name not in ordered and f.face in ("up", "down", "owner")]
    return tuple(n for f in loose for n in range(f.base, f.base + f.members * f.columns))


def families_read_in_order(formulas: Iterable[Expr], families: Families) -> Families:
    """Return the families whose order affects the value of a formula. For a list, it affects which items the list has."""
    parts = (part for formula in formulas for part in walk_all(formula))
    return frozenset(name for part in parts for items in _in_order(part) for name in _families_in(items, families))


def _in_order(part: Expr) -> tuple[Expr, ...]:
    """Return the operands whose order affects the value of a part."""
    match part:
        case ir.Item(items=items) | ir.Chosen(items=items):
            return (items,)
        case ir.WordCall(word=word, args=args) if WORDS[word].ordered:
            return args
        case ir.Same(left=left) | ir.Differs(left=left) | ir.In(left=left) if left.type.name == "list":
            return part.args
    return ()


def _families_in(items: Expr, families: Families) -> Families:
    """Return the families that the items of a list may come from."""
    found: set[str] = set()
    for part in walk_all(items):
        if isinstance(part, ir.Pile | ir.Piles):
            found.add(part.ref.family)
        elif isinstance(part, ir.Local) and isinstance(part.type, List | Pile):
            found |= get_families(part.type) or families
    return frozenset(found)


# ---- piles read in order ---------------------------------------------------------------------------------------------


def _read_by_moves(ruleset: Ruleset) -> Families:
    """Return the families from which moves take the top piece."""
    takes = (take for move in ruleset.moves.values() for take in move.takes if not take.any_piece)
    return frozenset(name for take in takes for name in _known(take.source, ruleset))


def _read_by_steps(ruleset: Ruleset) -> Families:
    """Return the families that steps read in order.

    These are verbs that take from the top or move several pieces, and loops over pieces.
    """
    found: set[str] = set()
    for step in _steps(ruleset):
        match step.verb:
            case MovePile(pile) | Turn(pile) | Deal(pile):
                found |= _known(pile, ruleset)
            case MovePieces(pieces) if pieces.type.name == "list":
                found |= _families_in(pieces, frozenset(ruleset.piles))
    for loop in _loops(ruleset):
        if loop.var.type.name != "pile":
            found |= _families_in(loop.items, frozenset(ruleset.piles))
    return frozenset(found)


def _known(piles: Expr, ruleset: Ruleset) -> Families:
    return get_families(piles.type) or frozenset(ruleset.piles)


def _steps(ruleset: Ruleset) -> Iterator[Step]:
    for steps in list_step_lists(ruleset):
        yield from every_step(steps)


def _loops(ruleset: Ruleset) -> Iterator[Loop]:
    found = [step.loop for step in _steps(ruleset)] + [entry.loop for entry in ruleset.whenever.values()]
    yield from (loop for loop in found if loop is not None)
