"""A formula given by hand → functions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hoyle.compiling.code import Writer
from hoyle.compiling.emitter import Emitter, Program
from hoyle.compiling.expressions import program as new_program
from hoyle.compiling.game import Lowered
from hoyle.language.ir import Expr, Var
from hoyle.running.machine import Machine

FORMULA = "formula"
"""The function of piles and cells that gives the value."""


def function_of(expr: Expr, variables: Sequence[Var], machine: Machine) -> Callable[..., Any]:
    """A formula as a function of piles, cells and what these variables are."""
    program = new_program(machine.ruleset.attributes.by_name, machine.constants)
    writer = Writer()
    names = [f"a{n}" for n in range(len(variables))]
    _write(program, Emitter(program, writer, dict(zip(variables, names, strict=True)), expr.span.source.name), expr)
    program.function(FORMULA, ", ".join(("P", "C", *names)), expr.span, writer)
    program.assemble()
    found: Callable[..., Any] = program.namespace[FORMULA]
    return found


def _write(program: Program, emitter: Emitter, expr: Expr) -> None:
    with emitter.together():
        program.prepare(emitter, expr)
        emitter.writer.put(f"return {emitter(expr)}")


def compile_formula(expr: Expr, me: Var, machine: Machine) -> tuple[Callable[..., Any], Lowered]:
    """A formula of nobody (`me` stands for whoever acts) as a function of piles and cells; and for a back end that reads functions."""
    program = new_program(machine.ruleset.attributes.by_name, machine.constants)
    writer = Writer()
    _write(program, Emitter(program, writer, {me: "-1"}, expr.span.source.name), expr)
    program.function(FORMULA, "P, C", expr.span, writer)
    program.close()
    found = Lowered(program.functions, program.columns(), machine, dict(program.namespace))
    program.assemble()
    return program.namespace[FORMULA], found
