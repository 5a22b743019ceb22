"""Kinds of formulas: `Form` → `Expr`, every mistake reported where it stands and once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from interpreter.checking import names
from interpreter.checking.world import Scope, TermSource, World, unknown
from interpreter.diagnostics import Span
from interpreter.language.ir import Expr, Instance, Var, absent_of
from interpreter.language.kinds import (
    BOOL,
    NOTHING,
    PLAYER,
    UNKNOWN,
    Kind,
    comparable,
    describe,
    join,
    list_of,
    number,
)
from interpreter.language.model import Column, Table
from interpreter.language.syntax import Form
from interpreter.language.vocabulary import NAMES, WORDS, Word

Check = Callable[["FormulaChecker", Form, Scope, Kind | None], Expr]


class FormulaChecker:
    """Checks formulas of one ruleset. `private` says that the formula is judged for the acting player, who must not see more
    than he may."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.private = False
        self._building: list[tuple[str, Span]] = []

    # ---- what the other stages call ----------------------------------------------------------------------------------

    def check(self, form: Form, scope: Scope, expected: Kind | None = None) -> Expr:
        return _CHECKS[form.op](self, form, scope, expected)

    def need(self, form: Form, scope: Scope, kind: Kind, *, present: bool = False, what: str = "") -> Expr:
        """A formula that must have this kind (and, with `present`, may not be absent)."""
        found = self.check(form, scope, kind)
        return self.fit(found, kind, present=present, what=what)

    def fit(self, found: Expr, kind: Kind, *, present: bool = False, what: str = "") -> Expr:
        if kind.name == "list" and found.kind.name != "list":
            found = self.as_list(found)
        if found.kind.name == "unknown":
            return found
        if not comparable(found.kind, kind) or (found.kind.name == "nothing" and present):
            self._wrong(found, kind, what)
            return replace(found, kind=UNKNOWN)
        if present and found.kind.optional:
            self.world.problems.add(
                "R404", f"{what or 'this'} may be absent here", found.span, help="say what then: `… otherwise …`"
            )
        return found

    def condition(self, form: Form, scope: Scope) -> Expr:
        found = self.check(form, scope, BOOL)
        if found.kind.name not in ("bool", "unknown"):
            self.world.problems.add(
                "R405",
                f"a condition must be true or false, and this is {describe(found.kind)}",
                found.span,
                help="compare it: `is`, `<`, `in` …; there are no numbers or cards that count as true",
            )
        return found

    def problem(self, code: str, message: str, form: Form, *, help: str = "", label: str = "") -> None:
        self.world.problems.add(code, message, form.span, help=help, label=label)

    def unknown(self, form: Form) -> Expr:
        return Expr("const", UNKNOWN, form.span, value=0)

    def as_list(self, found: Expr) -> Expr:
        """A pile becomes its pieces; anything else must be a list."""
        if found.kind.name == "pile":
            rooms = [self.world.piles[f].room for f in found.kind.families] or [self._all_pieces()]
            piece = Kind("piece", of=found.kind.of, families=found.kind.families, mine=found.kind.mine)
            return Expr("contents", list_of(piece, max(rooms)), found.span, (found,))
        if found.kind.name not in ("list", "unknown"):
            self._wrong(found, list_of(UNKNOWN, 0), "")
            return replace(found, kind=UNKNOWN)
        return found

    def _all_pieces(self) -> int:
        return sum(kind.total for kind in self.world.pieces.values())

    def _wrong(self, found: Expr, kind: Kind, what: str) -> None:
        wanted = "a list" if kind.name == "list" else "a number" if kind.name == "number" else describe(kind)
        code = "R406" if kind.name == "list" else "R401"
        self.world.problems.add(
            code,
            f"{what + ' must be' if what else 'here must stand'} {wanted}, and this is {describe(found.kind)}",
            found.span,
        )

    def looked_at(self, piece: Expr, form: Form) -> None:
        """The acting player may not base a decision on what he cannot see."""
        if not self.private:
            return
        for name in sorted(piece.kind.families):
            face = self.world.piles[name].face
            if face == "down" or (face == "owner" and not piece.kind.mine):
                whose = "" if face == "down" else " of another player"
                self.world.problems.add(
                    "R510",
                    f"this condition looks at a hidden piece: nobody who decides here sees `{name}`{whose}",
                    form.span,
                    help="a legal move may depend only on what the player sees",
                )

    # ---- terms and columns -------------------------------------------------------------------------------------------

    def call_term(self, form: Form, name: str, args: tuple[Expr, ...], scope: Scope) -> Expr:
        source = self.world.terms[name]
        source.used = True
        if len(args) != len(source.parameters):
            self.problem(
                "R403",
                f"`{name}` takes {_arguments(len(source.parameters))}, not {len(args)}",
                form,
                help=f"it is defined as `{name}({', '.join(source.parameters)})`" if source.parameters else "",
            )
            return self.unknown(form)
        key = ("term", name, tuple(a.kind for a in args), scope.me is not None, self.private)
        instance = self._instance(key, name, source, args, form, scope, None)
        return self._call(form, instance, args, scope) if instance else self.unknown(form)

    def call_column(
        self, form: Form, table: Table, column: Column, value: Expr, args: tuple[Expr, ...], scope: Scope
    ) -> Expr:
        """A column whose cells are formulas: of one row if the row is known, else of whichever it is."""
        all_args = (value, *args)
        rows = table.rows if value.op != "const" else (table.rows[value.value],)
        instances = [self._cell_instance(table, column, row, all_args, form, scope) for row in rows]
        found = [i for i in instances if i is not None]
        if len(found) != len(instances) or not found:
            return self.unknown(form)
        if len(found) == 1 and value.op == "const":
            return self._call(form, found[0], all_args, scope)
        kind = found[0].body.kind
        for other in found[1:]:
            kind = join(kind, other.body.kind) or kind
        acting = (names.me(self, form, scope),) if any(i.uses_me for i in found) else ()
        kind = kind.maybe(kind.optional or (value.kind.optional and kind.name != "bool"))
        return Expr("column", kind, form.span, (*all_args, *acting), tuple(found))

    def _cell_instance(
        self, table: Table, column: Column, row: str, args: tuple[Expr, ...], form: Form, scope: Scope
    ) -> Instance | None:
        name = f"{table.name}.{row}.{column.name}"
        source = TermSource(name, ("row", *column.parameters), column.forms[row], column.forms[row].span)
        key = (
            "column",
            name,
            args[0].kind.maybe(False),
            tuple(a.kind for a in args[1:]),
            scope.me is not None,
            self.private,
        )
        instance = self._instance(key, name, source, args, form, scope, table.name)
        if instance is not None:
            self.fit(instance.body, column.kind, what=f"column `{column.name}`")
        return instance

    def _instance(
        self,
        key: tuple[object, ...],
        name: str,
        source: TermSource,
        args: tuple[Expr, ...],
        form: Form,
        scope: Scope,
        table: str | None,
    ) -> Instance | None:
        if key in self.world.instances:
            return self.world.instances[key]
        if any(name == open_name for open_name, _ in self._building):
            chain = [n for n, _ in self._building] + [name]
            self.world.problems.add(
                "R308",
                f"`{name}` is defined by itself",
                source.span,
                notes=[" → ".join(chain[chain.index(name) :])],
                help="a term may not use itself, even through others",
            )
            return None
        self._building.append((name, form.span))
        instance = self._build(name, source, args, scope, table)
        self._building.pop()
        self.world.instances[key] = instance
        return instance

    def _build(
        self, name: str, source: TermSource, args: tuple[Expr, ...], scope: Scope, table: str | None
    ) -> Instance:
        variables = tuple(
            Var(p, a.kind if not (table and i == 0) else a.kind.maybe(False))
            for i, (p, a) in enumerate(zip(source.parameters, args, strict=True))
        )
        own_me = Var("me", PLAYER)
        inner = Scope(me=own_me if scope.me is not None else None).bind(*variables)
        body = self.check(source.form, inner if table is None else replace(inner, row=variables[0]))
        uses = any(e.op == "local" and e.value is own_me for e in body.walk())
        return Instance(
            name, len(self.world.instances) + len(self._building) * 10_000, variables, own_me, body, uses_me=uses
        )

    def _call(self, form: Form, instance: Instance, args: tuple[Expr, ...], scope: Scope) -> Expr:
        acting = (names.me(self, form, scope),) if instance.uses_me else ()
        return Expr("term", instance.body.kind, form.span, (*args, *acting), instance)


