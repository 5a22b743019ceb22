"""The section `display`: hints at how things lie, which may hang only on what all players see."""

from __future__ import annotations

from hoyle.checking.cost import Cost, check_cost
from hoyle.checking.entries import entries, loop_of, names_in, optional_form
from hoyle.checking.formulas import FormulaChecker
from hoyle.checking.hinted import (
    checked_without_loop,
    is_whose,
    tell_no_count,
    tell_no_sheet,
    tell_numbers,
    tell_other_pieces,
    tell_places,
    tell_words,
)
from hoyle.checking.looks import LooksReader
from hoyle.checking.reader import words_of
from hoyle.checking.world import Scope, World, is_removed, unknown
from hoyle.diagnostics import Said, Span
from hoyle.language.display import Board, Boxes, Display, Holder, PileHint, ShownValue, StateHint
from hoyle.language.ir import Expr, Var
from hoyle.language.kinds import PAIR, PLAYER, SOME_NUMBER, Kind, Piece, Pile, Row, describe
from hoyle.language.model import Family, StateFamily
from hoyle.language.sentences import said
from hoyle.language.syntax import Form
from hoyle.reading.tree import Node, list_items, texts_of

BOARD = ("numbered", "bar", "off")
"""Keys that only a board has."""
_KNOWN = (
    "is",
    "for",
    "order",
    "while",
    "in",
    "spread",
    "middle",
    "held_by",
    "told_by",
    "by",
    "boxes",
    "total",
    "shape",
    "figures",
    *BOARD,
)
"""All that hints may say."""
_TOLD = ("number", "row", "player", "choice", "pair", "bool", "piece", "unknown")
_KEYS = ("number", "row", "player", "choice", "pair", "unknown")
"""Kinds of values that can be shown, and of what they can be shown for."""


class PublicChecker(FormulaChecker):
    """Of formulas for all to see, whoever looks: they may not look at what somebody does not see."""

    def __init__(self, world: World) -> None:
        super().__init__(world)
        self.private = True

    def looked_at(self, piece: Piece, span: Span) -> None:
        for name in sorted(piece.families):
            if self.world.piles[name].face in ("down", "owner"):
                self._hidden(said("display.not_everybody", name=name), span)

    def looked_into(self, state: str, secret: str, form: Form) -> None:
        self._hidden(said("display.secret", state=state), form.span)

    def _hidden(self, what: Said, span: Span) -> None:
        terms = " → ".join(f"`{name}`" for name in self.building)
        notes = [said("display.used_in", terms=terms)] if terms else []
        help = said("display.only_all_see")
        self.world.problems.add("R570", said("display.looks_at", what=what), span, notes=notes, help=help)


def display_of(root: Node, world: World) -> Display:
    """Reads the section. What its formulas make of terms is not part of the game."""
    kept, world.instances = world.instances, {}
    found = _Reader(root, world).read()
    world.instances = kept
    return found


