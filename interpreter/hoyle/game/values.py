"""Formulas given by hand: checked against the names of a game, and evaluated in a state."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NoReturn

from msgspec import Struct

from hoyle.checking.cost import Cost, check_cost
from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.formulas.symbols import Scope, SymbolTable
from hoyle.diagnostics import Problems, Refused, Source, Span, localize
from hoyle.game.compiled import Compiled
from hoyle.game.views.redaction import UNKNOWN, HiddenPiece, redact_position
from hoyle.language.evaluate import Part, explain
from hoyle.language.ir import Const, Contents, Expr, Rows, Var
from hoyle.language.model import Texts, text_in, texts_of
from hoyle.language.sentences import make_sentence
from hoyle.language.value_types import PLAYER, ValueType, describe_type
from hoyle.reading import parse
from hoyle.reading.tree import Node
from hoyle.running.state import Core


class Value(Struct, frozen=True):
    """Value of a formula: `plain` data, its type in words, its text, and (depth, formula, value) of each part.

    known   False if the seat that asked cannot tell the value; then `plain` is None and there are no parts"""

    plain: Any
    kind: str
    words: Texts
    parts: tuple[tuple[int, str, str], ...]
    known: bool = True

    def text(self, lang: str = "en") -> str:
        return text_in(self.words, lang)


class UnknownValueError(Exception):
    """Raised when a formula asks something of a piece or value that a seat does not know."""


class _Hidden:
    """Stands for a hidden piece or value. It can be counted and passed on; anything else raises UnknownValueError."""

    def _refuse(self, *_: object) -> NoReturn:
        raise UnknownValueError

    __bool__ = __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __hash__ = __index__ = __int__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = (
        _refuse
    )
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = __rshift__ = __rrshift__ = __lshift__ = __rlshift__ = (
        _refuse
    )
    __neg__ = __abs__ = __iter__ = __len__ = __getitem__ = __contains__ = __str__ = __repr__ = __format__ = _refuse


def hide_unknown(game: Compiled, core: Core, player: int) -> Core:
    """Return the state with everything that a seat does not know replaced by objects that refuse questions."""
    seen = redact_position(game, core, player)
    known = Core(core.chance.copy())
    known.piles, known.cells = [[*_hide(pile)] for pile in seen.now.piles], [*_hide(seen.now.cells)]
    known.pc, known.actor, known.over, known.acts = core.pc, core.actor, core.over, core.acts
    return known


def _hide(found: Any) -> Any:
    if isinstance(found, HiddenPiece) or found is UNKNOWN:
        return _Hidden()
    return type(found)(map(_hide, found)) if isinstance(found, list | tuple) else found


class FormulaReader:
    """Checks formulas against the names of one game. Instances of terms are kept for the next formula."""

    def __init__(self, game: Compiled) -> None:
        r = game.ruleset
        self.world = SymbolTable(Problems(), r.seats, r.sides, r.options, r.tables, r.pieces, r.piles, r.state)
        self.world.attributes, self.world.terms, self.world.instances = r.attributes, r.terms, dict(r.instances)
        self.world.away, self.world.may_play = r.away, r.may_play
        self.world.moves = {name: m.number for name, m in r.moves.items()}
        self.world.obligations = {name: o.number for name, o in r.obligations.items()}
        self.cost = Cost(self.world)

    def read(self, formula: str, acting: bool, expected: ValueType | None = None) -> tuple[Expr, Var]:
        """Return a formula, and the variable for the player that acts in it. Raises Refused."""
        form = parse.formula(Node("scalar", Span(Source("<formula>", formula), 0, len(formula)), formula, formula))
        known, me = dict(self.world.instances), Var("me", PLAYER)
        problems = self.world.problems = Problems()
        try:
            found = FormulaChecker(self.world).check(form, Scope(me=me if acting else None), expected)
            problems.stop_on_errors()
            check_cost(found, self.world, self.cost)
            problems.stop_on_errors()
        except Refused:  # report an unsuitable term again wherever it is called
            self.world.instances = known
            raise
        return found, me


def check_formula(game: Compiled, formula: str, acting: bool, expected: ValueType | None = None) -> tuple[Expr, Var]:
    """Check one formula. Raises Refused."""
    return FormulaReader(game).read(formula, acting, expected)


def evaluate_formula(game: Compiled, core: Core, formula: str, seat: str | None) -> Value:
    """Return the value of a formula for `seat` as `me` (default: the seat to act). Raises Refused.

    With a seat, pieces and secret state that it does not know are hidden."""
    player = game.seats.index(seat) if seat is not None else core.actor
    expr, me = check_formula(game, formula, player >= 0)
    if seat is not None:
        core = hide_unknown(game, core, player)
    try:
        part = explain(expr, game.setting(core), {me: player})
        found = to_plain_value(game, part.value, expr.type)
    except UnknownValueError:
        words = texts_of(lambda lang: localize(make_sentence("not_known"), lang), game.ruleset.languages)
        return Value(None, describe_type(expr.type), words, (), known=False)
    words = texts_of(lambda lang: game.namer.value(part.value, expr.type, lang), game.ruleset.languages)
    return Value(found, describe_type(expr.type), words, tuple(list_parts(game, part)))


def to_plain_value(game: Compiled, found: Any, value_type: ValueType) -> Any:
    """Return numbers and truth values as they are, lists as lists, anything else as positions write it."""
    if value_type.name == "list":
        return [to_plain_value(game, v, value_type.item_type) for v in found]
    if value_type.name == "bool":
        return bool(found)
    text = game.namer.value(found, value_type)
    if text == "none":
        return None
    if value_type.name == "number":
        return int(found)
    return game.namer.key_name(value_type, found) if value_type.name in ("row", "player", "choice") else text


def list_parts(game: Compiled, part: Part, depth: int = 0) -> Iterator[tuple[int, str, str]]:
    """Yield a formula and its parts, except constants and unknown values, each once."""
    with suppress(UnknownValueError):
        yield depth, " ".join(part.expr.span.text.split()), game.namer.localize_value(part.value, part.expr.type)
    seen = {part.expr.span.text}
    for inner in part.parts:
        if not isinstance(inner.expr, Const | Contents | Rows) and inner.expr.span.text not in seen and depth < 6:
            seen.add(inner.expr.span.text)
            yield from list_parts(game, inner, depth + 1)
