"""Rules for values: conditional values, choices from lists, numbers and lists."""

from __future__ import annotations

from hoyle.checking.formulas.checker import Checker, as_single_list, fit_absent
from hoyle.checking.formulas.conditions import bind_loop
from hoyle.checking.formulas.presence import find_present
from hoyle.checking.formulas.symbols import Scope
from hoyle.language import ir
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
from hoyle.language.syntax import Form

_ARITHMETIC: dict[str, ir.Arithmetic] = {"add": "+", "subtract": "-", "*": "*", "div": "div", "mod": "mod"}
_EXTREMES: dict[str, ir.Extreme] = {"most": "most", "least": "least"}


def check_if(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> ir.Expr:
    condition = checker.check_condition(form.part(0), scope)
    with checker.assuming(find_present(condition)):
        yes = checker.check(form.part(1), scope, expected)
    with checker.assuming(find_present(condition, holds=False)):
        no = checker.check(form.part(2), scope, expected or yes.kind)
    if "list" in (yes.kind.name, no.kind.name):
        yes, no = as_single_list(form.part(1), yes), as_single_list(form.part(2), no)
    if {yes.kind.name, no.kind.name} == {"pile", "list"}:
        yes, no = checker.as_list(yes), checker.as_list(no)
    kind = join(yes.kind, no.kind)
    if kind is None:
        checker.symbols.report(
            "R402", "values.then_else", form.span, yes=describe(yes.kind), no=describe(no.kind), help="values.one_kind"
        )
        return checker.make_unknown(form)
    return ir.If(kind, form.span, condition, fit_absent(yes, kind), fit_absent(no, kind))


def check_otherwise(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> ir.Expr:
    value = checker.check(form.part(0), scope, expected)
    other = checker.check(form.part(1), scope, value.kind)
    kind = join(value.kind.maybe(False), other.kind) if value.kind.name != "nothing" else other.kind
    if kind is None:
        checker.symbols.report(
            "R402", "values.or_else", form.span, value=describe(value.kind), other=describe(other.kind)
        )
        return checker.make_unknown(form)
    return ir.Otherwise(kind, form.span, value, fit_absent(other, kind))


def check_extreme(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> ir.Expr:
    var, items, inner = bind_loop(checker, form, form.part(0), scope)
    where = checker.check_condition(form.part(1), inner) if form.parts[1] else None
    with checker.assuming(find_present(where) if where else frozenset()):
        by = _check_measures(checker, form.part(2), inner)
    absent = where is not None or lengths(items.kind)[0] == 0 or any(e.kind.optional for e in by)
    kind = var.kind.maybe(var.kind.optional or absent)
    always = ir.Const(BOOL, form.span, True)
    return ir.Chosen(kind, form.span, _EXTREMES[form.word], var, items, where or always, by)


def _check_measures(checker: Checker, form: Form, scope: Scope) -> tuple[ir.Expr, ...]:
    """Check the formulas behind `by`: numbers or rows, several of them in parentheses."""
    found = []
    for part in form.parts if form.op == "list" and form.parts else (form,):
        assert part is not None
        found.append(checker.check(part, scope))
        if found[-1].kind.name not in ("number", "row", "unknown"):
            checker.symbols.report("R401", "values.by_must_be", part.span, found=describe(found[-1].kind))
    return tuple(found)


def check_collected(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> ir.Expr:
    if form.parts[3] is not None:
        checker.symbols.report("R401", "values.by_sorted", form.part(3).span, help="values.write_sorted")
    return _check_comprehension(checker, form, scope)


def check_sorted(checker: Checker, form: Form, scope: Scope) -> ir.Expr:
    """Check `sorted(e for x in xs by k)`."""
    found = _check_comprehension(checker, form, scope)
    for measure in found.by:
        if measure.kind.optional:
            checker.symbols.report("R404", "values.sorted_absent", measure.span, help="instead.what_then")
    return found


def _check_comprehension(checker: Checker, form: Form, scope: Scope) -> ir.Collect:
    var, items, inner = bind_loop(checker, form, form.part(0), scope)
    where = checker.check_condition(form.part(1), inner) if form.parts[1] else None
    with checker.assuming(find_present(where) if where else frozenset()):
        item = checker.check(form.part(2), inner)
        by = _check_measures(checker, form.part(3), inner) if form.parts[3] is not None else ()
    always = ir.Const(BOOL, form.span, True)
    least, most = lengths(items.kind)
    kind = List(item.kind, most, 0 if where else least)
    return ir.Collect(kind, form.span, var, items, where or always, item, by)


def check_list_literal(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> ir.Expr:
    wanted = expected.item if expected is not None and expected.name == "list" else None
    items: list[ir.Expr] = []
    kind: Kind | None = None
    for part in form.parts:
        assert part is not None
        item = checker.check(part, scope, wanted or kind)
        kind = item.kind if kind is None else join(kind, item.kind)
        if kind is None:
            checker.symbols.report(
                "R402", "values.first_of_list", item.span, item=describe(item.kind), first=describe(items[0].kind)
            )
            return checker.make_unknown(form)
        items.append(item)
    kind = kind or wanted or NOTHING
    return ir.Listed(List(kind, len(items), len(items)), form.span, tuple(fit_absent(item, kind) for item in items))


def check_range(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> ir.Expr:
    low, high = (checker.check_as(p, scope, SOME_NUMBER, present=True) for p in (form.part(0), form.part(1)))
    (first, latest), (soonest, last) = bounds(low.kind), bounds(high.kind)
    kind = List(number(first, max(first, last)), max(0, last - first + 1), max(0, soonest - latest + 1))
    return ir.Range(kind, form.span, low, high)


def check_arithmetic(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> ir.Expr:
    left, right = checker.check(form.part(0), scope), checker.check(form.part(1), scope)
    if form.op == "add" and {"list", "pile"} & {left.kind.name, right.kind.name}:
        return _concatenate(checker, form, left, right)
    for side in (left, right):
        if side.kind.name not in ("number", "unknown", "nothing"):
            checker.symbols.report("R401", "values.needs_number", side.span, found=describe(side.kind))
            return checker.make_unknown(form)
    if "unknown" in (left.kind.name, right.kind.name):
        return checker.make_unknown(form)
    word = _ARITHMETIC[form.word or form.op]
    one, other = (Number(*bounds(side.kind)) for side in (left, right))
    if word in ("div", "mod") and other.low <= 0 <= other.high:
        checker.symbols.report("R407", "values.may_be_zero", right.span, word=word)
        return checker.make_unknown(form)
    kind = _interval(word, one, other).maybe(left.kind.optional or right.kind.optional)
    return ir.Arith(kind, form.span, left, right, word)


def _concatenate(checker: Checker, form: Form, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    left, right = as_single_list(form.part(0), left), as_single_list(form.part(1), right)
    if _is_item(left, right) or _is_item(right, left):
        one = left if _is_item(left, right) else right
        checker.symbols.report(
            "R406",
            "conditions.list_needed",
            one.span,
            found=describe(one.kind),
            text=one.span.text,
            help="values.list_of_one",
        )
        return checker.make_unknown(form)
    both = checker.as_list(left), checker.as_list(right)
    if "unknown" in (both[0].kind.name, both[1].kind.name):
        return checker.make_unknown(form)
    joined = join(both[0].kind, both[1].kind)
    if joined is None:
        checker.symbols.report("R402", "values.list_kind", form.span)
        return checker.make_unknown(form)
    least, most = (a + b for a, b in zip(lengths(both[0].kind), lengths(both[1].kind), strict=True))
    return ir.Concat(List(joined.of_item, most, least), form.span, *both)


def _is_item(one: ir.Expr, items: ir.Expr) -> bool:
    """Return whether a value is no list but could be an item of one."""
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


def check_without(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> ir.Expr:
    """Check `xs without y`, where y is an item or a list."""
    items = checker.check_list(form.part(0), scope, expected)
    if items.kind.name != "list":
        return checker.make_unknown(form)
    taken = checker.check(form.part(1), scope, items.kind.of_item)
    if comparable(taken.kind, items.kind.of_item) and taken.kind.name != "unknown":
        taken = ir.Listed(List(taken.kind, 1, 1), taken.span, (taken,))
    taken = checker.as_list(taken)
    if taken.kind.name != "list":
        return checker.make_unknown(form)
    if not comparable(taken.kind.of_item, items.kind.of_item):
        checker.symbols.report(
            "R402", "conditions.never_in", form.span, left=describe(taken.kind), right=describe(items.kind)
        )
        return checker.make_unknown(form)
    checker.check_distinguished(items.kind, items.span)
    checker.check_distinguished(taken.kind, taken.span)
    (least, most), fewer = lengths(items.kind), lengths(taken.kind)[1]
    return ir.Without(List(items.kind.of_item, most, max(0, least - fewer)), form.span, items, taken)


def _interval(word: ir.Arithmetic, a: Number, b: Number) -> Number:
    """Compute the bounds of a result. The divisor is never 0; the result of `mod` has its sign."""
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


def check_negation(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> ir.Expr:
    value = checker.check_as(form.part(0), scope, SOME_NUMBER)
    low, high = bounds(value.kind)
    kind = Number(-high, -low).maybe(value.kind.optional)
    return ir.Neg(kind, form.span, value)
