"""Reads the verbs that are carried out at once, without asking anybody and without steps inside.

Each `_read` function returns the verb, or None after reporting why there is none.
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.formulas.suggestions import suggest_source
from hoyle.checking.formulas.symbols import Scope, SymbolTable, report_unknown
from hoyle.checking.sections.reader import parse_optional
from hoyle.checking.sections.texts import read_telling
from hoyle.language import steps
from hoyle.language.ir import Cell, Const, Expr, Local, WordCall
from hoyle.language.syntax import Form
from hoyle.language.value_types import (
    PLAYER,
    SIDE,
    SOME_NUMBER,
    Pile,
    ValueType,
    describe_type,
    get_families,
    get_item_type,
    make_number_type,
)
from hoyle.language.vocabulary import WORDS
from hoyle.reading.tree import Node


class FieldReader:
    """Reads the formulas beside a verb; None if one is missing or cannot be read, which is reported."""

    def __init__(self, symbols: SymbolTable, checker: FormulaChecker) -> None:
        self.symbols, self.checker = symbols, checker

    def form(self, node: Node, key: str) -> Form | None:
        return parse_optional(self.symbols, node.get(key))

    def any(self, node: Node, key: str, scope: Scope) -> Expr | None:
        """Read a formula of any type."""
        form = self.form(node, key)
        return self.checker.check(form, scope) if form else None

    def need(self, node: Node, key: str, scope: Scope, value_type: ValueType) -> Expr | None:
        form = self.form(node, key)
        return self.checker.check_as(form, scope, value_type, present=True, what=f"`{key}`") if form else None

    def pile(self, node: Node, key: str, scope: Scope) -> Expr | None:
        return self.need(node, key, scope, Pile())

    def condition(self, node: Node, key: str, scope: Scope) -> Expr | None:
        form = self.form(node, key)
        return self.checker.check_condition(form, scope) if form else None

    def target(self, form: Form | None, scope: Scope) -> Cell | None:
        """Read the cell of state that a value is stored in."""
        cell = self.checker.check(form, scope) if form else None
        if form and cell and not isinstance(cell, Cell) and cell.type.name != "unknown":
            self.symbols.report("R412", "fields.only_state", form.span, help="fields.name_state")
        return cell if isinstance(cell, Cell) else None

    def convert(self, target: Cell, value: Expr) -> Expr:
        """Convert a value to the type of the cell it is stored in."""
        cell = self.symbols.state[target.ref.family].type
        return self.checker.convert(
            value, cell.with_optional(False), present=not cell.optional, what=f"`{target.ref.family}`"
        )

    def label(self, node: Node | None, scope: Scope, points: Expr | None = None) -> steps.Label | None:
        """Read what is announced. Texts of a score may name its `points`."""
        if node is not None and node.kind == "map":
            given = {} if points is None else {"points": points}
            return steps.Label(read_telling(self.checker, node, scope, given=given), None)
        form = parse_optional(self.symbols, node)
        if form is None:
            return None
        row = self.checker.check(form, scope)
        if row.type.name not in ("row", "text", "choice", "unknown", "player", "piece"):
            self.symbols.report("R413", "fields.a_label", form.span, found=describe_type(row.type))
            return None
        return steps.Label(None, row)


def _read_shuffle(fields: FieldReader, node: Node, scope: Scope) -> steps.Shuffle | None:
    pile = fields.pile(node, "shuffle", scope)
    return steps.Shuffle(pile) if pile else None


def _read_cut(fields: FieldReader, node: Node, scope: Scope) -> steps.Shuffle | None:
    pile, least = fields.pile(node, "cut", scope), fields.need(node, "leaving", scope, SOME_NUMBER)
    return steps.Shuffle(pile, least) if pile and least else None


def _read_roll(fields: FieldReader, node: Node, scope: Scope) -> steps.Roll | None:
    count = fields.need(node, "roll", scope, SOME_NUMBER)
    cup, to = fields.pile(node, "from", scope), fields.pile(node, "to", scope)
    if cup and to:
        fields.checker.check_holds(cup.type, to.type, to.span)
    return steps.Roll(count, cup, to) if count and cup and to else None


def _read_lots(fields: FieldReader, node: Node, scope: Scope) -> steps.Lots | None:
    form = fields.form(node, "lots")
    items = fields.checker.check_list(form, scope) if form else None
    into = fields.target(fields.form(node, "into"), scope)
    if items is None or into is None:
        return None
    fields.convert(into, replace(items, type=get_item_type(items.type)))
    return steps.Lots(items, into)


def _read_gather(fields: FieldReader, node: Node, scope: Scope) -> steps.Gather | None:
    named = node["gather"]
    if named.raw in fields.symbols.pieces:
        return steps.Gather(named.raw)
    report_unknown(fields.symbols, "R301", "kind_of_piece", named.raw, list(fields.symbols.pieces), named.span)
    return None


def _read_deal(fields: FieldReader, node: Node, scope: Scope) -> steps.Deal | None:
    pile = fields.pile(node, "deal", scope)
    count = fields.need(node, "count", scope, SOME_NUMBER)
    first = fields.need(node, "from", scope, PLAYER)
    to = node["to"]
    family = fields.symbols.piles.get(to.raw)
    if family is None:
        report_unknown(fields.symbols, "R301", "pile", to.raw, list(fields.symbols.piles), to.span)
        return None
    if family.each is None or family.each.name != "player":
        fields.symbols.report("R417", "verbs.not_each", to.span, name=to.raw)
        return None
    if pile:
        fields.checker.check_holds(pile.type, Pile(family.holds), to.span)
    return steps.Deal(pile, count, first, to.raw) if pile and count and first else None


def _read_move(fields: FieldReader, node: Node, scope: Scope) -> steps.MovePile | steps.MovePieces | None:
    what, source = fields.any(node, "move", scope), fields.any(node, "from", scope)
    source = _find_source(fields, what, source) if what is not None else source
    to, count = fields.pile(node, "to", scope), fields.need(node, "count", scope, SOME_NUMBER)
    if what is None or to is None:
        return None
    fields.checker.check_holds(what.type, to.type, to.span)
    if what.type.name == "pile":
        return steps.MovePile(what, to, count, node.raw_of("as") == "packet")
    return steps.MovePieces(what, source, to, count) if source else None


def _find_source(fields: FieldReader, what: Expr, source: Expr | None) -> Expr | None:
    """Find the piles that pieces are moved out of: given by `from`, or inside `top(pile)`, `bottom(pile)` and `cards(piles)`."""
    value_type = what.type
    if value_type.name == "pile" and source is not None:
        fields.symbols.report("R108", "verbs.from_pile", source.span, help="verbs.remove_from")
    if source is None and isinstance(what, WordCall) and WORDS[what.word].pieces:
        source = what.args[0]
    if value_type.name == "piece" or (value_type.name == "list" and value_type.item_type.name == "piece"):
        if source is None:
            help, fixes = suggest_source(what)
            fields.symbols.report("R414", "verbs.which_pile", what.span, help=help, fixes=fixes)
    elif value_type.name not in ("pile", "unknown"):
        fields.symbols.report("R401", "verbs.pile_or_pieces", what.span, found=describe_type(value_type))
    return source


def _read_turn(fields: FieldReader, node: Node, scope: Scope) -> steps.Turn | None:
    pile, count = fields.any(node, "turn", scope), fields.need(node, "count", scope, SOME_NUMBER)
    if pile is None:
        return None
    if isinstance(pile, WordCall) and WORDS[pile.word].pieces == "top":
        pile, count = pile.args[0], Const(make_number_type(1, 1), pile.span, 1)
    if pile.type.name not in ("pile", "unknown"):
        fields.symbols.report("R401", "verbs.pile_or_top", pile.span, found=describe_type(pile.type))
    return steps.Turn(pile, count, node["face"].raw == "up")


def _read_set(fields: FieldReader, node: Node, scope: Scope) -> steps.Set:
    pairs: list[tuple[Cell, Expr]] = []
    for _, key, value in node["set"].entries():
        place, form = parse_optional(fields.symbols, key), parse_optional(fields.symbols, value)
        with fields.checker.without_assumptions():  # an earlier pair may have changed what was known
            target = fields.target(place, scope)
        if target is not None and form is not None:
            cell = fields.symbols.state[target.ref.family].type
            pairs.append((target, fields.convert(target, fields.checker.check(form, scope, cell))))
    return steps.Set(tuple(pairs))


def _read_score(fields: FieldReader, node: Node, scope: Scope) -> steps.Score | None:
    points = fields.need(node, "score", scope, SOME_NUMBER)
    into = _read_score_state(fields, node)
    if into is None or into in fields.symbols.doubtful:
        to = fields.any(node, "to", scope)
    else:
        to = fields.need(node, "to", scope, SIDE if fields.symbols.state[into].each == SIDE else PLAYER)
    label = fields.label(node.get("as"), scope, points)
    pieces = _read_shown_pieces(fields, node, scope)
    return steps.Score(points, to, into, label, pieces) if points and to and into else None


def _read_score_state(fields: FieldReader, node: Node) -> str | None:
    """Read the state that points are added to: a number, alone or one for each player or side."""
    symbols, named = fields.symbols, node.get("in")
    name, span = (named.raw, named.span) if named else ("score", node.key("score").span)
    if name not in symbols.state:
        report_unknown(symbols, "R301", "state", name, list(symbols.state), span)
        return None
    symbols.used.add(("state", name))
    state = symbols.state[name]
    if state.type.name == "unknown" or name in symbols.doubtful:
        return name
    if state.type.name != "number" or state.type.optional:
        which = "no_number" if state.type.name != "number" else "absent"
        symbols.report("R428", f"verbs.{which}", span, name=name)
    elif state.keys not in ((), (PLAYER,), (SIDE,)):
        symbols.report("R428", "verbs.not_each", span, name=name, help="verbs.use_set")
    return name


def _read_shown_pieces(fields: FieldReader, node: Node, scope: Scope) -> Expr | None:
    """Read the pieces that are announced: one, several, or lists of them. Covered pieces are refused."""
    form = fields.form(node, "of")
    pieces = fields.checker.check(form, scope) if form else None
    if pieces is None or pieces.type.name in ("piece", "unknown"):
        return pieces if pieces is None or pieces.type.name == "piece" else None
    pieces = fields.checker.as_list(pieces)
    item = pieces.type.item_type if pieces.type.name == "list" else pieces.type
    item = item.item_type if item.name == "list" else item
    if item.name not in ("piece", "unknown"):
        fields.symbols.report("R401", "verbs.pieces_needed", pieces.span, found=describe_type(pieces.type))
    for name in sorted(get_families(pieces.type)):
        if fields.symbols.piles[name].face == "top seen":
            fields.symbols.report("R401", "verbs.covered", pieces.span, name=name)
    return pieces if item.name == "piece" else None


def _read_say(fields: FieldReader, node: Node, scope: Scope) -> steps.Say | None:
    label, pieces = fields.label(node.get("say"), scope), _read_shown_pieces(fields, node, scope)
    return steps.Say(label, pieces) if label else None


def _read_ends(fields: FieldReader, node: Node, scope: Scope) -> steps.Ends:
    key = node.get("by")
    winner = Local(PLAYER, key.span, scope.me) if key is not None and scope.me is not None else None
    return steps.Ends(node["ends"].raw, winner)


def _read_check(fields: FieldReader, node: Node, scope: Scope) -> steps.Check | None:
    condition = fields.condition(node, "check", scope)
    return steps.Check(condition) if condition else None


def _read_take_back(fields: FieldReader, node: Node, scope: Scope) -> steps.TakeBack:
    fields.symbols.used.add(("words", "take_back"))
    return steps.TakeBack()


INSTANT_VERBS: dict[str, Callable[[FieldReader, Node, Scope], steps.Deed | None]] = {
    "shuffle": _read_shuffle,
    "cut": _read_cut,
    "roll": _read_roll,
    "lots": _read_lots,
    "gather": _read_gather,
    "deal": _read_deal,
    "move": _read_move,
    "turn": _read_turn,
    "set": _read_set,
    "score": _read_score,
    "say": _read_say,
    "ends": _read_ends,
    "check": _read_check,
    "take_back": _read_take_back,
}
