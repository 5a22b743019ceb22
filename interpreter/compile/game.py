"""A checked ruleset → a `Machine`."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from interpreter.compile.code import assemble, source
from interpreter.compile.expressions import Program, in_list, same_lists
from interpreter.compile.flow import FlowCompiler
from interpreter.compile.moves import unique
from interpreter.diagnostics import Problems
from interpreter.ir import ABSENT
from interpreter.model import Family, Ruleset
from interpreter.run.lookahead import maximise
from interpreter.run.machine import Machine, rounds_of
from interpreter.run.verbs import DOWN, KEEP, UP, verbs

_FACES = {"down": DOWN, "owner": DOWN, "up": UP, "top seen": UP, "top up": KEEP}


def compile_game(ruleset: Ruleset, trace: bool = False) -> Machine:
    """The machine of a ruleset. `trace`: count how often each rule is used. Raises Refused for what only unfolding shows."""
    problems = Problems()
    constants = _constants(ruleset)
    program = Program(ruleset.attributes.by_name, constants)
    flow = FlowCompiler(ruleset, program, problems, trace)
    entry = flow.compile()
    problems.stop_on_errors()
    machine = _machine(ruleset, flow, entry, constants)
    space = program.namespace
    space.update(verbs(machine), HITS=machine.hits, unique=unique, same_lists=same_lists, in_list=in_list)
    space["maximise"] = lambda s, acts, label, weigh, most, me: maximise(machine, s, acts, label, weigh, most, me)
    assemble(program.functions, space)
    for name in dict.fromkeys(space.get("__columns__", ())):
        space[name] = [space[f] for f in space[name]]
    machine.blocks[:] = [space.get(f"b{i}") for i in range(flow.blocks)]
    machine.apply.update({label: space[f"a{label}"] for label in flow.points})
    machine.space = space
    machine.source = source(program.functions)
    return machine


def constants_of(ruleset: Ruleset) -> dict[str, Any]:
    return _constants(ruleset)


def _constants(ruleset: Ruleset) -> dict[str, Any]:
    """INDEX, NEXT, ROUND, OTHERS, PAIR, MEMBERS, SEATS, ROOM, TOP_UP, NONE, FAULT: what words and blocks look things up in."""
    seats = len(ruleset.seats)
    members = list(combinations(range(seats), 2))
    pair = tuple(tuple(members.index((min(p, q), max(p, q))) if p != q else ABSENT for q in range(seats)) for p in range(seats))
    families = list(ruleset.piles.values())
    index = [_number_in(f, i) for f in families for i in range(f.members * f.columns)]
    rounds = rounds_of(seats)
    return {
        "SEATS": seats, "NEXT": (*(r[1 % seats] for r in rounds), ABSENT), "ROUND": rounds, "OTHERS": tuple(r[1:] for r in rounds),
        "PAIR": pair, "MEMBERS": (*members, (ABSENT, ABSENT)), "INDEX": (*index, ABSENT), "NONE": (ABSENT,),
        "ROOM": tuple(f.room for f in families for _ in range(f.members * f.columns)),
        "TOP_UP": (*(f.face == "top up" for f in families for _ in range(f.members * f.columns)), False),
        "FAULT": sum(f.size for f in ruleset.state.values()),
    }  # fmt: skip


def _number_in(family: Family, i: int) -> int:
    return i % family.columns + 1 if family.has_columns else i // family.columns + 1


def _machine(ruleset: Ruleset, flow: FlowCompiler, entry: int, constants: dict[str, Any]) -> Machine:
    families = [f for f in ruleset.piles.values() for _ in range(f.members * f.columns)]
    kinds = list(ruleset.pieces.values())
    cells: list[Any] = [f.starts for f in ruleset.state.values() for _ in range(f.size)]
    return Machine(
        ruleset=ruleset, entry=entry, blocks=[], apply={}, points=flow.points, places=flow.places, labels=flow.labels,
        faults=flow.faults, counters=flow.counters, hits=[0] * len(flow.counters), state_size=flow.state_size,
        first_cells=[*cells, *flow.registers], fault_register=flow.fault_register,
        face=tuple(_FACES[f.face] for f in families), top_up=tuple(f.face == "top up" for f in families),
        room=tuple(f.room for f in families), limited=tuple(f.limited for f in families),
        homes=tuple(home for k in kinds for home in k.starts), copies=tuple(k.copies for k in kinds for _ in k.classes),
        pile_names=tuple((f.name, i // f.columns, i % f.columns) for f in ruleset.piles.values() for i in range(f.members * f.columns)),
        rounds=rounds_of(len(ruleset.seats)), constants=constants, source="",
    )  # fmt: skip
