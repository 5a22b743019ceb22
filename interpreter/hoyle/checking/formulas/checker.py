"""The base of the formula checker: expected types, conversions, limits, and what the acting player may see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from msgspec.structs import replace

from hoyle.checking.formulas.presence import Fact, identify_value
from hoyle.checking.formulas.suggestions import suggest_for_absent, suggest_instead, suggest_whose
from hoyle.checking.formulas.symbols import CheckedForm, Scope, Subject, SymbolTable, say_subject
from hoyle.diagnostics import NO_TEXT, LocalizedText, Span
from hoyle.language.ir import SIDE_OF, Attr, Const, Contents, Expr, Listed, Local, Var, absent_of, lets_in
from hoyle.language.sentences import localize_integer, make_message
from hoyle.language.syntax import Form, Op
from hoyle.language.value_types import (
    BOOL,
    GREATEST,
    LEAST,
    MOST_LISTS,
    PLAYER,
    SIDE,
    UNKNOWN,
    List,
    Piece,
    Pile,
    ValueType,
    describe_type,
    get_bounds,
    is_comparable,
    is_too_deep,
    is_too_large,
)

MOST_PARTS = 50_000
"""Greatest number of parts of all formulas of a ruleset. Terms count once for each set of argument types."""
MOST_NESTED = 100
"""Greatest depth of a formula, through the terms it calls."""

Rule = Callable[["Checker", Form, Scope, ValueType | None], Expr]


class Checker:
    """Checks formulas of one ruleset by a rule for each form.

    for_actor   whether the formula decides what the acting player may do, so that it may read only what he sees
    open_terms  the terms being checked around the formula
    lets        the form and scope of each value of `let`
    let_sizes   the number of parts of each value of `let`, with those of the values it names
    present     optional values that were tested and are known to be present
    """

    def __init__(self, symbols: SymbolTable, rules: Mapping[Op, Rule]) -> None:
        self.symbols, self.rules = symbols, rules
        self.for_actor = False
        self.open_terms: list[str] = []
        self.lets: dict[Var, tuple[Form, Scope]] = {}
        self.let_sizes: dict[Var, int] = {}
        self.present: frozenset[Fact] = frozenset()
        self._depth = self.parts = 0

    def check(self, form: Form, scope: Scope, expected: ValueType | None = None) -> Expr:
        """Check a formula. `expected`: the type by which names and `none` are resolved if possible."""
        if self._depth >= MOST_NESTED:
            self.symbols.report("R205", "checker.too_nested", form.span, most=MOST_NESTED, help="checker.terms_at_once")
            return self.make_unknown(form)
        if not self.count_parts(form, 1):
            return self.make_unknown(form)
        self._depth += 1
        try:
            expr = self._mark_present(self._check_bounds(self.rules[form.op](self, form, scope, expected)))
        finally:
            self._depth -= 1
        if self.symbols.heard is not None:
            self.symbols.heard.append(CheckedForm(form, scope, expected, expr))
        return expr

    def _check_bounds(self, expr: Expr) -> Expr:
        """Refuse numbers beyond the limits and lists that are nested too deep."""
        if is_too_deep(expr.type):
            self.symbols.report("R429", "checker.deep_lists", expr.span, most=MOST_LISTS, help="checker.flat_lists")
            return replace(expr, type=UNKNOWN)
        if not is_too_large(expr.type):
            return expr
        low, high = get_bounds(expr.type)
        self.symbols.report(
            "R426",
            "checker.number_is" if low == high else "checker.number_may_be",
            expr.span,
            number=localize_integer(high if high > GREATEST else low),
            least=localize_integer(LEAST),
            greatest=localize_integer(GREATEST),
            note="checker.numbers_between",
            help=NO_TEXT if low == high else make_message("checker.narrower"),
        )
        return replace(expr, type=UNKNOWN)

    def _mark_present(self, expr: Expr) -> Expr:
        """Make the type of a value non-optional if a test has shown that it is present."""
        tested = expr.type.optional and bool(self.present) and identify_value(expr) in self.present
        return replace(expr, type=expr.type.with_optional(False)) if tested else expr

    @contextmanager
    def assuming(self, *facts: frozenset[Fact]) -> Iterator[None]:
        """Assume inside that these values are present, besides those known before."""
        before, self.present = self.present, self.present.union(*facts)
        yield
        self.present = before

    @contextmanager
    def without_assumptions(self) -> Iterator[None]:
        """Assume nothing inside, where the formula is used elsewhere, too."""
        before, self.present = self.present, frozenset()
        yield
        self.present = before

    def count_parts(self, form: Form, count: int) -> bool:
        """Count parts of formulas. Return whether they are within the limit; exceeding it is reported once."""
        before, self.parts = self.parts, self.parts + count
        if before <= MOST_PARTS < self.parts:
            self.symbols.report(
                "R207", "checker.too_many_parts", form.span, most=localize_integer(MOST_PARTS), help="checker.say_once"
            )
        return self.parts <= MOST_PARTS

    def check_as(
        self, form: Form, scope: Scope, value_type: ValueType, *, present: bool = False, what: Subject = ""
    ) -> Expr:
        """Check a formula that must have a type and, with `present`, may not be absent. `what`: its name in messages."""
        expr = self.check(form, scope, value_type)
        expr = as_single_list(form, expr) if value_type.name == "list" else expr
        return self.convert(expr, value_type, present=present, what=what)

    def convert(self, expr: Expr, value_type: ValueType, *, present: bool = False, what: Subject = "") -> Expr:
        """Convert an expression to a type, or report it and return an unknown value."""
        if value_type.name == "list" and expr.type.name != "list":
            expr = self.as_list(expr)
        if expr.type.name == "unknown":
            return expr
        if expr.type.name == "player" and value_type.with_optional(False) == SIDE:
            expr = Attr(SIDE.with_optional(expr.type.optional), expr.span, expr, SIDE_OF)
        never = expr.type.name == "nothing" and (present or value_type.name in ("bool", "list"))
        if never or not is_comparable(expr.type, value_type):
            self._report_type(expr, value_type, what)
            return replace(expr, type=UNKNOWN)
        if present and expr.type.optional:
            message = (
                make_message("checker.may_be_absent", what=say_subject(what))
                if what
                else make_message("checker.this_absent")
            )
            self.symbols.problems.add("R404", message, expr.span, help=suggest_for_absent(expr, what))
            if not isinstance(expr, Const):
                expr = replace(expr, type=expr.type.with_optional(False))  # avoids the same report for larger formulas
        return fit_absent(expr, value_type)

    def check_condition(self, form: Form, scope: Scope) -> Expr:
        expr = self.check(form, scope, BOOL)
        if expr.type.name not in ("bool", "unknown"):
            self.symbols.report(
                "R405", "checker.condition_kind", expr.span, found=describe_type(expr.type), help="instead.compare"
            )
        return expr

    def make_unknown(self, form: Form) -> Expr:
        return Const(UNKNOWN, form.span, 0)

    def check_list(self, form: Form, scope: Scope, expected: ValueType | None = None) -> Expr:
        """Check a formula that must be a list. A pile becomes its pieces, and `(a)` a list of one."""
        return self.as_list(as_single_list(form, self.check(form, scope, expected)))

    def as_list(self, expr: Expr) -> Expr:
        """Convert a pile to its pieces. Other values must be lists."""
        if isinstance(expr.type, Pile):
            return Contents(List(expr.type.piece, expr.type.room), expr.span, expr)
        if expr.type.name not in ("list", "unknown"):
            self._report_type(expr, List(UNKNOWN, 0), "")
            return replace(expr, type=UNKNOWN)
        return expr

    def _report_type(self, expr: Expr, value_type: ValueType, what: Subject) -> None:
        """Report an expression of the wrong type. `what`: its name in the message, if it has one."""
        names = {"list": "shape.a_list", "number": "shape.a_number"}
        wanted = make_message(names[value_type.name]) if value_type.name in names else describe_type(value_type)
        code, found = "R406" if value_type.name == "list" else "R401", describe_type(expr.type)
        message = make_message("must_stand", what=wanted, found=found)
        if what:
            message = make_message("checker.must_be", what=say_subject(what), wanted=wanted, found=found)
        self.symbols.problems.add(code, message, expr.span, help=suggest_instead(self.symbols, expr, value_type))

    @contextmanager
    def checking_silently(self) -> Iterator[None]:
        """Check inside without reporting, counting or keeping instances of terms."""
        known, parts = dict(self.symbols.instances), self.parts
        with self.symbols.collecting():
            yield
        self.symbols.instances, self.parts = known, parts

    @contextmanager
    def for_decision(self) -> Iterator[None]:
        """Check inside what decides what the acting player may do."""
        before, self.for_actor = self.for_actor, True
        yield
        self.for_actor = before

    def check_lets_of_decision(self, *expr: Expr) -> None:
        """Check again, as part of a decision, the values of `let` that expressions use."""
        with self.for_decision():
            for var in lets_in(*expr):
                self.check(*self.lets[var])

    def check_holds(self, pieces: ValueType, pile: ValueType, span: Span) -> None:
        """Report pieces that are to be put in a pile for other pieces."""
        pieces, pile = (k.item if isinstance(k, List) else k for k in (pieces, pile))
        if not isinstance(pieces, Piece | Pile) or not isinstance(pile, Pile) or len(self.symbols.pieces) < 2:
            return
        if pieces.of != pile.of or (not pile.of and pile.families and pieces.families):
            held, these = (
                make_message("checker.of_kind", kind=k.of) if k.of else make_message("checker.several_kinds")
                for k in (pile, pieces)
            )
            self.symbols.report("R427", "checker.other_kind", span, held=held, these=these, help="checker.holds")

    def check_distinguished(self, value_type: ValueType, span: Span) -> None:
        """Report hidden pieces that are compared or listed for a choice, which shows what they are."""
        while isinstance(value_type, List):
            value_type = value_type.item
        if isinstance(value_type, Piece):
            self.check_piece_visible(value_type, span)

    def check_piece_visible(self, piece: Piece, span: Span) -> None:
        """Report pieces that a decision reads although the acting player may not see them."""
        for name in sorted(piece.families) if self.for_actor else ():
            face = self.symbols.piles[name].face
            if face == "down" or (face == "owner" and not piece.mine):
                key = "checker.hidden" if face == "down" else "checker.hidden_of_others"
                notes, help = self._note_open_terms(), "checker.only_seen"
                self.symbols.report("R510", key, span, name=name, notes=notes, help=help)

    def check_state_visible(self, state: str, secret: str, form: Form) -> None:
        """Report secret state that a decision reads."""
        if self.for_actor:
            key = "checker.known_to_owner" if secret == "owner" else "checker.known_to_nobody"
            notes, help = self._note_open_terms(), "checker.only_seen"
            self.symbols.report("R510", key, form.span, state=state, notes=notes, help=help)

    def _note_open_terms(self) -> list[LocalizedText]:
        """Note the terms around the formula, since an argument `me` may be missing in a call of them."""
        terms = " → ".join(f"`{name}`" for name in self.open_terms)
        return [make_message("checker.used_by", terms=terms)] if terms else []

    def make_actor(self, form: Form, scope: Scope) -> Expr:
        if scope.me is None:
            self.symbols.report(
                "R306", "checker.nobody_acts", form.span, name=form.name, help=suggest_whose(self.symbols, form.name)
            )
            return self.make_unknown(form)
        return Local(PLAYER, form.span, scope.me)


def as_single_list(form: Form, expr: Expr) -> Expr:
    """Convert `(a)` to a list of one item, where a list is expected."""
    if not form.enclosed or expr.type.name in ("list", "pile", "bool", "nothing", "unknown"):
        return expr
    return Listed(List(expr.type, 1, 1), expr.span, (expr,))


def fit_absent(expr: Expr, value_type: ValueType) -> Expr:
    """Give `none` an optional type. Truth values and lists are never absent."""
    if expr.type.name != "nothing" or value_type.name in ("bool", "list", "unknown"):
        return expr
    return Const(value_type.with_optional(), expr.span, absent_of(value_type))
