"""Formulas given by hand: checked against the names of a game, evaluated in a state, or compiled to be called again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from interpreter.checking.cost import Cost, check_cost
from interpreter.checking.formulas import FormulaChecker
from interpreter.checking.world import Scope, World
from interpreter.compiling.code import Writer
from interpreter.compiling.emitter import Emitter
from interpreter.compiling.expressions import program as new_program
from interpreter.diagnostics import Problems, Refused, Source, Span
from interpreter.game.compiled import Compiled
from interpreter.game.spelling import pieces_of, pile_number
from interpreter.language.evaluate import Part, explain
from interpreter.language.ir import Const, Contents, Expr, Rows, Var
from interpreter.language.kinds import PLAYER, Kind, describe
from interpreter.language.model import Texts, text_in, texts_of
from interpreter.reading import parse
from interpreter.reading.tree import Node
from interpreter.running.chance import Chance
from interpreter.running.state import Core


class Value(Struct, frozen=True):
    """A formula's value: `plain` data, its `kind` in words, its text, and (depth, formula, value) of each part."""

    plain: Any
    kind: str
    words: Texts
    parts: tuple[tuple[int, str, str], ...]

    def text(self, lang: str = "en") -> str:
        return text_in(self.words, lang)


class Reader:
    """Checks formulas given by hand against the names of one game. What it learns of terms serves the next formula."""

    def __init__(self, game: Compiled) -> None:
        r = game.ruleset
        self.world = World(Problems(), r.seats, r.sides, r.options, r.tables, r.pieces, r.piles, r.state)
        self.world.attributes, self.world.terms, self.world.instances = r.attributes, r.terms, dict(r.instances)
        self.world.away, self.world.may_play = r.away, r.may_play
        self.world.moves = {name: m.number for name, m in r.moves.items()}
        self.world.obligations = {name: o.number for name, o in r.obligations.items()}
        self.cost = Cost(self.world)

    def read(self, formula: str, acting: bool, expected: Kind | None = None) -> tuple[Expr, Var]:
        """A formula, and the variable that stands for whoever acts in it. Raises Refused."""
        form = parse.formula(Node("scalar", Span(Source("<formula>", formula), 0, len(formula)), formula, formula))
        known, me = dict(self.world.instances), Var("me", PLAYER)
        problems = self.world.problems = Problems()
        try:
            found = FormulaChecker(self.world).check(form, Scope(me=me if acting else None), expected)
            problems.stop_on_errors()
            check_cost(found, self.world, self.cost)
            problems.stop_on_errors()
        except Refused:  # a term that does not suit is told again wherever it is called so
            self.world.instances = known
            raise
        return found, me


def checked(game: Compiled, formula: str, acting: bool, expected: Kind | None = None) -> tuple[Expr, Var]:
    """One formula given by hand. Raises Refused."""
    return Reader(game).read(formula, acting, expected)


def value(game: Compiled, core: Core, formula: str, seat: str | None) -> Value:
    """The value of a formula in a state, for `seat` as `me` (default: whoever acts). Raises Refused."""
    player = game.seats.index(seat) if seat is not None else core.actor
    expr, me = checked(game, formula, player >= 0)
    part = explain(expr, game.setting(core), {me: player})
    words = texts_of(lambda lang: game.namer.value(part.value, expr.kind, lang), game.ruleset.languages)
    return Value(_plain(game, part.value, expr.kind), describe(expr.kind), words, tuple(parts_of(game, part)))


def _plain(game: Compiled, found: Any, kind: Kind) -> Any:
    """Numbers and truth values as they are, lists as lists, everything else as positions write it."""
    if kind.name == "list":
        return [_plain(game, v, kind.of_item) for v in found]
    if kind.name == "bool":
        return bool(found)
    text = game.namer.value(found, kind)
    if text == "none":
        return None
    if kind.name == "number":
        return int(found)
    return game.namer.key_name(kind, found) if kind.name in ("row", "player", "choice") else text


def parts_of(game: Compiled, part: Part, depth: int = 0) -> Iterator[tuple[int, str, str]]:
    """The formula and its parts, except constants, each once."""
    yield depth, " ".join(part.expr.span.text.split()), game.namer.value(part.value, part.expr.kind)
    seen = {part.expr.span.text}
    for inner in part.parts:
        if not isinstance(inner.expr, Const | Contents | Rows) and inner.expr.span.text not in seen and depth < 6:
            seen.add(inner.expr.span.text)
            yield from parts_of(game, inner, depth + 1)


def evaluator(game: Compiled, formula: str, piles: Sequence[str]) -> Callable[..., Any]:
    """See `Game.evaluator`."""
    expr, me = checked(game, formula, False)
    program = new_program(game.ruleset.attributes.by_name, game.machine.constants)
    writer = Writer()
    emitter = Emitter(program, writer, {me: "-1"}, expr.span.source.name)
    writer.put(f"return {emitter(expr)}")
    program.function("formula", "P, C", expr.span, writer)
    program.assemble()
    run = program.namespace["formula"]
    core = game.machine.fresh(Chance.stream(0))
    places = [pile_number(game, name) for name in piles]
    for pile in core.piles:
        pile.clear()

    def call(*contents: Sequence[Any]) -> Any:
        for place, pieces in zip(places, contents, strict=True):
            core.piles[place] = pieces_of(game, pieces) if pieces and isinstance(pieces[0], str) else list(pieces)
        return run(core.piles, core.cells)

    return call
