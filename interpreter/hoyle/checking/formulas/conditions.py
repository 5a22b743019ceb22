"""Rules for conditions: `and`, `or`, `not`, comparisons, tests and quantifiers."""

from __future__ import annotations

from functools import partial
from itertools import takewhile

from msgspec.structs import replace

from hoyle.checking.formulas.checker import Checker, as_single_list
from hoyle.checking.formulas.presence import find_present
from hoyle.checking.formulas.suggestions import suggest_comparison, suggest_in
from hoyle.checking.formulas.symbols import Scope, Suggestion, report_unknown
from hoyle.diagnostics import Fix
from hoyle.language import ir
from hoyle.language.sentences import make_message
from hoyle.language.syntax import Form, Op
from hoyle.language.value_types import BOOL, List, ValueType, describe_type, get_item_type, is_comparable
from hoyle.language.vocabulary import NAMES

_COMPARISONS: dict[str, ir.Comparison] = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}
_QUANTIFIERS: dict[str, ir.Quantifier] = {"some": "some", "every": "every", "no": "no"}


def check_junction(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    word = form.op.strip("_")
    if word != "not" and _report_alternatives(checker, form, scope):
        return checker.make_unknown(form)
    each = partial(make_message, "conditions.each_side", word=word)
    left = checker.check_as(form.part(0), scope, BOOL, what=each)
    if word != "not" and scope.lacking and _is_decided(left, word == "or"):
        return ir.Const(BOOL, form.span, word == "or")  # what follows may mention bindings that this move has not
    with checker.assuming(find_present(left, word == "and")):
        rest = tuple(checker.check_as(p, scope, BOOL, what=each) for p in form.parts[1:] if p)
    if not rest:
        return ir.Not(BOOL, form.span, left)
    return (ir.And if word == "and" else ir.Or)(BOOL, form.span, left, *rest)


def _report_alternatives(checker: Checker, form: Form, scope: Scope) -> bool:
    """Report `x is a or b`, where `b` is another value of `x` and no condition. Return whether it is one."""
    parts = _flatten(form, form.op)
    for first, part in enumerate(parts):
        others = list(takewhile(_is_bare, parts[first + 1 :]))
        if part.op in ("is_", "is_not") and others and _are_values(checker, part.part(0), others, scope):
            _report_bare_values(checker, part, form.op.strip("_"), [part.part(1), *others])
            return True
    return False


def _is_bare(form: Form) -> bool:
    return form.op in ("name", "number")


def _are_values(checker: Checker, left: Form, others: list[Form], scope: Scope) -> bool:
    """Return whether each form could be a value of the form on the left."""
    with checker.checking_silently():
        value_type = checker.check(left, scope).type
        values = [checker.check(other, scope, value_type).type for other in others]
    return all(v.name not in ("bool", "unknown", "nothing") and is_comparable(v, value_type) for v in values)


def _report_bare_values(checker: Checker, test: Form, word: str, values: list[Form]) -> None:
    """Report values that stand for conditions. `test` compares something with the first, and stands before or around the others."""
    negated, others = test.op == "is_not", values[1:] or values
    span = replace(others[0].span, end=others[-1].span.end)
    message, help, fixes = (
        make_message("conditions.each_side_truth", word=word),
        make_message("instead.compare"),
        tuple[Fix, ...](),
    )
    if negated or word == "or":
        help, text = suggest_in(test.part(0), values, negated)
        fixes = (Fix(replace(test.span, end=max(test.span.end, span.end)), text),)
    checker.symbols.problems.add("R401", message, span, help=help, fixes=fixes)


def _flatten(form: Form, op: Op) -> list[Form]:
    """List the operands of `a or b or c`."""
    if form.op != op:
        return [form]
    return [inner for part in form.parts if part for inner in _flatten(part, op)]


def _is_decided(left: ir.Expr, decides: bool) -> bool:
    """Return whether a constant left side decides an `and` (by false) or an `or` (by true)."""
    if isinstance(left, ir.Const):
        return left.type == BOOL and bool(left.value) == decides
    if isinstance(left, ir.Same | ir.Differs) and isinstance(left.left, ir.Const) and isinstance(left.right, ir.Const):
        alike = left.left.value == left.right.value
        return (alike == isinstance(left, ir.Same)) == decides
    return False


def _check_sides(checker: Checker, form: Form, scope: Scope) -> tuple[ir.Expr, ir.Expr]:
    """Check both sides of a comparison. The type of one may resolve names on the other."""
    left, right = form.part(0), form.part(1)
    if left.op == "name" and right.op != "name" and not _is_known_name(checker, left, scope):
        other = checker.check(right, scope)
        return checker.check(left, scope, other.type), other
    first = checker.check(left, scope)
    return first, checker.check(right, scope, first.type)


def _is_known_name(checker: Checker, form: Form, scope: Scope) -> bool:
    symbols = checker.symbols
    sections = (symbols.options, symbols.piles, symbols.state, symbols.terms, symbols.tables)
    return form.name in scope.names or any(form.name in s for s in sections) or form.name in NAMES


def check_same(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    if _report_one_of(checker, form) or _report_any_of(checker, form, scope):
        return checker.make_unknown(form)
    left, right = _check_sides(checker, form, scope)
    if not is_comparable(left.type, right.type):
        checker.symbols.report(
            "R402",
            "conditions.never_is",
            form.span,
            left=describe_type(left.type),
            right=describe_type(right.type),
            label="conditions.compared_here",
            help=(meant := suggest_comparison(checker.symbols, left, right)).help,
            fixes=meant.fixes,
        )
        return checker.make_unknown(form)
    for side in (left, right):
        checker.check_distinguished(side.type, side.span)
    made = ir.Same if form.op == "is_" else ir.Differs
    return made(BOOL, form.span, left, right)


def _report_one_of(checker: Checker, form: Form) -> bool:
    """Report `x is one of (a, b)`. Return whether it is one."""
    right, symbols = form.part(1), checker.symbols
    word = (right.part(0).name or right.part(0).op) if right.op == "of" else ""
    if word not in ("one", "any", "either", "none") or word in symbols.piles or word in symbols.state:
        return False
    asked = "not in" if (form.op == "is_not") != (word == "none") else "in"
    help = _suggest_word(form, form.part(0), asked, right.part(1))
    report_unknown(symbols, "R301", "pile_or_state", word, [], right.part(0).span, help=help)
    return True


def _suggest_word(form: Form, left: Form, word: str, right: Form) -> Suggestion:
    """Suggest to write both sides with this word between them."""
    help = make_message("conditions.write_in", left=left.written, word=word, right=right.written)
    return Suggestion(help, (Fix(form.span, f"{left.written} {word} {right.written}"),))


def _report_any_of(checker: Checker, form: Form, scope: Scope) -> bool:
    """Report `x is (a or b)`. Return whether it is one."""
    right = form.part(1)
    values = _flatten(right, right.op) if right.op in ("or_", "and_") else []
    found = bool(values) and all(map(_is_bare, values)) and _are_values(checker, form.part(0), values, scope)
    if found:
        _report_bare_values(checker, form, right.op.strip("_"), values)
    return found


def check_absent(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    value = checker.check(form.part(0), scope)
    if value.type.name == "list":
        checker.symbols.report(
            "R401",
            "conditions.list_absent",
            form.span,
            help="conditions.write_empty",
            fixes=(Fix(form.span, f"{form.part(0).written} {'is' if form.op == 'is_none' else 'is not'} empty"),),
        )
    elif value.type.name == "bool":
        checker.symbols.report("R401", "conditions.truth_absent", form.span, help="conditions.write_not")
    found = ir.Absent(BOOL, form.span, value)
    return found if form.op == "is_none" else ir.Not(BOOL, form.span, found)


def check_empty(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    items = checker.as_list(checker.check(form.part(0), scope))
    found = ir.Empty(BOOL, form.span, items)
    return found if form.op == "is_empty" else ir.Not(BOOL, form.span, found)


def check_in(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    left = checker.check(form.part(0), scope)
    written = form.part(1)
    right = checker.check(written, scope, left.type if written.enclosed and _is_bare(written) else List(left.type, 0))
    right = as_single_list(written, right)
    if written.enclosed and left.type.name == right.type.name == "pile":
        right = ir.Listed(List(right.type, 1, 1), right.span, (right,))
    if right.type.name not in ("list", "pile", "unknown", "nothing") and is_comparable(left.type, right.type):
        word = "is" if form.op == "in_" else "is not"
        meant = _suggest_word(form, form.part(0), word, form.part(1))
        checker.symbols.report(
            "R406",
            "conditions.list_needed",
            form.part(1).span,
            found=describe_type(right.type),
            help=meant.help,
            fixes=meant.fixes,
        )
        return checker.make_unknown(form)
    right = checker.as_list(right)
    if right.type.name == "list" and not is_comparable(left.type, right.type.item_type):
        checker.symbols.report(
            "R402", "conditions.never_in", form.span, left=describe_type(left.type), right=describe_type(right.type)
        )
        return checker.make_unknown(form)
    for side in (left, right):
        checker.check_distinguished(side.type, side.span)
    found = ir.In(BOOL, form.span, left, right)
    return found if form.op == "in_" else ir.Not(BOOL, form.span, found)


def check_comparison(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    left, right = _check_sides(checker, form, scope)
    for side in (left, right):
        if side.type.name not in ("number", "row", "unknown", "nothing"):
            checker.symbols.report(
                "R402", "conditions.numbers_or_rows", side.span, word=form.word, found=describe_type(side.type)
            )
            return checker.make_unknown(form)
    if not is_comparable(left.type, right.type):
        meant = suggest_comparison(checker.symbols, left, right)
        checker.symbols.report(
            "R402",
            "conditions.not_compared",
            form.span,
            left=describe_type(left.type),
            right=describe_type(right.type),
            help=meant.help,
            fixes=meant.fixes,
        )
        return checker.make_unknown(form)
    return ir.Compare(BOOL, form.span, left, right, _COMPARISONS[form.word])


def check_quantifier(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> ir.Expr:
    var, items, inner = bind_loop(checker, form, form.part(0), scope)
    return ir.Quantified(
        BOOL, form.span, _QUANTIFIERS[form.word], var, items, checker.check_condition(form.part(1), inner)
    )


def bind_loop(checker: Checker, form: Form, source: Form, scope: Scope) -> tuple[ir.Var, ir.Expr, Scope]:
    items = checker.check_list(source, scope)
    if form.name in NAMES or form.name in (*checker.symbols.seats, *checker.symbols.away):
        checker.symbols.report("R309", "actions.other_meaning", form.span, name=form.name, help="another_name")
    var = ir.Var(form.name, get_item_type(items.type))
    return var, items, scope.bind(var)
