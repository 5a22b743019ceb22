"""Rules for values: conditional values, choices from lists, numbers and lists."""

from __future__ import annotations

from hoyle.checking.formulas.checker import Checker, as_single_list, fit_absent
from hoyle.checking.formulas.conditions import bind_loop
from hoyle.checking.formulas.presence import find_present
from hoyle.checking.formulas.symbols import Scope
from hoyle.language import ir
from hoyle.language.syntax import Form
from hoyle.language.value_types import (
    BOOL,
    NOTHING,
    SOME_NUMBER,
    List,
    Number,
    Pile,
    ValueType,
    describe_type,
    get_bounds,
    get_lengths,
    is_comparable,
    join_types,
    make_number_type,
)

_ARITHMETIC: dict[str, ir.Arithmetic] = {"add": "+", "subtract": "-", "*": "*", "div": "div", "mod": "mod"}
_EXTREMES: dict[str, ir.Extreme] = {"most": "most", "least": "least"}


def check_if(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    condition = checker.check_condition(form.part(0), scope)
    with checker.assuming(find_present(condition)):
        yes = checker.check(form.part(1), scope, expected)
    with checker.assuming(find_present(condition, holds=False)):
        no = checker.check(form.part(2), scope, expected or yes.type)
    if "list" in (yes.type.name, no.type.name):
        yes, no = as_single_list(form.part(1), yes), as_single_list(form.part(2), no)
    if {yes.type.name, no.type.name} == {"pile", "list"}:
        yes, no = checker.as_list(yes), checker.as_list(no)
    value_type = join_types(yes.type, no.type)
    if value_type is None:
        checker.symbols.report(
            "R402",
            "values.then_else",
            form.span,
            yes=describe_type(yes.type),
            no=describe_type(no.type),
            help="values.one_kind",
        )
        return checker.make_unknown(form)
    return ir.If(value_type, form.span, condition, fit_absent(yes, value_type), fit_absent(no, value_type))


def check_otherwise(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    value = checker.check(form.part(0), scope, expected)
    other = checker.check(form.part(1), scope, value.type)
    value_type = join_types(value.type.with_optional(False), other.type) if value.type.name != "nothing" else other.type
    if value_type is None:
        checker.symbols.report(
            "R402", "values.or_else", form.span, value=describe_type(value.type), other=describe_type(other.type)
        )
        return checker.make_unknown(form)
    return ir.Otherwise(value_type, form.span, value, fit_absent(other, value_type))


def check_extreme(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    var, items, inner = bind_loop(checker, form, form.part(0), scope)
    where = checker.check_condition(form.part(1), inner) if form.parts[1] else None
    with checker.assuming(find_present(where) if where else frozenset()):
        by = _check_measures(checker, form.part(2), inner)
    absent = where is not None or get_lengths(items.type)[0] == 0 or any(e.type.optional for e in by)
    value_type = var.type.with_optional(var.type.optional or absent)
    always = ir.Const(BOOL, form.span, True)
    return ir.Chosen(value_type, form.span, _EXTREMES[form.word], var, items, where or always, by)


def _check_measures(checker: Checker, form: Form, scope: Scope) -> tuple[ir.Expr, ...]:
    """Check the formulas behind `by`: numbers or rows, several of them in parentheses."""
    found = []
    for part in form.parts if form.op == "list" and form.parts else (form,):
        assert part is not None
        found.append(checker.check(part, scope))
        if found[-1].type.name not in ("number", "row", "unknown"):
            checker.symbols.report("R401", "values.by_must_be", part.span, found=describe_type(found[-1].type))
    return tuple(found)


def check_collected(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    if form.parts[3] is not None:
        checker.symbols.report("R401", "values.by_sorted", form.part(3).span, help="values.write_sorted")
    return _check_comprehension(checker, form, scope)


def check_sorted(checker: Checker, form: Form, scope: Scope) -> ir.Expr:
    """Check `sorted(e for x in xs by k)`."""
    found = _check_comprehension(checker, form, scope)
    for measure in found.by:
        if measure.type.optional:
            checker.symbols.report("R404", "values.sorted_absent", measure.span, help="instead.what_then")
    return found


def _check_comprehension(checker: Checker, form: Form, scope: Scope) -> ir.Collect:
    var, items, inner = bind_loop(checker, form, form.part(0), scope)
    where = checker.check_condition(form.part(1), inner) if form.parts[1] else None
    with checker.assuming(find_present(where) if where else frozenset()):
        item = checker.check(form.part(2), inner)
        by = _check_measures(checker, form.part(3), inner) if form.parts[3] is not None else ()
    always = ir.Const(BOOL, form.span, True)
    least, most = get_lengths(items.type)
    value_type = List(item.type, most, 0 if where else least)
    return ir.Collect(value_type, form.span, var, items, where or always, item, by)


def check_list_literal(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    wanted = expected.item if expected is not None and expected.name == "list" else None
    items: list[ir.Expr] = []
    value_type: ValueType | None = None
    for part in form.parts:
        assert part is not None
        item = checker.check(part, scope, wanted or value_type)
        value_type = item.type if value_type is None else join_types(value_type, item.type)
        if value_type is None:
            checker.symbols.report(
                "R402",
                "values.first_of_list",
                item.span,
                item=describe_type(item.type),
                first=describe_type(items[0].type),
            )
            return checker.make_unknown(form)
        items.append(item)
    value_type = value_type or wanted or NOTHING
    return ir.Listed(
        List(value_type, len(items), len(items)), form.span, tuple(fit_absent(item, value_type) for item in items)
    )


def check_range(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    low, high = (checker.check_as(p, scope, SOME_NUMBER, present=True) for p in (form.part(0), form.part(1)))
    (first, latest), (soonest, last) = get_bounds(low.type), get_bounds(high.type)
    value_type = List(make_number_type(first, max(first, last)), max(0, last - first + 1), max(0, soonest - latest + 1))
    return ir.Range(value_type, form.span, low, high)


def check_arithmetic(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    left, right = checker.check(form.part(0), scope), checker.check(form.part(1), scope)
    if form.op == "add" and {"list", "pile"} & {left.type.name, right.type.name}:
        return _concatenate(checker, form, left, right)
    for side in (left, right):
        if side.type.name not in ("number", "unknown", "nothing"):
            checker.symbols.report("R401", "values.needs_number", side.span, found=describe_type(side.type))
            return checker.make_unknown(form)
    if "unknown" in (left.type.name, right.type.name):
        return checker.make_unknown(form)
    word = _ARITHMETIC[form.word or form.op]
    one, other = (Number(*get_bounds(side.type)) for side in (left, right))
    if word in ("div", "mod") and other.low <= 0 <= other.high:
        checker.symbols.report("R407", "values.may_be_zero", right.span, word=word)
        return checker.make_unknown(form)
    value_type = _interval(word, one, other).with_optional(left.type.optional or right.type.optional)
    return ir.Arith(value_type, form.span, left, right, word)


def _concatenate(checker: Checker, form: Form, left: ir.Expr, right: ir.Expr) -> ir.Expr:
    left, right = as_single_list(form.part(0), left), as_single_list(form.part(1), right)
    if _is_item(left, right) or _is_item(right, left):
        one = left if _is_item(left, right) else right
        checker.symbols.report(
            "R406",
            "conditions.list_needed",
            one.span,
            found=describe_type(one.type),
            text=one.span.text,
            help="values.list_of_one",
        )
        return checker.make_unknown(form)
    both = checker.as_list(left), checker.as_list(right)
    if "unknown" in (both[0].type.name, both[1].type.name):
        return checker.make_unknown(form)
    joined = join_types(both[0].type, both[1].type)
    if joined is None:
        checker.symbols.report("R402", "values.list_kind", form.span)
        return checker.make_unknown(form)
    least, most = (a + b for a, b in zip(get_lengths(both[0].type), get_lengths(both[1].type), strict=True))
    return ir.Concat(List(joined.item_type, most, least), form.span, *both)


def _is_item(one: ir.Expr, items: ir.Expr) -> bool:
    """Return whether a value is no list but could be an item of one."""
    item = (
        items.type.item_type
        if items.type.name == "list"
        else items.type.piece
        if isinstance(items.type, Pile)
        else NOTHING
    )
    return (
        one.type.name not in ("list", "pile", "unknown", "nothing")
        and item != NOTHING
        and is_comparable(one.type, item)
    )


def check_without(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    """Check `xs without y`, where y is an item or a list."""
    items = checker.check_list(form.part(0), scope, expected)
    if items.type.name != "list":
        return checker.make_unknown(form)
    taken = checker.check(form.part(1), scope, items.type.item_type)
    if is_comparable(taken.type, items.type.item_type) and taken.type.name != "unknown":
        taken = ir.Listed(List(taken.type, 1, 1), taken.span, (taken,))
    taken = checker.as_list(taken)
    if taken.type.name != "list":
        return checker.make_unknown(form)
    if not is_comparable(taken.type.item_type, items.type.item_type):
        checker.symbols.report(
            "R402", "conditions.never_in", form.span, left=describe_type(taken.type), right=describe_type(items.type)
        )
        return checker.make_unknown(form)
    checker.check_distinguished(items.type, items.span)
    checker.check_distinguished(taken.type, taken.span)
    (least, most), fewer = get_lengths(items.type), get_lengths(taken.type)[1]
    return ir.Without(List(items.type.item_type, most, max(0, least - fewer)), form.span, items, taken)


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


def check_negation(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    value = checker.check_as(form.part(0), scope, SOME_NUMBER)
    low, high = get_bounds(value.type)
    value_type = Number(-high, -low).with_optional(value.type.optional)
    return ir.Neg(value_type, form.span, value)
