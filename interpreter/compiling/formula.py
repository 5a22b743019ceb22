"""A formula given by hand → functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.compiling.code import Writer
from interpreter.compiling.emitter import Emitter
from interpreter.compiling.expressions import program as new_program
from interpreter.compiling.game import Lowered
from interpreter.language.ir import Expr, Var
from interpreter.running.machine import Machine

FORMULA = "formula"
"""The function of piles and cells that gives the value."""


def compile_formula(expr: Expr, me: Var, machine: Machine) -> tuple[Callable[..., Any], Lowered]:
    """A formula of nobody (`me` stands for whoever acts) as a function of piles and cells; and for a back end that reads functions."""
    program = new_program(machine.ruleset.attributes.by_name, machine.constants)
    writer = Writer()
    emitter = Emitter(program, writer, {me: "-1"}, expr.span.source.name)
    with emitter.together():
        program.prepare(emitter, expr)
        writer.put(f"return {emitter(expr)}")
    program.function(FORMULA, "P, C", expr.span, writer)
    program.close()
    found = Lowered(program.functions, program.columns(), machine, dict(program.namespace))
    program.assemble()
    return program.namespace[FORMULA], found
