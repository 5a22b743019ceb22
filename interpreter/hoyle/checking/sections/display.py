"""Reads the section `display`: hints for the layout, which may depend only on what all players see."""

from __future__ import annotations

from collections.abc import Iterator

from hoyle.checking.cost import Cost, check_cost
from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.formulas.symbols import Scope, SymbolTable, report_removed, report_unknown
from hoyle.checking.sections.reader import list_entries, list_pairs, parse_optional, read_loop, read_names, read_words
from hoyle.diagnostics import LocalizedText, Span
from hoyle.language.display import Board, Boxes, Display, Holder, Looks, PileHint, ShownValue, StateHint
from hoyle.language.ir import Const, Expr, Var
from hoyle.language.model import Family, StateFamily
from hoyle.language.phrases import Unreadable, blanks, parse_phrase
from hoyle.language.sentences import make_message
from hoyle.language.steps import mentions
from hoyle.language.syntax import Form
from hoyle.language.value_types import PAIR, PLAYER, SOME_NUMBER, UNKNOWN, Piece, Pile, Row, describe_type
from hoyle.reading.tree import Node, list_items, text_keys, texts_of

_BOARD = ("numbered", "bar", "off")
"""Keys of boards only."""
_KEYS = {
    "pile": ("order", "while", "in", "held_by", "told_by", "spread", "middle", *_BOARD),
    "state": ("while", "held_by", "by", "boxes", "total"),
    "piece": ("shape",),
    "table": ("figures",),
    "value": ("is", "for", "while", "held_by"),
}
"""The keys of hints for each sort of entry."""
_EVERY_KEY = {key for keys in _KEYS.values() for key in keys}
_SHOWN_TYPES = ("number", "row", "player", "choice", "pair", "bool", "piece", "unknown")
_KEY_TYPES = ("number", "row", "player", "choice", "pair", "unknown")
"""Types of values that can be shown, and types that a value can be shown for each of."""
_BINDING = ("quantifier", "extreme", "collected")
"""Forms that bind a name."""


class PublicChecker(FormulaChecker):
    """Checks formulas that everybody sees: they may not look at hidden pieces or secret state of anybody."""

    def __init__(self, symbols: SymbolTable) -> None:
        super().__init__(symbols)
        self.for_actor = True

    def check_piece_visible(self, piece: Piece, span: Span) -> None:
        for name in sorted(piece.families):
            if self.symbols.piles[name].face in ("down", "owner"):
                self._report_hidden(make_message("display.not_everybody", name=name), span)

    def check_state_visible(self, state: str, secret: str, form: Form) -> None:
        self._report_hidden(make_message("display.secret", state=state), form.span)

    def _report_hidden(self, what: LocalizedText, span: Span) -> None:
        terms = " → ".join(f"`{name}`" for name in self.open_terms)
        notes, help = [make_message("display.used_in", terms=terms)] if terms else [], "display.only_all_see"
        self.symbols.report("R570", "display.looks_at", span, what=what, notes=notes, help=help)


def read_display(root: Node, symbols: SymbolTable) -> Display:
    """Read the section. Instances of terms made for it are dropped, since the game does not need them."""
    kept, symbols.instances = symbols.instances, {}
    display = _DisplayReader(root, symbols).read()
    symbols.instances = kept
    return display


