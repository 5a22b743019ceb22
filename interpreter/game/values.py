"""Formulas given by hand: checked against the names of a game, and evaluated in a state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from interpreter.checking.cost import Cost, check_cost
from interpreter.checking.formulas import FormulaChecker
from interpreter.checking.world import Scope, World
from interpreter.diagnostics import Problems, Refused, Source, Span
from interpreter.game.compiled import Compiled
from interpreter.language.evaluate import Part, explain
from interpreter.language.ir import Const, Contents, Expr, Rows, Var
from interpreter.language.kinds import PLAYER, Kind, describe
from interpreter.language.model import Texts, text_in, texts_of
from interpreter.reading import parse
from interpreter.reading.tree import Node
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
    return Value(plain(game, part.value, expr.kind), describe(expr.kind), words, tuple(parts_of(game, part)))


def plain(game: Compiled, found: Any, kind: Kind) -> Any:
    """Numbers and truth values as they are, lists as lists, everything else as positions write it."""
    if kind.name == "list":
        return [plain(game, v, kind.of_item) for v in found]
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
    yield depth, " ".join(part.expr.span.text.split()), game.namer.said(part.value, part.expr.kind)
    seen = {part.expr.span.text}
    for inner in part.parts:
        if not isinstance(inner.expr, Const | Contents | Rows) and inner.expr.span.text not in seen and depth < 6:
            seen.add(inner.expr.span.text)
            yield from parts_of(game, inner, depth + 1)
