"""Compiles a checked ruleset to a `Machine`, or lowers it for another back end; also compiles single formulas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from hoyle.compiling.blocks import Blocks
from hoyle.compiling.code import ME, Function, Name, Return, Tuple, Value, number
from hoyle.compiling.code_passes import copy_for_shared_piles, facts_of, link, resolve, use_idioms
from hoyle.compiling.emitter import Emitter, Program
from hoyle.compiling.expressions import program as new_program
from hoyle.compiling.flow import FlowCompiler
from hoyle.compiling.moves import unique
from hoyle.compiling.outline import constants_of, machine_of, unordered_piles
from hoyle.compiling.writer import Writer
from hoyle.language.ir import Expr, Var
from hoyle.language.model import Move, Ruleset
from hoyle.running.hit_counts import Watch
from hoyle.running.lookahead import less, maximise
from hoyle.running.machine import Machine, lets_function_name, lets_in_texts
from hoyle.running.state import Choices, Core
from hoyle.running.verbs import verbs


def write_told_lets(blocks: Blocks) -> None:
    """Write a function for each move whose words show `let` values. It is called for each logged move."""
    for move in blocks.ruleset.moves.values():
        if lets_in_texts(move):
            _write_lets(blocks, move)


def _write_lets(blocks: Blocks, move: Move) -> None:
    lets = [(var, var.value) for var in lets_in_texts(move) if var.value is not None]
    own = [f"a{n}" for n in range(len(move.bindings))]
    names: dict[Var, Value] = {move.me: ME, **dict(zip(move.bindings, map(Name, own), strict=True))}
    with blocks.function(lets_function_name(move.number), ("P", "C", "me", *own), lets[0][1].span):
        blocks.emit.names.update(names)
        with blocks.emit.together():
            values = [blocks.emit.write_named(value, var.name) for var, value in lets]
            blocks.put(Return(Tuple(tuple(values))))


class Lowered(Struct, frozen=True):
    """A ruleset as generated functions, for a back end.

    `functions` have line numbers of the ruleset; a block ends with the number of the next. `columns` has the function
    names of the rows of each column. `machine` holds the entry, cells and piles. `namespace` holds the constants that
    functions use.
    """

    functions: list[Function]
    columns: dict[str, tuple[str, ...]]
    machine: Machine
    namespace: dict[str, Any]


def compile_game(ruleset: Ruleset, trace: bool = False, watch: Watch | None = None) -> Machine:
    """Compile a checked ruleset.

    `trace` counts how often each rule is used. `watch` counts the conditions and steps that are reached.
    """
    constants = constants_of(ruleset)
    program = new_program(ruleset.attributes.by_name, constants)
    program.watch = watch
    blocks = Blocks(ruleset, program, trace, seeks=True)
    entry = FlowCompiler(blocks).compile()
    write_told_lets(blocks)
    machine = _machine_of(blocks, entry, constants)
    space = program.namespace
    called = {
        **verbs(machine),
        "maximise": partial(maximise, machine),
        "less": less,
        "unique": unique,
        "HITS": machine.hits,
        "choices": Choices,
        **({"HELD": watch.held, "CAME": watch.came} if watch is not None else {}),
    }
    assert space.keys().isdisjoint(called), "one name for two things that blocks call"
    space.update(called)
    for function in program.functions:
        use_idioms(function)
    link(program.functions)
    program.functions += _for_trying(program.functions)
    machine.source = program.define()
    machine.facts = partial(facts_of, program.functions, program.columns())
    machine.blocks[:] = [space.get(f"b{i}", _no_block) for i in range(blocks.count)]
    machine.apply.update({label: space[f"a{label}"] for label in blocks.points})
    machine.space, machine.watch = space, watch
    return machine


def _for_trying(functions: list[Function]) -> list[Function]:
    """Return the functions that play actions on shared piles, for decisions with a generator of actions."""
    listed = {f.label for f in functions if f.role == "listing"}
    return [
        found
        for f in functions
        if f.role == "action" and f.label in listed and (found := copy_for_shared_piles(f)) is not None
    ]


def lower_ruleset(ruleset: Ruleset, trace: bool = False) -> Lowered:
    """Lower a ruleset and its result for another back end, each block once. `trace` counts uses of rules."""
    constants = constants_of(ruleset)
    program = new_program(ruleset.attributes.by_name, constants)
    blocks = Blocks(ruleset, program, trace)
    entry = FlowCompiler(blocks).compile()
    write_result(blocks)
    resolve(program.functions)
    return Lowered(program.functions, program.columns(), _machine_of(blocks, entry, constants), program.namespace)


def _machine_of(blocks: Blocks, entry: int, constants: dict[str, Any]) -> Machine:
    """Return the machine without functions, which both back ends read."""
    machine = machine_of(blocks, entry, constants)
    machine.heaps = unordered_piles(blocks.ruleset)
    return machine


def write_result(blocks: Blocks) -> None:
    """Write functions for the end of a game: a side's score, its ranking values, and whether it can win."""
    result = blocks.ruleset.result
    named = {"score": result.score, **{f"best_{n}": best for n, best in enumerate(result.best)}}
    if result.won is not None:
        named["won"] = result.won
    for name, formula in named.items():
        with blocks.function(f"result_{name}", ("P", "C", "me"), formula.span):
            blocks.emit.names[result.p] = ME
            blocks.put(Return(blocks.emit(formula)))


def _no_block(s: Core) -> int:
    """Placeholder for labels that only have an action function (`a…`)."""
    raise AssertionError("a jump to where no block begins")


FORMULA = "formula"
"""Name of the function of piles and cells that returns the value."""


def function_of(expr: Expr, variables: Sequence[Var], machine: Machine) -> Callable[..., Any]:
    """Compile a formula to a Python function of piles, cells and these variables."""
    program = new_program(machine.ruleset.attributes.by_name, machine.constants)
    writer = Writer()
    names = [f"a{n}" for n in range(len(variables))]
    given = dict(zip(variables, map(Name, names), strict=True))
    _write_value(program, Emitter(program, writer, {**given}, expr.span.source.name), expr)
    program.function(FORMULA, ("P", "C", *names), expr.span, writer)
    program.define()
    found: Callable[..., Any] = program.namespace[FORMULA]
    return found


def _write_value(program: Program, emitter: Emitter, expr: Expr) -> None:
    with emitter.together():
        program.prepare(emitter, expr)
        emitter.writer.put(Return(emitter(expr)))


def compile_formula(expr: Expr, me: Var, machine: Machine) -> tuple[Callable[..., Any], Lowered]:
    """Compile a formula without a player to a Python function of piles and cells, and lower it for another back end.

    `me` is the variable for the player.
    """
    program = new_program(machine.ruleset.attributes.by_name, machine.constants)
    writer = Writer()
    _write_value(program, Emitter(program, writer, {me: number(-1)}, expr.span.source.name), expr)
    program.function(FORMULA, ("P", "C"), expr.span, writer)
    found = Lowered(program.functions, program.columns(), machine, dict(program.namespace))
    program.define()
    return program.namespace[FORMULA], found