class _DisplayReader:
    def __init__(self, root: Node, symbols: SymbolTable) -> None:
        self.root, self.symbols = root, symbols
        self.checker, self.cost = PublicChecker(symbols), Cost(symbols)

    def read(self) -> Display:
        symbols, display = self.symbols, Display({}, {}, {}, Looks({}, {}))
        for name, key, node in list_entries(self.root, "display"):
            if name in symbols.piles:
                self._check_keys(node, "pile", "piles", name)
                display.piles[name] = self._read_pile(symbols.piles[name], node)
            elif name in symbols.state:
                self._check_keys(node, "state")
                display.state[name] = self._read_state(symbols.state[name], node)
            elif name in symbols.pieces:
                self._check_keys(node, "piece", "pieces", name)
                if node.get("shape") is not None:
                    display.looks.shapes[name] = node["shape"].raw
            elif name in symbols.tables:
                self._check_keys(node, "table", "tables", name)
                self._read_figures(name, node, display.looks)
            elif node.get("is") is not None:
                self._check_keys(node, "value")
                value = self._read_value(name, node)
                if value is not None:
                    display.values[name] = value
            elif name not in symbols.removed and name not in symbols.doubtful:
                known = [*symbols.piles, *symbols.state, *symbols.pieces, *symbols.tables]
                report_unknown(symbols, "R301", "shown", name, known, key.span)
        return display

    def _check_keys(self, node: Node, what: str, section: str = "", name: str = "") -> None:
        """Report keys that say nothing of an entry, and texts that say nothing here.

        `section`, `name`: where the entry is declared with its words; empty if its words stand here and have no places.
        """
        for hint, key, _ in node.entries():
            if hint in _EVERY_KEY and hint not in _KEYS[what]:
                known = ", ".join(f"`{k}`" for k in _KEYS[what])
                self.symbols.report(
                    "R571",
                    f"says_nothing_of.{what}",
                    key.span,
                    name=hint,
                    help=make_message("display.may_say", known=known),
                )
        for key, text in text_keys(node):
            if section:
                help = make_message("hinted.where_declared", section=section, name=name, lang=key.raw)
                self.symbols.report("R571", f"says_nothing_here.{what}", key.span, name=key.raw, help=help)
                continue
            try:
                places = blanks(parse_phrase(text.raw))
            except Unreadable:
                continue
            for blank in places:
                self.symbols.report("R208", "hinted.no_places", text.span, name=blank.name, help="hinted.leave_out")

    def _find_state(self, named: Node | None) -> StateFamily | None:
        """Find the state that a hint names; None if there is none, which is reported."""
        if named is None or named.raw in self.symbols.state:
            return self.symbols.state[named.raw] if named is not None else None
        if not report_removed(self.symbols, named.raw, named.span):
            report_unknown(self.symbols, "R301", "state", named.raw, list(self.symbols.state), named.span)
        return None

    def _read_holder(self, family: str, node: Node) -> Holder | None:
        """Read who holds a thing. `family`: name of a family of several, which nobody can hold; empty for a single thing."""
        form = parse_optional(self.symbols, node.get("held_by"))
        if form is None:
            return None
        if family:
            self.symbols.report("R571", "display.more_than_one", form.span, several=family)
        me = Var("me", PLAYER)
        return Holder(self._check_cost(self.checker.check_as(form, Scope(me=me), PLAYER, what="`held_by`")), me)

    def _read_while(self, node: Node) -> Expr | None:
        form = parse_optional(self.symbols, node.get("while"))
        return self._check_cost(self.checker.check_condition(form, Scope())) if form is not None else None

    def _check_cost(self, expr: Expr) -> Expr:
        check_cost(expr, self.symbols, self.cost)
        return expr

    # ---- piles -------------------------------------------------------------------------------------------------------

    def _read_pile(self, family: Family, node: Node) -> PileHint:
        card = Var("card", Piece(of=family.holds))
        board, holder = self._read_board(family, node), self._read_holder(_family_name(family), node)
        spread, middle, named = node.get("spread"), node.get("middle"), node.get("told_by")
        if middle is not None and (family.each is None or family.each.name != "player"):
            self.symbols.report(
                "R571", "looks.no_middle", node.key("middle").span, name=family.name, help="looks.middle_is"
            )
        counter = self._find_state(named)
        if counter is not None and named is not None:
            self._check_is_count(family, counter, named.span)
        phases = read_names(self.symbols, node.get("in"), "phase", self.symbols.phases)
        return PileHint(
            self._read_while(node),
            self._read_order(node, card),
            card,
            board,
            holder,
            spread.raw == "true" if spread is not None else None,
            middle is not None and middle.raw == "true",
            counter.name if counter is not None else "",
            phases,
        )

    def _check_is_count(self, family: Family, state: StateFamily, span: Span) -> None:
        """Report state that cannot tell how much lies in each pile."""
        if state.type.name == "unknown" or state.name in self.symbols.doubtful:
            return
        keys = (family.each,) if family.each is not None else ()
        if state.type.name != "number" or state.keys != keys:
            help = "hinted.one_each" if keys else "hinted.one_number"
            self.symbols.report("R571", "hinted.no_count", span, name=state.name, pile=family.name, help=help)

    def _read_order(self, node: Node, card: Var) -> tuple[Expr, ...]:
        measures = []
        for form in (parse_optional(self.symbols, item) for item in list_items(node.get("order"))):
            if form is not None:
                measure = self.checker.check(form, Scope().bind(card))
                if measure.type.name not in ("number", "row", "bool", "unknown"):
                    found = describe_type(measure.type)
                    self.symbols.report("R401", "display.order_goes_by", measure.span, found=found)
                measures.append(self._check_cost(measure))
        return tuple(measures)

    def _read_board(self, family: Family, node: Node) -> Board | None:
        if family.layout != "board":
            for key in (node.key(name) for name in _BOARD if node.get(name) is not None):
                self.symbols.report("R571", "display.no_board", key.span, name=family.name, help="display.say_board")
            return None
        pile = Pile(family.holds, frozenset([family.name]), False, family.room, *family.numbers)
        place, viewer = Var("place", pile), Var("p", PLAYER)
        form, scope = parse_optional(self.symbols, node.get("numbered")), Scope().bind(place, viewer)
        number = None
        if form is not None:
            number = self.checker.check_as(form, scope, SOME_NUMBER, present=True, what="`numbered`")
        bar, off = (self._read_beside(node.get(name), family) for name in ("bar", "off"))
        if number is not None:
            if number.type.name == "number" and not mentions([number], place):
                self.symbols.report("R571", "hinted.same_number", number.span, help="hinted.by_place")
            number = self._check_cost(number)
        return Board(number, place, viewer, bar, off)

    def _read_beside(self, named: Node | None, board: Family) -> str:
        """Read the name of a family of piles for the men of a board; empty if there is none, which is reported."""
        if named is None:
            return ""
        family = self.symbols.piles.get(named.raw)
        if family is None:
            if not report_removed(self.symbols, named.raw, named.span):
                report_unknown(self.symbols, "R301", "pile", named.raw, list(self.symbols.piles), named.span)
            return ""
        if family.holds != board.holds:
            piles = [p.name for p in self.symbols.piles.values() if p.holds == board.holds and p.name != board.name]
            shown = ", ".join(f"`{name}`" for name in piles)
            notes = [make_message("hinted.piles_of", holds=board.holds, shown=shown)] if piles else []
            values = {"name": family.name, "holds": family.holds, "board": board.name, "lies": board.holds}
            self.symbols.problems.add("R571", make_message("hinted.other_pieces", **values), named.span, notes=notes)
        return family.name

    # ---- state -------------------------------------------------------------------------------------------------------

    def _read_state(self, family: StateFamily, node: Node) -> StateHint:
        called = {lang: tuple(part.strip() for part in text.split("|")) for lang, text in texts_of(node).items()}
        holder, by = self._read_holder(_family_name(family), node), self._read_by(family, node.get("by"))
        boxes, total = self._read_boxes(family, node), self._read_total(family, node.get("total"))
        return StateHint(self._read_while(node), holder, by, called, boxes, total)

    def _read_by(self, family: StateFamily, named: Node | None) -> str:
        """Read the name of the state that says which player of a pair did it."""
        other = self._find_state(named)
        if named is None or other is None:
            return ""
        if not (other.keys == family.keys == (PAIR,) and other.type.name == "player"):
            self.symbols.report("R571", "display.not_which", named.span, named=named.raw, name=family.name)
        return other.name

    def _read_boxes(self, family: StateFamily, node: Node) -> Boxes | None:
        """Read which boxes of a sheet are open. Each key is called by the name of its type."""
        form = parse_optional(self.symbols, node.get("boxes"))
        if form is None:
            return None
        tables = self.symbols.tables
        keys = tuple(Var(tables[k.table].one if isinstance(k, Row) else k.name, k) for k in family.keys)
        self._check_is_sheet(family, "boxes", form.span)
        return Boxes(self._check_cost(self.checker.check_condition(form, Scope().bind(*keys))), keys)

    def _read_total(self, family: StateFamily, named: Node | None) -> str:
        """Read the name of the state that has the total of each player or side on a sheet."""
        other = self._find_state(named)
        if named is None or other is None:
            return ""
        self._check_is_sheet(family, "total", named.span)
        is_total = other.type.name == "number" and other.keys == family.keys[:1]
        if not is_total or family.each not in (PLAYER, self.symbols.side):
            help = make_message("display.total_is", name=family.name)
            self.symbols.report("R571", "display.no_total", named.span, name=other.name, sheet=family.name, help=help)
        return other.name

    def _check_is_sheet(self, family: StateFamily, hint: str, span: Span) -> None:
        """Report state that is no sheet: a sheet has two or more keys of different types."""
        if len(set(family.keys)) < max(2, len(family.keys)):
            self.symbols.report("R571", "hinted.no_sheet", span, hint=hint, name=family.name, help="hinted.a_sheet")

    # ---- tables and values -------------------------------------------------------------------------------------------

    def _read_figures(self, table: str, node: Node, looks: Looks) -> None:
        rows = self.symbols.tables[table].rows
        written = self.root["tables"][table].get("rows")  # a variant may leave some out
        for key, place, value in list_pairs(node.get("figures")):
            row = key.replace(" ", "_")
            if row in rows:
                looks.figures.setdefault(table, {})[row] = value.raw
            elif key not in self.symbols.removed and (written is None or key not in written.pairs):
                report_unknown(self.symbols, "R301", "row", key, list(rows), place.span)

    def _read_value(self, name: str, node: Node) -> ShownValue | None:
        loop, scope = read_loop(self.checker, node.get("for"), Scope())
        form, is_single = parse_optional(self.symbols, node["is"]), node.get("for") is None
        if form is None:
            return None
        value = self._check_cost(self._check_single(form) if is_single else self.checker.check(form, scope))
        if value.type.name not in _SHOWN_TYPES:
            self.symbols.report(
                "R571", "display.one_value", value.span, found=describe_type(value.type), help="display.values_may_be"
            )
        if loop is not None and loop.var.type.name not in _KEY_TYPES:
            items = describe_type(loop.items.type)
            self.symbols.report(
                "R571", "display.no_value_each", loop.items.span, items=items, help="display.value_each"
            )
        holder = self._read_holder("" if is_single else name, node)
        return ShownValue(name, loop, value, self._read_while(node), read_words(node, name), holder)

    def _check_single(self, form: Form) -> Expr:
        """Check a value without `for`. If its only mistake may be an unbound `p`, report that `for` is missing."""
        with self.symbols.collecting() as problems:
            expr = self.checker.check(form, Scope())
        unbound = next(_find_unbound(form, "p"), None) if problems.errors else None
        if unbound is None:
            self.symbols.problems.extend(problems)
            return expr
        label, help = "world.not_known", "hinted.say_for_whom"
        self.symbols.report("R301", "unknown.name", unbound.span, name="p", of="", label=label, help=help)
        return Const(UNKNOWN, form.span, 0)


def _find_unbound(form: Form, name: str) -> Iterator[Form]:
    if form.op == "name" and form.name == name:
        yield form
    if form.op not in _BINDING or form.name != name:
        for part in form.parts:
            yield from _find_unbound(part, name) if part is not None else ()


def _family_name(family: Family | StateFamily) -> str:
    """Return the name of a family with several members, else an empty text."""
    return family.name if family.each is not None else ""
