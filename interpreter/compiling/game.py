"""A checked ruleset → a `Machine`."""

from __future__ import annotations

from functools import partial
from itertools import combinations
from typing import Any

from msgspec import Struct

from interpreter.compiling.blocks import Blocks
from interpreter.compiling.code import Function, link, resolve, source
from interpreter.compiling.expressions import program as new_program
from interpreter.compiling.flow import FlowCompiler
from interpreter.compiling.moves import unique
from interpreter.compiling.order import heaps
from interpreter.language.ir import ABSENT, NO_NUMBER
from interpreter.language.model import Face, Family, Ruleset
from interpreter.running.lookahead import less, maximise
from interpreter.running.machine import Machine, rounds_of
from interpreter.running.places import Place
from interpreter.running.state import Core
from interpreter.running.verbs import DOWN, KEEP, UP, verbs

_FACES: dict[Face, int] = {"down": DOWN, "owner": DOWN, "up": UP, "top seen": UP, "top up": KEEP}


class Lowered(Struct, frozen=True):
    """A ruleset in the small part of Python that is generated: functions of piles, cells and whole numbers.

    functions   each with the lines of the ruleset that its own come from; a block ends with the number of the next
    columns     names that stand for a function for each row of a table
    machine     what is known beside them: where it begins, what cells hold, piles
    namespace   the constants that functions name"""

    functions: list[Function]
    columns: dict[str, tuple[str, ...]]
    machine: Machine
    namespace: dict[str, Any]


def compile_game(ruleset: Ruleset, trace: bool = False) -> Machine:
    """The machine of a ruleset. `trace`: count how often each rule is used. What could be wrong has been told by checking."""
    constants = constants_of(ruleset)
    program = new_program(ruleset.attributes.by_name, constants)
    blocks = Blocks(ruleset, program, trace)
    entry = FlowCompiler(blocks).compile()
    machine = _machine(blocks, entry, constants)
    space = program.namespace
    called = {
        **verbs(machine),
        "maximise": partial(maximise, machine),
        "less": less,
        "unique": unique,
        "HITS": machine.hits,
    }
    assert space.keys().isdisjoint(called), "one name for two things that blocks call"
    space.update(called)
    link(program.functions)
    program.assemble()
    machine.blocks[:] = [space.get(f"b{i}", _no_block) for i in range(blocks.count)]
    machine.apply.update({label: space[f"a{label}"] for label in blocks.points})
    machine.space = space
    machine.heaps = heaps(ruleset)
    machine.source = source(program.functions)
    return machine


def lowered(ruleset: Ruleset, trace: bool = False) -> Lowered:
    """The functions of a ruleset and of its result, each block once, for a back end that reads them. `trace`: as above."""
    constants = constants_of(ruleset)
    program = new_program(ruleset.attributes.by_name, constants)
    blocks = Blocks(ruleset, program, trace)
    entry = FlowCompiler(blocks).compile()
    write_result(blocks)
    resolve(program.functions)
    program.close()
    return Lowered(program.functions, program.columns(), _machine(blocks, entry, constants), program.namespace)


def write_result(blocks: Blocks) -> None:
    """Functions of the end of a game: what a side has as its score, as each of what wins, and whether it can win."""
    result = blocks.ruleset.result
    named = {"score": result.score, **{f"best_{n}": best for n, best in enumerate(result.best)}}
    if result.won is not None:
        named["won"] = result.won
    for name, formula in named.items():
        with blocks.function(f"result_{name}", "P, C, me", formula.span):
            blocks.emit.names[result.p] = "me"
            blocks.put(f"return {blocks.emit(formula)}")


def outline_of(ruleset: Ruleset) -> Machine:
    """A machine that cannot play: what names of pieces, piles, state and places are looked up in."""
    constants = constants_of(ruleset)
    machine = _machine(Blocks(ruleset, new_program(ruleset.attributes.by_name, constants), False), 0, constants)
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


def _no_block(s: Core) -> int:
    """Labels that only actions begin at (functions `a…`) have no block."""
    raise AssertionError("a jump to where no block begins")


def _number_in(family: Family, i: int) -> int:
    return family.numbers[0] + (i % family.columns if family.has_columns else i // family.columns)


def _machine(blocks: Blocks, entry: int, constants: dict[str, Any]) -> Machine:
    ruleset = blocks.ruleset
    families = [f for f in ruleset.piles.values() for _ in range(f.members * f.columns)]
    kinds = list(ruleset.pieces.values())
    cells: list[Any] = [f.starts for f in ruleset.state.values() for _ in range(f.size)]
    return Machine(
        ruleset=ruleset,
        entry=entry,
        blocks=[],
        apply={},
        points=blocks.points,
        places=blocks.places,
        paths=blocks.paths,
        labels=blocks.labels,
        faults=blocks.faults,
        counters=blocks.counters,
        hits=[0] * len(blocks.counters),
        state_size=blocks.state_size,
        first_cells=[*cells, *blocks.registers],
        register_kinds=tuple(blocks.register_kinds),
        fault_register=blocks.fault_register,
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