class _Reader:
    def __init__(self, root: Node, world: World) -> None:
        self.root, self.world = root, world
        self.checker, self.cost = PublicChecker(world), Cost(world)

    def read(self) -> Display:
        piles: dict[str, PileHint] = {}
        state: dict[str, StateHint] = {}
        values: dict[str, ShownValue] = {}
        looks = LooksReader(self.root, self.world)
        for name, key, node in entries(self.root, "display"):
            if name in self.world.piles:
                self._only(node, ("order", "while", "in", "held_by", "told_by", "spread", "middle", *BOARD), "pile")
                tell_words(self.world, node, "pile", "piles", name)
                piles[name] = self._pile(self.world.piles[name], node)
            elif name in self.world.state:
                self._only(node, ("while", "held_by", "by", "boxes", "total"), "state")
                tell_places(self.world, node)
                state[name] = self._state(self.world.state[name], node)
            elif name in self.world.pieces:
                self._only(node, ("shape",), "piece")
                tell_words(self.world, node, "piece", "pieces", name)
                looks.piece(name, node)
            elif name in self.world.tables:
                self._only(node, ("figures",), "table")
                tell_words(self.world, node, "table", "tables", name)
                looks.table(name, node)
            elif node.get("is") is not None:
                self._only(node, ("is", "for", "while", "held_by"), "value")
                tell_places(self.world, node)
                values.update({name: value} if (value := self._value(name, node)) is not None else {})
            elif name not in self.world.removed and name not in self.world.doubtful:
                known = [*self.world.piles, *self.world.state, *self.world.pieces, *self.world.tables]
                unknown(self.world, "R301", "shown", name, known, key.span)
        return Display(piles, state, values, looks.found)

    def _only(self, node: Node, keys: tuple[str, ...], what: str) -> None:
        """Keys that say nothing of such a thing; `what`: which of the sentences `says_nothing_of` tells it."""
        for name, key, _ in node.entries():
            if name in _KNOWN and name not in keys:
                known = ", ".join(f"`{k}`" for k in keys)
                self.world.problems.add(
                    "R571",
                    said(f"says_nothing_of.{what}", name=name),
                    key.span,
                    help=said("display.may_say", known=known),
                )

    # ---- piles -------------------------------------------------------------------------------------------------------

    def _pile(self, family: Family, node: Node) -> PileHint:
        card = Var("card", Piece(of=family.holds))
        board, holder = self._board(family, node), self._holder(_several(family), node)
        spread, middle = LooksReader(self.root, self.world).pile(family, node)
        named = node.get("told_by")
        state = self._known_state(named)
        if state is not None and named is not None:
            tell_no_count(self.world, family, state, named.span)
        told = state.name if state is not None else ""
        phases = names_in(self.world, node.get("in"), "phase", self.world.phases)
        return PileHint(self._while(node), self._order(node, card), card, board, holder, spread, middle, told, phases)

    def _state(self, family: StateFamily, node: Node) -> StateHint:
        called = {lang: tuple(part.strip() for part in text.split("|")) for lang, text in texts_of(node).items()}
        holder, by = self._holder(_several(family), node), self._by(family, node.get("by"))
        return StateHint(self._while(node), holder, by, called, self._boxes(family, node), self._total(family, node))

    def _boxes(self, family: StateFamily, node: Node) -> Boxes | None:
        """Each key is called as one of its kind."""
        form = optional_form(self.world, node.get("boxes"))
        if form is None:
            return None
        keys = tuple(Var(_one(self.world, kind), kind) for kind in family.keys)
        tell_no_sheet(self.world, family, "boxes", form.span)
        open = self.checker.condition(form, Scope().bind(*keys))
        return Boxes(self._priced(open), keys)

    def _total(self, family: StateFamily, node: Node) -> str:
        """The state that says what each who writes there comes to."""
        named = node.get("total")
        other = self._known_state(named)
        if named is None or other is None:
            return ""
        tell_no_sheet(self.world, family, "total", named.span)
        if other.kind.name != "number" or other.keys != family.keys[:1] or not is_whose(self.world, family):
            message = said("display.no_total", name=other.name, sheet=family.name)
            help = said("display.total_is", name=family.name)
            self.world.problems.add("R571", message, named.span, help=help)
        return other.name

    def _by(self, family: StateFamily, named: Node | None) -> str:
        """The state that says who of a pair did it."""
        other = self._known_state(named)
        if (
            named is not None
            and other is not None
            and not (other.keys == family.keys == (PAIR,) and other.kind.name == "player")
        ):
            message = said("display.not_which", named=named.raw, name=family.name)
            self.world.problems.add("R571", message, named.span)
        return other.name if other is not None else ""

    def _known_state(self, named: Node | None) -> StateFamily | None:
        """The state of that name; None if there is none, which is told."""
        if named is None or named.raw in self.world.state:
            return self.world.state[named.raw] if named is not None else None
        if not is_removed(self.world, named.raw, named.span):
            unknown(self.world, "R301", "state", named.raw, list(self.world.state), named.span)
        return None

    def _holder(self, several: str, node: Node) -> Holder | None:
        """Whose it is, where the rules leave that open; not of what there are `several` of."""
        form = optional_form(self.world, node.get("held_by"))
        if form is None:
            return None
        if several:
            message = said("display.more_than_one", several=several)
            self.world.problems.add("R571", message, form.span)
        me = Var("me", PLAYER)
        return Holder(self._priced(self.checker.need(form, Scope(me=me), PLAYER, what="`held_by`")), me)

    def _while(self, node: Node) -> Expr | None:
        form = optional_form(self.world, node.get("while"))
        return self._priced(self.checker.condition(form, Scope())) if form is not None else None

    def _order(self, node: Node, card: Var) -> tuple[Expr, ...]:
        forms = [optional_form(self.world, item) for item in list_items(node.get("order"))]
        return tuple(self._measure(form, Scope().bind(card)) for form in forms if form is not None)

    def _measure(self, form: Form, scope: Scope) -> Expr:
        found = self.checker.check(form, scope)
        if found.kind.name not in ("number", "row", "bool", "unknown"):
            message = said("display.order_goes_by", found=describe(found.kind))
            self.world.problems.add("R401", message, found.span)
        return self._priced(found)

    def _board(self, family: Family, node: Node) -> Board | None:
        given = [node.key(name) for name in BOARD if node.get(name) is not None]
        if family.layout != "board":
            for key in given:
                message, help = (
                    said("display.no_board", name=family.name),
                    said("display.say_board", name=family.name),
                )
                self.world.problems.add("R571", message, key.span, help=help)
            return None
        place, viewer = Var("place", _pile_of(family)), Var("p", PLAYER)
        form = optional_form(self.world, node.get("numbered"))
        scope = Scope().bind(place, viewer)
        number = (
            self.checker.need(form, scope, SOME_NUMBER, present=True, what="`numbered`") if form is not None else None
        )
        bar, off = (self._family(node.get(name), family) for name in ("bar", "off"))
        if number is not None:
            tell_numbers(self.world, number, place)
        return Board(self._priced(number) if number is not None else None, place, viewer, bar, off)

    def _family(self, node: Node | None, board: Family) -> str:
        """The family of piles of that name, for men of this board; empty if there is none, which is told."""
        tell_other_pieces(self.world, board, node)
        if node is None or node.raw in self.world.piles:
            return node.raw if node is not None else ""
        if not is_removed(self.world, node.raw, node.span):
            unknown(self.world, "R301", "pile", node.raw, list(self.world.piles), node.span)
        return ""

    # ---- values ------------------------------------------------------------------------------------------------------

    def _value(self, name: str, node: Node) -> ShownValue | None:
        loop, scope = loop_of(self.checker, node.get("for"), Scope())
        form = optional_form(self.world, node["is"])
        if form is None:
            return None
        lost = node.get("for") is None
        found = self._priced(checked_without_loop(self.checker, form) if lost else self.checker.check(form, scope))
        if found.kind.name not in _TOLD:
            message = said("display.one_value", found=describe(found.kind))
            help = said("display.values_may_be")
            self.world.problems.add("R571", message, found.span, help=help)
        if loop is not None and loop.var.kind.name not in _KEYS:
            message, help = (
                said("display.no_value_each", items=describe(loop.items.kind)),
                said("display.value_each"),
            )
            self.world.problems.add("R571", message, loop.items.span, help=help)
        holder = self._holder("" if lost else name, node)
        return ShownValue(name, loop, found, self._while(node), words_of(node, name), holder)

    def _priced(self, found: Expr) -> Expr:
        check_cost(found, self.world, self.cost)
        return found


def _one(world: World, kind: Kind) -> str:
    """What one of a kind is called."""
    return world.tables[kind.table].one if isinstance(kind, Row) else kind.name


def _several(family: Family | StateFamily) -> str:
    """Its name, if there is one for each of something."""
    return family.name if family.each is not None else ""


def _pile_of(family: Family) -> Pile:
    return Pile(family.holds, frozenset([family.name]), False, family.room, *family.numbers)
