"""A formula given by hand → functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hoyle.compiling.code import Name, Return, number
from hoyle.compiling.emitter import Emitter, Program
from hoyle.compiling.expressions import program as new_program
from hoyle.compiling.game import Lowered
from hoyle.compiling.scopes import Writer
from hoyle.language.ir import Expr, Var
from hoyle.running.machine import Machine

FORMULA = "formula"
"""The function of piles and cells that gives the value."""


def function_of(expr: Expr, variables: Sequence[Var], machine: Machine) -> Callable[..., Any]:
    """A formula as a function of piles, cells and what these variables are."""
    program = new_program(machine.ruleset.attributes.by_name, machine.constants)
    writer = Writer()
    names = [f"a{n}" for n in range(len(variables))]
    given = dict(zip(variables, map(Name, names), strict=True))
    _write(program, Emitter(program, writer, {**given}, expr.span.source.name), expr)
    program.function(FORMULA, ("P", "C", *names), expr.span, writer)
    program.define()
    found: Callable[..., Any] = program.namespace[FORMULA]
    return found


def _write(program: Program, emitter: Emitter, expr: Expr) -> None:
    with emitter.together():
        program.prepare(emitter, expr)
        emitter.writer.put(Return(emitter(expr)))


def compile_formula(expr: Expr, me: Var, machine: Machine) -> tuple[Callable[..., Any], Lowered]:
    """A formula of nobody (`me` stands for whoever acts) as a function of piles and cells; and for a back end that reads functions."""
    program = new_program(machine.ruleset.attributes.by_name, machine.constants)
    writer = Writer()
    _write(program, Emitter(program, writer, {me: number(-1)}, expr.span.source.name), expr)
    program.function(FORMULA, ("P", "C"), expr.span, writer)
    found = Lowered(program.functions, program.columns(), machine, dict(program.namespace))
    program.define()
    return program.namespace[FORMULA], found
