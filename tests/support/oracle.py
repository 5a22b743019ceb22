"""One formula read, checked, compiled and evaluated: both meanings must be the same value, and every part of the type that was found."""

import random
from typing import Any

from bounds import Held
from everything import Position, constants, position, world

from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.formulas.symbols import Scope
from hoyle.compiling.code import Name, Return
from hoyle.compiling.emitter import Emitter
from hoyle.compiling.expressions import program as new_program
from hoyle.compiling.writer import Writer
from hoyle.diagnostics import Problems, Source, Span
from hoyle.language.evaluate import Setting, evaluate, explain
from hoyle.language.ir import Expr, Var
from hoyle.language.value_types import PLAYER, Piece, ValueType
from hoyle.passes.fold import Fold
from hoyle.passes.subformulas import Analysis
from hoyle.reading import parse
from hoyle.reading.tree import Node

ME = Var("me", PLAYER)
CARD = Var("c", Piece(of="card"))
OTHER = Var("p", PLAYER)


def checked(text: str) -> tuple[Expr, Problems]:
    """The formula with its names found, where `me`, a player `p` and a card `c` are bound."""
    here = world()
    here.problems, here.instances = Problems(), {}
    node = Node("scalar", Span(Source("formula", text), 0, len(text)), text, text)
    scope = Scope(me=ME).bind(CARD, OTHER)
    return FormulaChecker(here).check(parse.formula(node), scope), here.problems


def compiled(expr: Expr, inlined: bool) -> tuple[Any, str]:
    """The formula as a function of piles, cells and the bound values, and its text. Terms of its own file may be inlined."""
    file = "everything.yaml" if inlined else expr.span.source.name
    program, writer = new_program(world().attributes.by_name, constants()), Writer()
    emit = Emitter(program, writer, {ME: Name("me"), CARD: Name("c"), OTHER: Name("p")}, file)
    with emit.together():
        program.prepare(emit, expr)
        writer.put(Return(emit(expr)))
    program.function("formula", ("P", "C", "me", "c", "p"), expr.span, writer)
    text = program.define()
    return program.namespace["formula"], text


def setting(at: Position) -> Setting:
    known = {k: constants()[k] for k in ("INDEX", "NEXT", "ROUND", "PAIR", "MEMBERS", "SIDES", "SEATS")}
    return Setting(world().attributes.by_name, at.piles, at.cells, at.cells[-1], **known)


def agree(expr: Expr, chance: random.Random, states: int = 6) -> None:
    """In some random states the compiled formula gives what the evaluator says, and each part is worth what its type allows."""
    function, python = compiled(expr, inlined=chance.random() < 0.5)
    for _ in range(states):
        at, me, p = position(chance), chance.randrange(3), chance.randrange(3)
        card = 2 * chance.randrange(12) + chance.randint(0, 1)
        names = {ME: me, CARD: card, OTHER: p}
        meant = explain(expr, setting(at), names)
        found = plain(function(at.piles, at.cells, me, card, p), expr.type)
        where = f"{expr.span.text}\n{python}\npiles {at.piles}\ncells {at.cells}\nme {me} c {card} p {p}"
        assert found == plain(meant.value, expr.type), where
        wrong = Held(world(), setting(at), me).misfit(meant)
        folded = plain(evaluate(Fold(world().attributes.by_name, Analysis())(expr), setting(at), names), expr.type)
        assert folded == found, f"{folded} and not {found} once it is folded\n{where}"
        assert wrong is None, f"`{wrong.expr.span.text}` is {wrong.value}, and not {wrong.expr.type}\n{where}"


def plain(value: Any, value_type: ValueType) -> Any:
    """A value in one form: lists of whatever type are lists."""
    if value_type.name == "list":
        return [plain(item, value_type.item_type) for item in value]
    return bool(value) if value_type.name == "bool" else value
