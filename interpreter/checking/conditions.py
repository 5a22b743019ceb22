"""Truth: `and`, comparisons, tests, quantifiers."""

from __future__ import annotations

from interpreter.checking.checker import Checker
from interpreter.checking.world import Scope
from interpreter.language.ir import (
    Absent,
    And,
    Compare,
    Comparison,
    Const,
    Differs,
    Empty,
    Expr,
    In,
    Not,
    Or,
    Quantified,
    Quantifier,
    Same,
    Var,
)
from interpreter.language.kinds import BOOL, Kind, List, comparable, describe, item_of
from interpreter.language.syntax import Form
from interpreter.language.vocabulary import NAMES

_COMPARISONS: dict[str, Comparison] = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}
_QUANTIFIERS: dict[str, Quantifier] = {"some": "some", "every": "every", "no": "no"}


def junction(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    word = form.op.strip("_")
    left = checker.need(form.part(0), scope, BOOL, what=f"each side of `{word}`")
    if word != "not" and scope.lacking and _decided(left, word == "or"):
        return Const(BOOL, form.span, word == "or")  # what follows may mention bindings that this move has not
    rest = tuple(checker.need(p, scope, BOOL, what=f"each side of `{word}`") for p in form.parts[1:] if p)
    if not rest:
        return Not(BOOL, form.span, left)
    return (And if word == "and" else Or)(BOOL, form.span, left, *rest)


def _decided(left: Expr, decides: bool) -> bool:
    """Is the left side of an `and` false, or of an `or` true, whatever happens?"""
    if isinstance(left, Const):
        return left.kind == BOOL and bool(left.value) == decides
    if isinstance(left, Same | Differs) and isinstance(left.left, Const) and isinstance(left.right, Const):
        alike = left.left.value == left.right.value
        return (alike == isinstance(left, Same)) == decides
    return False


def _sides(checker: Checker, form: Form, scope: Scope) -> tuple[Expr, Expr]:
    """Both sides of a comparison: each may say what names on the other side mean."""
    left, right = form.part(0), form.part(1)
    if left.op == "name" and right.op != "name" and not _resolves(checker, left, scope):
        other = checker.check(right, scope)
        return checker.check(left, scope, other.kind), other
    first = checker.check(left, scope)
    return first, checker.check(right, scope, first.kind)


def _resolves(checker: Checker, form: Form, scope: Scope) -> bool:
    world = checker.world
    sections = (world.options, world.piles, world.state, world.terms, world.tables)
    return form.name in scope.names or any(form.name in s for s in sections) or form.name in NAMES


def same(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    left, right = _sides(checker, form, scope)
    if not comparable(left.kind, right.kind):
        message = f"{describe(left.kind)} is never {describe(right.kind)}"
        checker.world.problems.add(
            "R402", message, form.span, label="compared here", help=_compare_help(left.kind, right.kind)
        )
        return checker.unknown(form)
    for side in (left, right):
        checker.told_apart(side.kind, side.span)
    made = Same if form.op == "is_" else Differs
    return made(BOOL, form.span, left, right)


def _compare_help(left: Kind, right: Kind) -> str:
    kinds = {left.name, right.name}
    if kinds == {"row", "number"}:
        return "a row's place in its table is `.order`"
    if kinds == {"piece", "row"}:
        return "compare an attribute of the piece: `card.rank`, `card.suit`"
    return ""


def absent(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    value = checker.check(form.part(0), scope)
    if value.kind.name == "list":
        checker.problem("R401", "a list is never absent", form, help="write `is empty`")
    elif value.kind.name == "bool":
        checker.problem("R401", "what is true or false is never absent", form, help="write `not …`")
    found = Absent(BOOL, form.span, value)
    return found if form.op == "is_none" else Not(BOOL, form.span, found)


def empty(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    items = checker.as_list(checker.check(form.part(0), scope))
    found = Empty(BOOL, form.span, items)
    return found if form.op == "is_empty" else Not(BOOL, form.span, found)


def inside(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    left = checker.check(form.part(0), scope)
    right = checker.as_list(checker.check(form.part(1), scope, List(left.kind, 0)))
    if right.kind.name == "list" and not comparable(left.kind, right.kind.of_item):
        checker.problem("R402", f"{describe(left.kind)} is never in {describe(right.kind)}", form)
        return checker.unknown(form)
    for side in (left, right):
        checker.told_apart(side.kind, side.span)
    found = In(BOOL, form.span, left, right)
    return found if form.op == "in_" else Not(BOOL, form.span, found)


def compare(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    left, right = _sides(checker, form, scope)
    for side in (left, right):
        if side.kind.name not in ("number", "row", "unknown", "nothing"):
            checker.world.problems.add(
                "R402", f"`{form.word}` compares numbers or rows, and this is {describe(side.kind)}", side.span
            )
            return checker.unknown(form)
    if not comparable(left.kind, right.kind):
        message = f"{describe(left.kind)} cannot be compared with {describe(right.kind)}"
        checker.problem("R402", message, form, help=_compare_help(left.kind, right.kind))
        return checker.unknown(form)
    return Compare(BOOL, form.span, left, right, _COMPARISONS[form.word])


def quantified(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    var, items, inner = loop(checker, form, form.part(0), scope)
    return Quantified(BOOL, form.span, _QUANTIFIERS[form.word], var, items, checker.condition(form.part(1), inner))


def loop(checker: Checker, form: Form, source: Form, scope: Scope) -> tuple[Var, Expr, Scope]:
    items = checker.as_list(checker.check(source, scope))
    if form.name in NAMES or form.name in checker.world.seats:
        checker.problem("R309", f"`{form.name}` already means something else", form, help="choose another name")
    var = Var(form.name, item_of(items.kind))
    return var, items, scope.bind(var)
