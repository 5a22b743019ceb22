"""The compiled formula gives what the evaluator says: the second is plain and slow, and fixes what a formula means."""

from __future__ import annotations

import random
from typing import Any

from formulas import LISTED, SORTS, Maker, Position, constants, plain, position, world
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from interpreter.checking.formulas import FormulaChecker
from interpreter.checking.world import Scope
from interpreter.compiling.code import Writer, source
from interpreter.compiling.emitter import Emitter
from interpreter.compiling.expressions import program as new_program
from interpreter.diagnostics import Problems, Source, Span
from interpreter.language.evaluate import Setting, evaluate
from interpreter.language.ir import Expr, Var
from interpreter.language.kinds import PLAYER, Kind
from interpreter.reading import parse
from interpreter.reading.tree import Node

ME = Var("me", PLAYER)
CARD = Var("c", Kind("piece", of="card"))
OTHER = Var("p", PLAYER)


def checked(text: str) -> tuple[Expr, Problems]:
    """The formula with its names found, where `me`, a player `p` and a card `c` are bound."""
    here = world()
    here.problems = Problems()
    node = Node("scalar", Span(Source("formula", text), 0, len(text)), text, text)
    scope = Scope(me=ME).bind(CARD, OTHER)
    return FormulaChecker(here).check(parse.formula(node), scope), here.problems


def compiled(expr: Expr, inlined: bool) -> tuple[Any, str]:
    """The formula as a function of piles, cells and the bound values, and its text. Terms of its own file may be inlined."""
    file = "everything.yaml" if inlined else expr.span.source.name
    program, writer = new_program(world().attributes.by_name, constants()), Writer()
    emit = Emitter(program, writer, {ME: "me", CARD: "c", OTHER: "p"}, file)
    writer.put(f"return {emit(expr)}")
    program.function("formula", "P, C, me, c, p", expr.span, writer)
    program.assemble()
    return program.namespace["formula"], source(program.functions)


def setting(at: Position) -> Setting:
    known = {k: constants()[k] for k in ("INDEX", "NEXT", "ROUND", "PAIR", "MEMBERS", "SEATS")}
    return Setting(world().attributes.by_name, at.piles, at.cells, at.cells[-1], **known)


def agree(text: str, chance: random.Random, states: int = 6) -> None:
    expr, problems = checked(text)
    assume(not problems.errors)
    function, python = compiled(expr, inlined=chance.random() < 0.5)
    for _ in range(states):
        at, me, p = position(chance), chance.randrange(3), chance.randrange(3)
        card = 2 * chance.randrange(12) + chance.randint(0, 1)
        expected = plain(evaluate(expr, setting(at), {ME: me, CARD: card, OTHER: p}), expr.kind)
        found = plain(function(at.piles, at.cells, me, card, p), expr.kind)
        assert found == expected, f"{text}\n{python}\npiles {at.piles}\ncells {at.cells}\nme {me} c {card} p {p}"


def maker(draw: Any) -> Maker:
    return Maker(lambda n: int(draw(st.integers(0, n - 1))), [("c", "card"), ("p", "player")])


@st.composite
def formulas(draw: Any) -> str:
    found, sort = maker(draw), draw(st.sampled_from(SORTS))
    return found.some(sort, draw(st.integers(1, 4)))


@st.composite
def lists(draw: Any) -> str:
    return maker(draw).list(draw(st.sampled_from(LISTED)), draw(st.integers(1, 3)))


RELAXED = settings(
    deadline=None, max_examples=400, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)


@RELAXED
@given(formulas(), st.integers(0, 2**32))
def test_a_formula_means_the_same_when_compiled(text: str, seed: int) -> None:
    agree(text, random.Random(seed))


@RELAXED
@given(lists(), st.integers(0, 2**32))
def test_a_list_means_the_same_when_compiled(text: str, seed: int) -> None:
    agree(text, random.Random(seed))
