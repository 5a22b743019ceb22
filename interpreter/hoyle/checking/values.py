"""Values: choice, numbers, lists."""

from __future__ import annotations

from hoyle.checking.checker import Checker, alone, of_kind
from hoyle.checking.conditions import loop
from hoyle.checking.facts import told
from hoyle.checking.world import Scope
from hoyle.language.ir import (
    Arith,
    Arithmetic,
    Chosen,
    Collect,
    Concat,
    Const,
    Expr,
    Extreme,
    If,
    Listed,
    Neg,
    Otherwise,
    Range,
    Without,
)
from hoyle.language.kinds import (
    BOOL,
    NOTHING,
    SOME_NUMBER,
    Kind,
    List,
    Number,
    Pile,
    bounds,
    comparable,
    describe,
    join,
    lengths,
    number,
)
from hoyle.language.sentences import said
from hoyle.language.syntax import Form

_ARITHMETIC: dict[str, Arithmetic] = {"add": "+", "subtract": "-", "*": "*", "div": "div", "mod": "mod"}
_EXTREMES: dict[str, Extreme] = {"most": "most", "least": "least"}


def branch(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    condition = checker.condition(form.part(0), scope)
    with checker.knowing(told(condition)):
        yes = checker.check(form.part(1), scope, expected)
    with checker.knowing(told(condition, holds=False)):
        no = checker.check(form.part(2), scope, expected or yes.kind)
    if "list" in (yes.kind.name, no.kind.name):
        yes, no = alone(form.part(1), yes), alone(form.part(2), no)
    if {yes.kind.name, no.kind.name} == {"pile", "list"}:
        yes, no = checker.as_list(yes), checker.as_list(no)
    kind = join(yes.kind, no.kind)
    if kind is None:
        checker.problem(
            "R402",
            said("values.then_else", yes=describe(yes.kind), no=describe(no.kind)),
            form,
            help=said("values.one_kind"),
        )
        return checker.unknown(form)
    return If(kind, form.span, condition, of_kind(yes, kind), of_kind(no, kind))


def otherwise(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    value = checker.check(form.part(0), scope, expected)
    other = checker.check(form.part(1), scope, value.kind)
    kind = join(value.kind.maybe(False), other.kind) if value.kind.name != "nothing" else other.kind
    if kind is None:
        checker.problem("R402", said("values.or_else", value=describe(value.kind), other=describe(other.kind)), form)
        return checker.unknown(form)
    return Otherwise(kind, form.span, value, of_kind(other, kind))


def chosen(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    var, items, inner = loop(checker, form, form.part(0), scope)
    where = checker.condition(form.part(1), inner) if form.parts[1] else None
    with checker.knowing(told(where) if where else frozenset()):
        by = _measures(checker, form.part(2), inner)
    absent = where is not None or lengths(items.kind)[0] == 0 or any(e.kind.optional for e in by)
    kind = var.kind.maybe(var.kind.optional or absent)
    always = Const(BOOL, form.span, True)
    return Chosen(kind, form.span, _EXTREMES[form.word], var, items, where or always, by)


def _measures(checker: Checker, form: Form, scope: Scope) -> tuple[Expr, ...]:
    """What stands after `by`: a number or a row, or several in parentheses."""
    found = []
    for part in form.parts if form.op == "list" and form.parts else (form,):
        assert part is not None
        found.append(checker.check(part, scope))
        if found[-1].kind.name not in ("number", "row", "unknown"):
            checker.problem("R401", said("values.by_must_be", found=describe(found[-1].kind)), part)
    return tuple(found)


def collected(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    if form.parts[3] is not None:
        checker.problem("R401", said("values.by_sorted"), form.part(3), help=said("values.write_sorted"))
    return _collected(checker, form, scope)


def in_order(checker: Checker, form: Form, scope: Scope) -> Expr:
    """`sorted(e for x in xs by k)`"""
    found = _collected(checker, form, scope)
    for measure in found.by:
        if measure.kind.optional:
            message = said("values.sorted_absent")
            checker.world.problems.add("R404", message, measure.span, help=said("instead.what_then"))
    return found


def _collected(checker: Checker, form: Form, scope: Scope) -> Collect:
    var, items, inner = loop(checker, form, form.part(0), scope)
    where = checker.condition(form.part(1), inner) if form.parts[1] else None
    with checker.knowing(told(where) if where else frozenset()):
        item = checker.check(form.part(2), inner)
        by = _measures(checker, form.part(3), inner) if form.parts[3] is not None else ()
    always = Const(BOOL, form.span, True)
    least, most = lengths(items.kind)
    kind = List(item.kind, most, 0 if where else least)
    return Collect(kind, form.span, var, items, where or always, item, by)


def listed(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
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
                said("values.first_of_list", item=describe(item.kind), first=describe(items[0].kind)),
                item.span,
            )
            return checker.unknown(form)
        items.append(item)
    kind = kind or wanted or NOTHING
    return Listed(List(kind, len(items), len(items)), form.span, tuple(of_kind(item, kind) for item in items))


def numbers(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    low, high = (checker.need(p, scope, SOME_NUMBER, present=True) for p in (form.part(0), form.part(1)))
    (first, latest), (soonest, last) = bounds(low.kind), bounds(high.kind)
    kind = List(number(first, max(first, last)), max(0, last - first + 1), max(0, soonest - latest + 1))
    return Range(kind, form.span, low, high)


def arithmetic(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    left, right = checker.check(form.part(0), scope), checker.check(form.part(1), scope)
    if form.op == "add" and {"list", "pile"} & {left.kind.name, right.kind.name}:
        return _concat(checker, form, left, right)
    for side in (left, right):
        if side.kind.name not in ("number", "unknown", "nothing"):
            checker.world.problems.add("R401", said("values.needs_number", found=describe(side.kind)), side.span)
            return checker.unknown(form)
    if "unknown" in (left.kind.name, right.kind.name):
        return checker.unknown(form)
    word = _ARITHMETIC[form.word or form.op]
    one, other = (Number(*bounds(side.kind)) for side in (left, right))
    if word in ("div", "mod") and other.low <= 0 <= other.high:
        checker.world.problems.add("R407", said("values.may_be_zero", word=word), right.span)
        return checker.unknown(form)
    kind = _bounds(word, one, other).maybe(left.kind.optional or right.kind.optional)
    return Arith(kind, form.span, left, right, word)


def _concat(checker: Checker, form: Form, left: Expr, right: Expr) -> Expr:
    left, right = alone(form.part(0), left), alone(form.part(1), right)
    if _is_item(left, right) or _is_item(right, left):
        one = left if _is_item(left, right) else right
        message = said("conditions.list_needed", found=describe(one.kind))
        checker.world.problems.add("R406", message, one.span, help=said("values.list_of_one", text=one.span.text))
        return checker.unknown(form)
    both = checker.as_list(left), checker.as_list(right)
    if "unknown" in (both[0].kind.name, both[1].kind.name):
        return checker.unknown(form)
    joined = join(both[0].kind, both[1].kind)
    if joined is None:
        checker.problem("R402", said("values.list_kind"), form)
        return checker.unknown(form)
    least, most = (a + b for a, b in zip(lengths(both[0].kind), lengths(both[1].kind), strict=True))
    return Concat(List(joined.of_item, most, least), form.span, *both)


def _is_item(one: Expr, items: Expr) -> bool:
    """Is it no list, but like what this list is of?"""
    item = (
        items.kind.of_item
        if items.kind.name == "list"
        else items.kind.piece
        if isinstance(items.kind, Pile)
        else NOTHING
    )
    return (
        one.kind.name not in ("list", "pile", "unknown", "nothing") and item != NOTHING and comparable(one.kind, item)
    )


def without(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    """`xs without y`: less an item, or the items of a list."""
    items = checker.listed(form.part(0), scope, expected)
    if items.kind.name != "list":
        return checker.unknown(form)
    taken = checker.check(form.part(1), scope, items.kind.of_item)
    if comparable(taken.kind, items.kind.of_item) and taken.kind.name != "unknown":
        taken = Listed(List(taken.kind, 1, 1), taken.span, (taken,))
    taken = checker.as_list(taken)
    if taken.kind.name != "list":
        return checker.unknown(form)
    if not comparable(taken.kind.of_item, items.kind.of_item):
        checker.problem(
            "R402", said("conditions.never_in", left=describe(taken.kind), right=describe(items.kind)), form
        )
        return checker.unknown(form)
    checker.told_apart(items.kind, items.span)
    checker.told_apart(taken.kind, taken.span)
    (least, most), fewer = lengths(items.kind), lengths(taken.kind)[1]
    return Without(List(items.kind.of_item, most, max(0, least - fewer)), form.span, items, taken)


def _bounds(word: Arithmetic, a: Number, b: Number) -> Number:
    """Interval arithmetic. What is divided by is never 0; `mod` has its sign."""
    if word == "+":
        return Number(a.low + b.low, a.high + b.high)
    if word == "-":
        return Number(a.low - b.high, a.high - b.low)
    if word == "*":
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        return Number(min(corners), max(corners))
    if word == "mod":
        return Number(0, b.high - 1) if b.low > 0 else Number(b.low + 1, 0)
    corners = [x // d for x in (a.low, a.high) for d in (b.low, b.high)]
    return Number(min(corners), max(corners))


def negated(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    value = checker.need(form.part(0), scope, SOME_NUMBER)
    low, high = bounds(value.kind)
    kind = Number(-high, -low).maybe(value.kind.optional)
    return Neg(kind, form.span, value)
