"""The base of the formula checker: expected types, conversions, limits, and what the acting player may see."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from msgspec.structs import replace

from hoyle.checking.formulas.presence import Fact, identify_value
from hoyle.checking.formulas.suggestions import suggest_for_absent, suggest_instead, suggest_whose
from hoyle.checking.formulas.symbols import CheckedForm, Scope, Subject, SymbolTable, say_subject
from hoyle.diagnostics import UNSAID, Fix, Problems, Said, Span
from hoyle.language.ir import SIDE_OF, Attr, Const, Contents, Expr, Listed, Local, Var, absent_of, lets_in
from hoyle.language.kinds import (
    BOOL,
    GREATEST,
    LEAST,
    MOST_LISTS,
    PLAYER,
    SIDE,
    UNKNOWN,
    Kind,
    List,
    Piece,
    Pile,
    bounds,
    comparable,
    describe,
    is_too_deep,
    too_large,
)
from hoyle.language.sentences import in_figures, said
from hoyle.language.syntax import Form, Op

MOST_PARTS = 50_000
"""Greatest number of parts of all formulas of a ruleset. Terms count once for each set of argument types."""
MOST_NESTED = 100
"""Greatest depth of a formula, through the terms it calls."""

Rule = Callable[["Checker", Form, Scope, Kind | None], Expr]


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

    def check(self, form: Form, scope: Scope, expected: Kind | None = None) -> Expr:
        """Check a formula. `expected`: the type by which names and `none` are resolved if possible."""
        if self._depth >= MOST_NESTED:
            self.symbols.report("R205", "checker.too_nested", form.span, most=MOST_NESTED, help="checker.terms_at_once")
            return self.make_unknown(form)
        if not self.count_parts(form, 1):
            return self.make_unknown(form)
        self._depth += 1
        try:
            found = self._mark_present(self._check_bounds(self.rules[form.op](self, form, scope, expected)))
        finally:
            self._depth -= 1
        if self.symbols.heard is not None:
            self.symbols.heard.append(CheckedForm(form, scope, expected, found))
        return found

    def _check_bounds(self, found: Expr) -> Expr:
        """Refuse numbers beyond the limits and lists that are nested too deep."""
        if is_too_deep(found.kind):
            self.symbols.report("R429", "checker.deep_lists", found.span, most=MOST_LISTS, help="checker.flat_lists")
            return replace(found, kind=UNKNOWN)
        if not too_large(found.kind):
            return found
        low, high = bounds(found.kind)
        self.symbols.report(
            "R426",
            "checker.number_is" if low == high else "checker.number_may_be",
            found.span,
            number=in_figures(high if high > GREATEST else low),
            least=in_figures(LEAST),
            greatest=in_figures(GREATEST),
            note="checker.numbers_between",
            help=UNSAID if low == high else said("checker.narrower"),
        )
        return replace(found, kind=UNKNOWN)

    def _mark_present(self, found: Expr) -> Expr:
        """Make the type of a value non-optional if a test has shown that it is present."""
        tested = found.kind.optional and bool(self.present) and identify_value(found) in self.present
        return replace(found, kind=found.kind.maybe(False)) if tested else found

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
                "R207", "checker.too_many_parts", form.span, most=in_figures(MOST_PARTS), help="checker.say_once"
            )
        return self.parts <= MOST_PARTS

    def check_as(self, form: Form, scope: Scope, kind: Kind, *, present: bool = False, what: Subject = "") -> Expr:
        """Check a formula that must have a type and, with `present`, may not be absent. `what`: its name in messages."""
        found = self.check(form, scope, kind)
        found = as_single_list(form, found) if kind.name == "list" else found
        return self.convert(found, kind, present=present, what=what)

    def convert(self, found: Expr, kind: Kind, *, present: bool = False, what: Subject = "") -> Expr:
        """Convert an expression to a type, or report it and return an unknown value."""
        if kind.name == "list" and found.kind.name != "list":
            found = self.as_list(found)
        if found.kind.name == "unknown":
            return found
        if found.kind.name == "player" and kind.maybe(False) == SIDE:
            found = Attr(SIDE.maybe(found.kind.optional), found.span, found, SIDE_OF)
        never = found.kind.name == "nothing" and (present or kind.name in ("bool", "list"))
        if never or not comparable(found.kind, kind):
            self._report_type(found, kind, what)
            return replace(found, kind=UNKNOWN)
        if present and found.kind.optional:
            self.symbols.problems.add(
                "R404",
                said("checker.may_be_absent", what=say_subject(what)) if what else said("checker.this_absent"),
                found.span,
                help=suggest_for_absent(found, what),
            )
            if not isinstance(found, Const):
                found = replace(found, kind=found.kind.maybe(False))  # what is made of it would only say the same again
        return fit_absent(found, kind)

    def check_condition(self, form: Form, scope: Scope) -> Expr:
        found = self.check(form, scope, BOOL)
        if found.kind.name not in ("bool", "unknown"):
            self.symbols.report(
                "R405", "checker.condition_kind", found.span, found=describe(found.kind), help="instead.compare"
            )
        return found

    def problem(
        self,
        code: str,
        message: Said,
        form: Form,
        *,
        help: Said = UNSAID,
        label: Said = UNSAID,
        fixes: tuple[Fix, ...] = (),
    ) -> None:
        self.symbols.problems.add(code, message, form.span, help=help, label=label, fixes=fixes)

    def make_unknown(self, form: Form) -> Expr:
        return Const(UNKNOWN, form.span, 0)

    def check_list(self, form: Form, scope: Scope, expected: Kind | None = None) -> Expr:
        """Check a formula that must be a list. A pile becomes its pieces, and `(a)` a list of one."""
        return self.as_list(as_single_list(form, self.check(form, scope, expected)))

    def as_list(self, found: Expr) -> Expr:
        """Convert a pile to its pieces. Other values must be lists."""
        if isinstance(found.kind, Pile):
            return Contents(List(found.kind.piece, found.kind.room), found.span, found)
        if found.kind.name not in ("list", "unknown"):
            self._report_type(found, List(UNKNOWN, 0), "")
            return replace(found, kind=UNKNOWN)
        return found

    def _report_type(self, found: Expr, kind: Kind, what: Subject) -> None:
        wanted = (
            said("shape.a_list")
            if kind.name == "list"
            else said("shape.a_number")
            if kind.name == "number"
            else describe(kind)
        )
        code, is_found = "R406" if kind.name == "list" else "R401", describe(found.kind)
        self.symbols.problems.add(
            code,
            (
                said("checker.must_be", what=say_subject(what), wanted=wanted, found=is_found)
                if what
                else said("must_stand", what=wanted, found=is_found)
            ),
            found.span,
            help=suggest_instead(self.symbols, found, kind),
        )

    @contextmanager
    def checking_silently(self) -> Iterator[None]:
        """Check inside without reporting, counting or keeping instances of terms."""
        before, self.symbols.problems = self.symbols.problems, Problems()
        known, parts = dict(self.symbols.instances), self.parts
        yield
        self.symbols.problems, self.symbols.instances, self.parts = before, known, parts

    @contextmanager
    def for_decision(self) -> Iterator[None]:
        """Check inside what decides what the acting player may do."""
        before, self.for_actor = self.for_actor, True
        yield
        self.for_actor = before

    def check_lets_of_decision(self, *found: Expr) -> None:
        """Check again, as part of a decision, the values of `let` that expressions use."""
        with self.for_decision():
            for var in lets_in(*found):
                self.check(*self.lets[var])

    def check_holds(self, pieces: Kind, pile: Kind, span: Span) -> None:
        """Report pieces that are to be put in a pile for other pieces."""
        pieces, pile = (k.item if isinstance(k, List) else k for k in (pieces, pile))
        if not isinstance(pieces, Piece | Pile) or not isinstance(pile, Pile) or len(self.symbols.pieces) < 2:
            return
        if pieces.of != pile.of or (not pile.of and pile.families and pieces.families):
            held, these = (
                said("checker.of_kind", kind=k.of) if k.of else said("checker.several_kinds") for k in (pile, pieces)
            )
            self.symbols.report("R427", "checker.other_kind", span, held=held, these=these, help="checker.holds")

    def check_distinguished(self, kind: Kind, span: Span) -> None:
        """Report hidden pieces that are compared or listed for a choice, which shows what they are."""
        while isinstance(kind, List):
            kind = kind.item
        if isinstance(kind, Piece):
            self.check_piece_visible(kind, span)

    def check_piece_visible(self, piece: Piece, span: Span) -> None:
        """Report pieces that a decision reads although the acting player may not see them."""
        for name in sorted(piece.families) if self.for_actor else ():
            face = self.symbols.piles[name].face
            if face == "down" or (face == "owner" and not piece.mine):
                self.symbols.report(
                    "R510",
                    "checker.hidden" if face == "down" else "checker.hidden_of_others",
                    span,
                    name=name,
                    notes=self._note_open_terms(),
                    help="checker.only_seen",
                )

    def check_state_visible(self, state: str, secret: str, form: Form) -> None:
        """Report secret state that a decision reads."""
        if self.for_actor:
            whom = "owner" if secret == "owner" else "nobody"
            self.symbols.report(
                "R510",
                f"checker.known_to_{whom}",
                form.span,
                state=state,
                notes=self._note_open_terms(),
                help="checker.only_seen",
            )

    def _note_open_terms(self) -> list[Said]:
        """Note the terms around the formula, since an argument `me` may be missing in a call of them."""
        terms = " → ".join(f"`{name}`" for name in self.open_terms)
        return [said("checker.used_by", terms=terms)] if terms else []

    def make_actor(self, form: Form, scope: Scope) -> Expr:
        if scope.me is None:
            self.symbols.report(
                "R306", "checker.nobody_acts", form.span, name=form.name, help=suggest_whose(self.symbols, form.name)
            )
            return self.make_unknown(form)
        return Local(PLAYER, form.span, scope.me)


def as_single_list(form: Form, found: Expr) -> Expr:
    """Convert `(a)` to a list of one item, where a list is expected."""
    if not form.enclosed or found.kind.name in ("list", "pile", "bool", "nothing", "unknown"):
        return found
    return Listed(List(found.kind, 1, 1), found.span, (found,))


def fit_absent(found: Expr, kind: Kind) -> Expr:
    """Give `none` an optional type. Truth values and lists are never absent."""
    if found.kind.name != "nothing" or kind.name in ("bool", "list", "unknown"):
        return found
    return Const(kind.maybe(), found.span, absent_of(kind))