def _arguments(count: int) -> str:
    return "no arguments" if count == 0 else "one argument" if count == 1 else f"{count} arguments"


# ---- leaves ----------------------------------------------------------------------------------------------------------


def _number(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    return Expr("const", number(form.number, form.number), form.span, value=form.number)


def _broken(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    """What could not be read has been reported; nothing shall follow from it."""
    return checker.unknown(form)


def _truth(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    return Expr("const", BOOL, form.span, value=form.op == "true")


def _none(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    value = absent_of(expected) if expected is not None else -1
    return Expr("const", expected.maybe() if expected is not None else NOTHING, form.span, value=value)


# ---- truth -----------------------------------------------------------------------------------------------------------


def _junction(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    word = form.op.strip("_")
    left = checker.need(form.part(0), scope, BOOL, what=f"each side of `{word}`")
    if word != "not" and scope.lacking and _decided(left, word == "or"):
        return Expr(
            "const", BOOL, form.span, value=word == "or"
        )  # what follows may mention bindings that this move has not
    rest = tuple(checker.need(p, scope, BOOL, what=f"each side of `{word}`") for p in form.parts[1:] if p)
    return Expr(word, BOOL, form.span, (left, *rest))


def _decided(left: Expr, decides: bool) -> bool:
    """Is the left side of an `and` false, or of an `or` true, whatever happens?"""
    if left.op == "const":
        return left.kind == BOOL and bool(left.value) == decides
    if left.op in ("same", "differs") and all(a.op == "const" for a in left.args):
        alike = bool(left.args[0].value == left.args[1].value)
        return (alike == (left.op == "same")) == decides
    return False


def _sides(checker: FormulaChecker, form: Form, scope: Scope) -> tuple[Expr, Expr]:
    """Both sides of a comparison: each may say what names on the other side mean."""
    left, right = form.part(0), form.part(1)
    if left.op == "name" and right.op != "name" and not _resolves(checker, left, scope):
        other = checker.check(right, scope)
        return checker.check(left, scope, other.kind), other
    first = checker.check(left, scope)
    return first, checker.check(right, scope, first.kind)


def _resolves(checker: FormulaChecker, form: Form, scope: Scope) -> bool:
    world = checker.world
    sections = (world.options, world.piles, world.state, world.terms, world.tables)
    return form.name in scope.names or any(form.name in s for s in sections) or form.name in NAMES


def _same(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    left, right = _sides(checker, form, scope)
    if not comparable(left.kind, right.kind):
        message = f"{describe(left.kind)} is never {describe(right.kind)}"
        checker.world.problems.add(
            "R402", message, form.span, label="compared here", help=_compare_help(left.kind, right.kind)
        )
    return Expr("same" if form.op == "is_" else "differs", BOOL, form.span, (left, right))


def _compare_help(left: Kind, right: Kind) -> str:
    kinds = {left.name, right.name}
    if kinds == {"row", "number"}:
        return "a row's place in its table is `.order`"
    if kinds == {"piece", "row"}:
        return "compare an attribute of the piece: `card.rank`, `card.suit`"
    return ""


def _absent(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    value = checker.check(form.part(0), scope)
    if value.kind.name == "list":
        checker.problem("R401", "a list is never absent", form, help="write `is empty`")
    found = Expr("absent", BOOL, form.span, (value,))
    return found if form.op == "is_none" else Expr("not", BOOL, form.span, (found,))


def _empty(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    items = checker.as_list(checker.check(form.part(0), scope))
    found = Expr("empty", BOOL, form.span, (items,))
    return found if form.op == "is_empty" else Expr("not", BOOL, form.span, (found,))


def _in(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    left = checker.check(form.part(0), scope)
    right = checker.as_list(checker.check(form.part(1), scope, list_of(left.kind, 0)))
    if right.kind.name == "list" and not comparable(left.kind, right.kind.of_item):
        checker.problem("R402", f"{describe(left.kind)} is never in {describe(right.kind)}", form)
    found = Expr("in", BOOL, form.span, (left, right))
    return found if form.op == "in_" else Expr("not", BOOL, form.span, (found,))


def _compare(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    left, right = _sides(checker, form, scope)
    for side in (left, right):
        if side.kind.name not in ("number", "row", "unknown", "nothing"):
            checker.world.problems.add(
                "R402", f"`{form.word}` compares numbers or rows, and this is {describe(side.kind)}", side.span
            )
            return Expr("const", BOOL, form.span, value=False)
    if not comparable(left.kind, right.kind):
        message = f"{describe(left.kind)} cannot be compared with {describe(right.kind)}"
        checker.problem("R402", message, form, help=_compare_help(left.kind, right.kind))
    return Expr("compare", BOOL, form.span, (left, right), form.word)


def _quantifier(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    var, items, inner = _loop(checker, form, form.part(0), scope)
    return Expr(form.word, BOOL, form.span, (items, checker.condition(form.part(1), inner)), var)


def _loop(checker: FormulaChecker, form: Form, source: Form, scope: Scope) -> tuple[Var, Expr, Scope]:
    items = checker.as_list(checker.check(source, scope))
    if form.name in NAMES or form.name in checker.world.seats:
        checker.problem("R309", f"`{form.name}` already means something else", form, help="choose another name")
    var = Var(form.name, items.kind.of_item if items.kind.item else UNKNOWN)
    return var, items, scope.bind(var)


# ---- values ----------------------------------------------------------------------------------------------------------


def _if(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    condition = checker.condition(form.part(0), scope)
    yes = checker.check(form.part(1), scope, expected)
    no = checker.check(form.part(2), scope, expected or yes.kind)
    kind = join(yes.kind, no.kind)
    if kind is None:
        checker.problem(
            "R402",
            f"`then` gives {describe(yes.kind)} and `else` {describe(no.kind)}",
            form,
            help="both must be of one kind",
        )
        return checker.unknown(form)
    return Expr("if", kind, form.span, (condition, yes, no))


def _otherwise(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    value = checker.check(form.part(0), scope, expected)
    other = checker.check(form.part(1), scope, value.kind)
    kind = join(value.kind.maybe(False), other.kind) if value.kind.name != "nothing" else other.kind
    if kind is None:
        checker.problem(
            "R402", f"{describe(value.kind)} or else {describe(other.kind)}: both must be of one kind", form
        )
        return checker.unknown(form)
    return Expr("otherwise", kind, form.span, (value, other))


def _extreme(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    var, items, inner = _loop(checker, form, form.part(0), scope)
    where = checker.condition(form.part(1), inner) if form.parts[1] else None
    by = checker.check(form.part(2), inner)
    if by.kind.name not in ("number", "row", "unknown"):
        checker.problem("R401", f"`by` must be a number, and this is {describe(by.kind)}", form.part(2))
    kind = var.kind.maybe(var.kind.optional or where is not None or items.kind.least == 0 or by.kind.optional)
    always = Expr("const", BOOL, form.span, value=True)
    return Expr(form.word, kind, form.span, (items, where or always, by), var)


def _collected(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    var, items, inner = _loop(checker, form, form.part(0), scope)
    where = checker.condition(form.part(1), inner) if form.parts[1] else None
    item = checker.check(form.part(2), inner)
    always = Expr("const", BOOL, form.span, value=True)
    kind = list_of(item.kind, items.kind.most, 0 if where else items.kind.least)
    return Expr("collect", kind, form.span, (items, where or always, item), var)


def _list(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    wanted = expected.item if expected is not None and expected.name == "list" else None
    items: list[Expr] = []
    kind: Kind | None = None
    for part in form.parts:
        assert part is not None
        item = checker.check(part, scope, wanted or kind)
        kind = item.kind if kind is None else join(kind, item.kind)
        if kind is None:
            checker.world.problems.add(
                "R402",
                f"{describe(item.kind)}, and the first of this list is {describe(items[0].kind)}: a list holds one kind",
                item.span,
            )
            return checker.unknown(form)
        items.append(item)
    assert kind is not None
    return Expr("list", list_of(kind, len(items), len(items)), form.span, tuple(items))


def _range(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    low, high = (checker.need(p, scope, number(0, 0), present=True) for p in (form.part(0), form.part(1)))
    most, least = max(0, high.kind.high - low.kind.low + 1), max(0, high.kind.low - low.kind.high + 1)
    item = number(low.kind.low, max(low.kind.low, high.kind.high))
    return Expr("range", list_of(item, most, least), form.span, (low, high))


def _arithmetic(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    left, right = checker.check(form.part(0), scope), checker.check(form.part(1), scope)
    if form.op == "add" and {"list", "pile"} & {left.kind.name, right.kind.name}:
        return _concat(checker, form, left, right)
    for side in (left, right):
        if side.kind.name not in ("number", "unknown", "nothing"):
            checker.world.problems.add("R401", f"this needs a number, and this is {describe(side.kind)}", side.span)
            return checker.unknown(form)
    word = {"add": "+", "subtract": "-"}.get(form.op, form.word)
    if word in ("div", "mod") and right.kind.low <= 0 <= right.kind.high:
        checker.world.problems.add("R407", f"`{word}` by a number that may be 0", right.span)
    kind = _bounds(word, left.kind, right.kind).maybe(left.kind.optional or right.kind.optional)
    return Expr("arith", kind, form.span, (left, right), word)


def _concat(checker: FormulaChecker, form: Form, left: Expr, right: Expr) -> Expr:
    both = checker.as_list(left), checker.as_list(right)
    if "unknown" in (both[0].kind.name, both[1].kind.name):
        return checker.unknown(form)
    item = join(both[0].kind.of_item, both[1].kind.of_item)
    if item is None:
        checker.problem("R402", "a list holds one kind", form)
        return checker.unknown(form)
    most, least = both[0].kind.most + both[1].kind.most, both[0].kind.least + both[1].kind.least
    return Expr("concat", list_of(item, most, least), form.span, both)


def _bounds(word: str, a: Kind, b: Kind) -> Kind:
    """Interval arithmetic."""
    if word == "+":
        return number(a.low + b.low, a.high + b.high)
    if word == "-":
        return number(a.low - b.high, a.high - b.low)
    if word == "*":
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        return number(min(corners), max(corners))
    if word == "mod":
        return number(0, max(0, max(abs(b.low), abs(b.high)) - 1)) if b.low > 0 else number(-abs(b.high), abs(b.high))
    divisors = [d for d in (b.low, b.high) if d] or [1]
    corners = [x // d for x in (a.low, a.high) for d in divisors]
    return number(min(corners), max(corners))


def _negate(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    value = checker.need(form.part(0), scope, number(0, 0))
    return Expr("neg", number(-value.kind.high, -value.kind.low).maybe(value.kind.optional), form.span, (value,))


# ---- calls -----------------------------------------------------------------------------------------------------------


def _call(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    world = checker.world
    if form.name in world.doubtful:
        return checker.unknown(form)
    if form.name in world.terms:
        args = tuple(checker.check(p, scope) for p in form.parts if p)
        return checker.call_term(form, form.name, args, scope)
    word = WORDS.get(form.name)
    if word is None:
        known = [*WORDS, *world.terms]
        if form.name in world.piles or form.name in world.state:
            checker.problem("R417", f"`{form.name}` is not called", form, help=f"write `{form.name} of …`")
        else:
            unknown(world, "R303", "word or term", form.name, known, form.span)
        return checker.unknown(form)
    return _word(checker, form, word, scope)


def _word(checker: FormulaChecker, form: Form, word: Word, scope: Scope) -> Expr:
    parts = [p for p in form.parts if p]
    if len(parts) < len(word.takes) - word.optional or (len(parts) > len(word.takes) and not word.many):
        checker.problem(
            "R403", f"`{word.name}` is written `{word.usage}`", form, label=f"{_arguments(len(parts))} here"
        )
        return checker.unknown(form)
    args = [
        _argument(checker, p, word.takes[min(i, len(word.takes) - 1)], len(parts), scope) for i, p in enumerate(parts)
    ]
    if any(a.kind.name == "unknown" for a in args):
        return checker.unknown(form)
    if args[0].kind.name == "pair":
        return Expr(
            "member", PLAYER.maybe(args[0].kind.optional), form.span, (args[0],), 0 if word.name == "first" else 1
        )
    kind = word.kinds([a.kind for a in args])
    if isinstance(kind, str):
        checker.problem("R401", kind, form)
        return checker.unknown(form)
    return Expr("word", kind, form.span, tuple(args), word.name)


def _argument(checker: FormulaChecker, form: Form, role: str, count: int, scope: Scope) -> Expr:
    if role == "list or number":
        role = "list" if count == 1 else "number"
    if role in ("number", "player", "piece"):
        kind = Kind(role) if role != "number" else number(0, 0)
        return checker.need(form, scope, kind, present=role == "player")
    value = checker.check(form, scope)
    if role == "list":
        return value if value.kind.name == "pair" else checker.as_list(value)
    if role == "piles" and value.kind.name == "pile":
        return Expr("list", list_of(value.kind, 1, 0 if value.kind.optional else 1), form.span, (value,))
    wanted = (
        value.kind.name == "pile"
        if role == "pile"
        else value.kind.name == "list" and value.kind.of_item.name in ("pile", "unknown")
    )
    if not wanted and value.kind.name != "unknown":
        what = "a pile" if role == "pile" else "a pile or a family of piles"
        checker.problem("R401", f"here must stand {what}, and this is {describe(value.kind)}", form)
        return checker.unknown(form)
    return value


def _cell(checker: FormulaChecker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    owner = checker.check(form.part(0), scope)
    args = tuple(checker.check(p, scope) for p in form.parts[1:] if p)
    if owner.kind.name == "row":
        return names.column(checker, owner, form, scope, args)
    if owner.kind.name != "unknown":
        checker.problem("R302", f"{describe(owner.kind)} has no columns", form)
    return checker.unknown(form)


_CHECKS: dict[str, Check] = {
    "name": names.resolve,
    "of": names.member,
    "at": names.numbered,
    "attribute": names.attribute,
    "number": _number,
    "true": _truth,
    "false": _truth,
    "none": _none,
    "and_": _junction,
    "or_": _junction,
    "not_": _junction,
    "is_": _same,
    "is_not": _same,
    "is_none": _absent,
    "is_not_none": _absent,
    "is_empty": _empty,
    "is_not_empty": _empty,
    "in_": _in,
    "not_in": _in,
    "compare": _compare,
    "quantifier": _quantifier,
    "if_": _if,
    "otherwise": _otherwise,
    "extreme": _extreme,
    "collected": _collected,
    "list": _list,
    "range": _range,
    "add": _arithmetic,
    "subtract": _arithmetic,
    "multiply": _arithmetic,
    "broken": _broken,
    "negate": _negate,
    "call": _call,
    "cell": _cell,
}
