"""What the rules for single forms of a formula share: kinds that must fit, and mistakes reported where they stand and once."""

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
"""How many parts all formulas of a ruleset may have, those of a term once for each sort of arguments."""
MOST_NESTED = 100
"""How deep the parts of a formula may be nested, with the terms it names."""

Rule = Callable[["Checker", Form, Scope, Kind | None], Expr]


class Checker:
    """Checks formulas of one ruleset by a rule for each form. `private` says that the formula is judged for the acting player,
    who must not see more than he may; `building` are the terms it is inside of."""

    def __init__(self, symbols: SymbolTable, rules: Mapping[Op, Rule]) -> None:
        self.symbols, self.rules = symbols, rules
        self.private = False
        self.building: list[str] = []
        self.given: dict[Var, tuple[Form, Scope]] = {}
        """What `let` gives: as it is written, and the names it sees."""
        self.unfolded: dict[Var, int] = {}
        """How many parts a value of `let` has, with those of the values it names: every use is compiled and walked in full."""
        self.present: frozenset[Fact] = frozenset()
        """Values that may be absent elsewhere, and here have been tested."""
        self._depth = self.parts = 0

    def check(self, form: Form, scope: Scope, expected: Kind | None = None) -> Expr:
        """The formula with its names found. `expected`: the kind that names and `none` are taken for if they can be."""
        if self._depth >= MOST_NESTED:
            self.symbols.report("R205", "checker.too_nested", form.span, most=MOST_NESTED, help="checker.terms_at_once")
            return self.unknown(form)
        if not self.count_parts(form, 1):
            return self.unknown(form)
        self._depth += 1
        try:
            found = self._surely(self._bounded(self.rules[form.op](self, form, scope, expected)))
        finally:
            self._depth -= 1
        if self.symbols.heard is not None:
            self.symbols.heard.append(CheckedForm(form, scope, expected, found))
        return found

    def _bounded(self, found: Expr) -> Expr:
        """Numbers have bounds, and what is computed stays within them; lists are not too deep in each other."""
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

    def _surely(self, found: Expr) -> Expr:
        """What has been tested is there."""
        tested = found.kind.optional and bool(self.present) and identify_value(found) in self.present
        return replace(found, kind=found.kind.maybe(False)) if tested else found

    @contextmanager
    def knowing(self, *facts: frozenset[Fact]) -> Iterator[None]:
        """In here these values are there, besides those that are known to be."""
        before, self.present = self.present, self.present.union(*facts)
        yield
        self.present = before

    @contextmanager
    def knowing_nothing(self) -> Iterator[None]:
        """What is checked in here is used elsewhere, too."""
        before, self.present = self.present, frozenset()
        yield
        self.present = before

    def count_parts(self, form: Form, count: int) -> bool:
        """Count parts of a formula. False, and told once, if a ruleset may not have so many."""
        before, self.parts = self.parts, self.parts + count
        if before <= MOST_PARTS < self.parts:
            self.symbols.report(
                "R207", "checker.too_many_parts", form.span, most=in_figures(MOST_PARTS), help="checker.say_once"
            )
        return self.parts <= MOST_PARTS

    def need(self, form: Form, scope: Scope, kind: Kind, *, present: bool = False, what: Subject = "") -> Expr:
        """A formula that must have this kind (and, with `present`, may not be absent)."""
        found = self.check(form, scope, kind)
        found = as_single_list(form, found) if kind.name == "list" else found
        return self.fit(found, kind, present=present, what=what)

    def fit(self, found: Expr, kind: Kind, *, present: bool = False, what: Subject = "") -> Expr:
        if kind.name == "list" and found.kind.name != "list":
            found = self.as_list(found)
        if found.kind.name == "unknown":
            return found
        if found.kind.name == "player" and kind.maybe(False) == SIDE:
            found = Attr(SIDE.maybe(found.kind.optional), found.span, found, SIDE_OF)
        never = found.kind.name == "nothing" and (present or kind.name in ("bool", "list"))
        if never or not comparable(found.kind, kind):
            self._wrong(found, kind, what)
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

    def condition(self, form: Form, scope: Scope) -> Expr:
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

    def unknown(self, form: Form) -> Expr:
        return Const(UNKNOWN, form.span, 0)

    def check_list(self, form: Form, scope: Scope, expected: Kind | None = None) -> Expr:
        """What is to be a list: a pile is its pieces, and `(a)` a list of one."""
        return self.as_list(as_single_list(form, self.check(form, scope, expected)))

    def as_list(self, found: Expr) -> Expr:
        """A pile becomes its pieces; anything else must be a list."""
        if isinstance(found.kind, Pile):
            return Contents(List(found.kind.piece, found.kind.room), found.span, found)
        if found.kind.name not in ("list", "unknown"):
            self._wrong(found, List(UNKNOWN, 0), "")
            return replace(found, kind=UNKNOWN)
        return found

    def _wrong(self, found: Expr, kind: Kind, what: Subject) -> None:
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
    def trying(self) -> Iterator[None]:
        """What is checked in here is only looked at: nothing is said of it, and what is wrong with it is found again later."""
        before, self.symbols.problems = self.symbols.problems, Problems()
        known, parts = dict(self.symbols.instances), self.parts
        yield
        self.symbols.problems, self.symbols.instances, self.parts = before, known, parts

    @contextmanager
    def deciding(self) -> Iterator[None]:
        """What is checked in here decides what somebody may do."""
        before, self.private = self.private, True
        yield
        self.private = before

    def decided_by(self, *found: Expr) -> None:
        """What these formulas have from `let` decides what somebody may do."""
        with self.deciding():
            for var in lets_in(*found):
                self.check(*self.given[var])

    def lies_there(self, pieces: Kind, pile: Kind, span: Span) -> None:
        """These pieces are to lie in this pile: it must hold such."""
        pieces, pile = (k.item if isinstance(k, List) else k for k in (pieces, pile))
        if not isinstance(pieces, Piece | Pile) or not isinstance(pile, Pile) or len(self.symbols.pieces) < 2:
            return
        if pieces.of != pile.of or (not pile.of and pile.families and pieces.families):
            held, these = (
                said("checker.of_kind", kind=k.of) if k.of else said("checker.several_kinds") for k in (pile, pieces)
            )
            self.symbols.report("R427", "checker.other_kind", span, held=held, these=these, help="checker.holds")

    def told_apart(self, kind: Kind, span: Span) -> None:
        """To compare pieces, or to list them for a choice, is to look at them."""
        while isinstance(kind, List):
            kind = kind.item
        if isinstance(kind, Piece):
            self.looked_at(kind, span)

    def looked_at(self, piece: Piece, span: Span) -> None:
        """The acting player may not base a decision on what he cannot see."""
        for name in sorted(piece.families) if self.private else ():
            face = self.symbols.piles[name].face
            if face == "down" or (face == "owner" and not piece.mine):
                self.symbols.report(
                    "R510",
                    "checker.hidden" if face == "down" else "checker.hidden_of_others",
                    span,
                    name=name,
                    notes=self._used_by(),
                    help="checker.only_seen",
                )

    def looked_into(self, state: str, secret: str, form: Form) -> None:
        """Nor on a value that is kept from him."""
        if self.private:
            whom = "owner" if secret == "owner" else "nobody"
            self.symbols.report(
                "R510",
                f"checker.known_to_{whom}",
                form.span,
                state=state,
                notes=self._used_by(),
                help="checker.only_seen",
            )

    def _used_by(self) -> list[Said]:
        """Of a term: whoever decides may have been meant."""
        terms = " → ".join(f"`{name}`" for name in self.building)
        return [said("checker.used_by", terms=terms)] if terms else []

    def acting(self, form: Form, scope: Scope) -> Expr:
        """The player who acts."""
        if scope.me is None:
            self.symbols.report(
                "R306", "checker.nobody_acts", form.span, name=form.name, help=suggest_whose(self.symbols, form.name)
            )
            return self.unknown(form)
        return Local(PLAYER, form.span, scope.me)


def as_single_list(form: Form, found: Expr) -> Expr:
    """`(a)` where a list is wanted, as the list of that one item."""
    if not form.enclosed or found.kind.name in ("list", "pile", "bool", "nothing", "unknown"):
        return found
    return Listed(List(found.kind, 1, 1), found.span, (found,))


def fit_absent(found: Expr, kind: Kind) -> Expr:
    """What is always absent, as an absent value of this kind. Truth and lists are never absent."""
    if found.kind.name != "nothing" or kind.name in ("bool", "list", "unknown"):
        return found
    return Const(kind.maybe(), found.span, absent_of(kind))
