"""What the rules for single forms of a formula share: kinds that must fit, and mistakes reported where they stand and once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from msgspec.structs import replace

from interpreter.checking.facts import Fact, fact_of
from interpreter.checking.meant import COMPARE, instead, perhaps_absent, whose
from interpreter.checking.world import Heard, Scope, World
from interpreter.diagnostics import Problems, Span
from interpreter.language.ir import SIDE_OF, Attr, Const, Contents, Expr, Listed, Local, Var, absent_of, lets_in
from interpreter.language.kinds import (
    BOOL,
    GREATEST,
    LEAST,
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
    too_large,
)
from interpreter.language.syntax import Form, Op

MOST_PARTS = 50_000
"""How many parts all formulas of a ruleset may have, those of a term once for each sort of arguments."""
MOST_NESTED = 100
"""How deep the parts of a formula may be nested, with the terms it names."""

Rule = Callable[["Checker", Form, Scope, Kind | None], Expr]


class Checker:
    """Checks formulas of one ruleset by a rule for each form. `private` says that the formula is judged for the acting player,
    who must not see more than he may; `building` are the terms it is inside of."""

    def __init__(self, world: World, rules: Mapping[Op, Rule]) -> None:
        self.world, self.rules = world, rules
        self.private = False
        self.building: list[str] = []
        self.given: dict[Var, tuple[Form, Scope]] = {}
        """What `let` gives: as it is written, and the names it sees."""
        self.present: frozenset[Fact] = frozenset()
        """Values that may be absent elsewhere, and here have been tested."""
        self._depth = self.parts = 0

    def check(self, form: Form, scope: Scope, expected: Kind | None = None) -> Expr:
        """The formula with its names found. `expected`: the kind that names and `none` are taken for if they can be."""
        if self._depth >= MOST_NESTED:
            self.world.problems.add(
                "R205",
                f"the parts of this formula are nested more than {MOST_NESTED} deep, with the terms they name",
                form.span,
                help="a term that names a term that names a term … may be said at once",
            )
            return self.unknown(form)
        self.parts += 1
        if self.parts > MOST_PARTS:
            self._too_many(form)
            return self.unknown(form)
        self._depth += 1
        try:
            found = self._surely(self._bounded(self.rules[form.op](self, form, scope, expected)))
        finally:
            self._depth -= 1
        if self.world.heard is not None:
            self.world.heard.append(Heard(form, scope, expected, found))
        return found

    def _bounded(self, found: Expr) -> Expr:
        """Numbers have bounds, and what is computed stays within them."""
        if not too_large(found.kind):
            return found
        low, high = bounds(found.kind)
        self.world.problems.add(
            "R426",
            f"this number {'is' if low == high else 'may be'} {high if high > GREATEST else low:,}",
            found.span,
            notes=[f"numbers are between {LEAST:,} and {GREATEST:,}"],
            help="" if low == high else "give state a narrower `range`, or limit a part with `min` or `max`",
        )
        return replace(found, kind=UNKNOWN)

    def _surely(self, found: Expr) -> Expr:
        """What has been tested is there."""
        tested = found.kind.optional and bool(self.present) and fact_of(found) in self.present
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

    def _too_many(self, form: Form) -> None:
        if self.parts == MOST_PARTS + 1:
            self.world.problems.add(
                "R207",
                f"the formulas of this ruleset have more than {MOST_PARTS:,} parts",
                form.span,
                help="say once, in a term, what is said of each row, pile or player",
            )

    def need(self, form: Form, scope: Scope, kind: Kind, *, present: bool = False, what: str = "") -> Expr:
        """A formula that must have this kind (and, with `present`, may not be absent)."""
        found = self.check(form, scope, kind)
        found = alone(form, found) if kind.name == "list" else found
        return self.fit(found, kind, present=present, what=what)

    def fit(self, found: Expr, kind: Kind, *, present: bool = False, what: str = "") -> Expr:
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
            help = perhaps_absent(found, what)
            self.world.problems.add("R404", f"{what or 'this'} may be absent here", found.span, help=help)
            if not isinstance(found, Const):
                found = replace(found, kind=found.kind.maybe(False))  # what is made of it would only say the same again
        return of_kind(found, kind)

    def condition(self, form: Form, scope: Scope) -> Expr:
        found = self.check(form, scope, BOOL)
        if found.kind.name not in ("bool", "unknown"):
            self.world.problems.add(
                "R405",
                f"a condition must be true or false, and this is {describe(found.kind)}",
                found.span,
                help=COMPARE,
            )
        return found

    def problem(self, code: str, message: str, form: Form, *, help: str = "", label: str = "") -> None:
        self.world.problems.add(code, message, form.span, help=help, label=label)

    def unknown(self, form: Form) -> Expr:
        return Const(UNKNOWN, form.span, 0)

    def listed(self, form: Form, scope: Scope, expected: Kind | None = None) -> Expr:
        """What is to be a list: a pile is its pieces, and `(a)` a list of one."""
        return self.as_list(alone(form, self.check(form, scope, expected)))

    def as_list(self, found: Expr) -> Expr:
        """A pile becomes its pieces; anything else must be a list."""
        if isinstance(found.kind, Pile):
            return Contents(List(found.kind.piece, found.kind.room), found.span, found)
        if found.kind.name not in ("list", "unknown"):
            self._wrong(found, List(UNKNOWN, 0), "")
            return replace(found, kind=UNKNOWN)
        return found

    def _wrong(self, found: Expr, kind: Kind, what: str) -> None:
        wanted = "a list" if kind.name == "list" else "a number" if kind.name == "number" else describe(kind)
        code = "R406" if kind.name == "list" else "R401"
        self.world.problems.add(
            code,
            f"{what + ' must be' if what else 'here must stand'} {wanted}, and this is {describe(found.kind)}",
            found.span,
            help=instead(self.world, found, kind),
        )

    @contextmanager
    def trying(self) -> Iterator[None]:
        """What is checked in here is only looked at: nothing is said of it, and what is wrong with it is found again later."""
        before, self.world.problems = self.world.problems, Problems()
        known, parts = dict(self.world.instances), self.parts
        yield
        self.world.problems, self.world.instances, self.parts = before, known, parts

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
        if not isinstance(pieces, Piece | Pile) or not isinstance(pile, Pile) or len(self.world.pieces) < 2:
            return
        if pieces.of != pile.of or (not pile.of and pile.families and pieces.families):
            held, these = (f"of kind `{k.of}`" if k.of else "of several kinds" for k in (pile, pieces))
            message = f"here lie pieces {held}, and these are {these}"
            self.world.problems.add("R427", message, span, help="a pile says in `holds` which pieces lie there")

    def told_apart(self, kind: Kind, span: Span) -> None:
        """To compare pieces, or to list them for a choice, is to look at them."""
        while isinstance(kind, List):
            kind = kind.item
        if isinstance(kind, Piece):
            self.looked_at(kind, span)

    def looked_at(self, piece: Piece, span: Span) -> None:
        """The acting player may not base a decision on what he cannot see."""
        for name in sorted(piece.families) if self.private else ():
            face = self.world.piles[name].face
            if face == "down" or (face == "owner" and not piece.mine):
                whose = "" if face == "down" else " of another player"
                self.world.problems.add(
                    "R510",
                    f"this formula looks at a hidden piece: nobody who decides here sees `{name}`{whose}",
                    span,
                    notes=self._used_by(),
                    help="a legal move may depend only on what the player sees",
                )

    def looked_into(self, state: str, secret: str, form: Form) -> None:
        """Nor on a value that is kept from him."""
        if self.private:
            whom = "its owner alone" if secret == "owner" else "nobody"
            message = f"this formula looks at secret state: `{state}` is known to {whom}"
            help = "a legal move may depend only on what the player sees"
            self.world.problems.add("R510", message, form.span, notes=self._used_by(), help=help)

    def _used_by(self) -> list[str]:
        """Of a term: whoever decides may have been meant."""
        terms = " → ".join(f"`{name}`" for name in self.building)
        return [f"a decision uses it in {terms}; what is his own he sees if that is called with `me`"] if terms else []

    def acting(self, form: Form, scope: Scope) -> Expr:
        """The player who acts."""
        if scope.me is None:
            self.problem(
                "R306",
                f"nobody acts here, so `{form.name}` has no player",
                form,
                help=whose(self.world, form.name),
            )
            return self.unknown(form)
        return Local(PLAYER, form.span, scope.me)


def alone(form: Form, found: Expr) -> Expr:
    """`(a)` where a list is wanted, as the list of that one item."""
    if not form.enclosed or found.kind.name in ("list", "pile", "bool", "nothing", "unknown"):
        return found
    return Listed(List(found.kind, 1, 1), found.span, (found,))


def of_kind(found: Expr, kind: Kind) -> Expr:
    """What is always absent, as an absent value of this kind. Truth and lists are never absent."""
    if found.kind.name != "nothing" or kind.name in ("bool", "list", "unknown"):
        return found
    return Const(kind.maybe(), found.span, absent_of(kind))
