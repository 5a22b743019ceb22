"""Truth: `and`, comparisons, tests, quantifiers."""

from __future__ import annotations

from functools import partial
from itertools import takewhile

from msgspec.structs import replace

from hoyle.checking.checker import Checker, alone
from hoyle.checking.facts import told
from hoyle.checking.meant import choices_named, compared
from hoyle.checking.world import Meant, Scope, unknown
from hoyle.diagnostics import Fix
from hoyle.language.ir import (
    Absent,
    And,
    Compare,
    Comparison,
    Const,
    Differs,
    Empty,
    Expr,
    In,
    Listed,
    Not,
    Or,
    Quantified,
    Quantifier,
    Same,
    Var,
)
from hoyle.language.kinds import BOOL, Kind, List, comparable, describe, item_of
from hoyle.language.sentences import said
from hoyle.language.syntax import Form, Op
from hoyle.language.vocabulary import NAMES

_COMPARISONS: dict[str, Comparison] = {"<": "<", "<=": "<=", ">": ">", ">=": ">="}
_QUANTIFIERS: dict[str, Quantifier] = {"some": "some", "every": "every", "no": "no"}


def junction(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    word = form.op.strip("_")
    if word != "not" and _alternatives(checker, form, scope):
        return checker.unknown(form)
    each = partial(said, "conditions.each_side", word=word)
    left = checker.need(form.part(0), scope, BOOL, what=each)
    if word != "not" and scope.lacking and _decided(left, word == "or"):
        return Const(BOOL, form.span, word == "or")  # what follows may mention bindings that this move has not
    with checker.knowing(told(left, word == "and")):
        rest = tuple(checker.need(p, scope, BOOL, what=each) for p in form.parts[1:] if p)
    if not rest:
        return Not(BOOL, form.span, left)
    return (And if word == "and" else Or)(BOOL, form.span, left, *rest)


def _alternatives(checker: Checker, form: Form, scope: Scope) -> bool:
    """Is this `x is a or b`, where `b` is no condition but another value of `x`? That is told."""
    parts = _joined(form, form.op)
    for first, part in enumerate(parts):
        others = list(takewhile(_is_bare, parts[first + 1 :]))
        if part.op in ("is_", "is_not") and others and _are_values(checker, part.part(0), others, scope):
            _tell_alternatives(checker, part, form.op.strip("_"), [part.part(1), *others])
            return True
    return False


def _is_bare(form: Form) -> bool:
    return form.op in ("name", "number")


def _are_values(checker: Checker, left: Form, others: list[Form], scope: Scope) -> bool:
    """Could each of these be what is on the left?"""
    with checker.trying():
        kind = checker.check(left, scope).kind
        values = [checker.check(other, scope, kind).kind for other in others]
    return all(v.name not in ("bool", "unknown", "nothing") and comparable(v, kind) for v in values)


def _tell_alternatives(checker: Checker, test: Form, word: str, values: list[Form]) -> None:
    """`test` compares something with the first of the values, and stands before or around the others."""
    negated, others = test.op == "is_not", values[1:] or values
    span = replace(others[0].span, end=others[-1].span.end)
    message, help, fixes = said("conditions.each_side_truth", word=word), said("instead.compare"), tuple[Fix, ...]()
    if negated or word == "or":
        help, text = choices_named(test.part(0), values, negated)
        fixes = (Fix(replace(test.span, end=max(test.span.end, span.end)), text),)
    checker.world.problems.add("R401", message, span, help=help, fixes=fixes)


def _joined(form: Form, op: Op) -> list[Form]:
    """What stands between the words of `a or b or c`."""
    if form.op != op:
        return [form]
    return [inner for part in form.parts if part for inner in _joined(part, op)]


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
    if _one_of(checker, form) or _any_of(checker, form, scope):
        return checker.unknown(form)
    left, right = _sides(checker, form, scope)
    if not comparable(left.kind, right.kind):
        message = said("conditions.never_is", left=describe(left.kind), right=describe(right.kind))
        checker.world.problems.add(
            "R402",
            message,
            form.span,
            label=said("conditions.compared_here"),
            help=(meant := compared(checker.world, left, right)).help,
            fixes=meant.fixes,
        )
        return checker.unknown(form)
    for side in (left, right):
        checker.told_apart(side.kind, side.span)
    made = Same if form.op == "is_" else Differs
    return made(BOOL, form.span, left, right)


def _one_of(checker: Checker, form: Form) -> bool:
    """Is this `x is one of (a, b)`? That is told."""
    right, world = form.part(1), checker.world
    word = (right.part(0).name or right.part(0).op) if right.op == "of" else ""
    if word not in ("one", "any", "either", "none") or word in world.piles or word in world.state:
        return False
    asked = "not in" if (form.op == "is_not") != (word == "none") else "in"
    help = _written_in(form, form.part(0), asked, right.part(1))
    unknown(world, "R301", "pile_or_state", word, [], right.part(0).span, help=help)
    return True


def _written_in(form: Form, left: Form, word: str, right: Form) -> Meant:
    """The two with this word between them, instead of the whole."""
    help = said("conditions.write_in", left=left.written, word=word, right=right.written)
    return Meant(help, (Fix(form.span, f"{left.written} {word} {right.written}"),))


def _any_of(checker: Checker, form: Form, scope: Scope) -> bool:
    """Is this `x is (a or b)`? That is told."""
    right = form.part(1)
    values = _joined(right, right.op) if right.op in ("or_", "and_") else []
    found = bool(values) and all(map(_is_bare, values)) and _are_values(checker, form.part(0), values, scope)
    if found:
        _tell_alternatives(checker, form, right.op.strip("_"), values)
    return found


def absent(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    value = checker.check(form.part(0), scope)
    if value.kind.name == "list":
        fixes = (Fix(form.span, f"{form.part(0).written} {'is' if form.op == 'is_none' else 'is not'} empty"),)
        help = said("conditions.write_empty")
        checker.problem("R401", said("conditions.list_absent"), form, help=help, fixes=fixes)
    elif value.kind.name == "bool":
        checker.problem("R401", said("conditions.truth_absent"), form, help=said("conditions.write_not"))
    found = Absent(BOOL, form.span, value)
    return found if form.op == "is_none" else Not(BOOL, form.span, found)


def empty(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    items = checker.as_list(checker.check(form.part(0), scope))
    found = Empty(BOOL, form.span, items)
    return found if form.op == "is_empty" else Not(BOOL, form.span, found)


def inside(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    left = checker.check(form.part(0), scope)
    written = form.part(1)
    right = checker.check(written, scope, left.kind if written.enclosed and _is_bare(written) else List(left.kind, 0))
    right = alone(written, right)
    if written.enclosed and left.kind.name == right.kind.name == "pile":
        right = Listed(List(right.kind, 1, 1), right.span, (right,))
    if right.kind.name not in ("list", "pile", "unknown", "nothing") and comparable(left.kind, right.kind):
        word = "is" if form.op == "in_" else "is not"
        meant = _written_in(form, form.part(0), word, form.part(1))
        message = said("conditions.list_needed", found=describe(right.kind))
        checker.problem("R406", message, form.part(1), help=meant.help, fixes=meant.fixes)
        return checker.unknown(form)
    right = checker.as_list(right)
    if right.kind.name == "list" and not comparable(left.kind, right.kind.of_item):
        checker.problem("R402", said("conditions.never_in", left=describe(left.kind), right=describe(right.kind)), form)
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
                "R402", said("conditions.numbers_or_rows", word=form.word, found=describe(side.kind)), side.span
            )
            return checker.unknown(form)
    if not comparable(left.kind, right.kind):
        message = said("conditions.not_compared", left=describe(left.kind), right=describe(right.kind))
        meant = compared(checker.world, left, right)
        checker.problem("R402", message, form, help=meant.help, fixes=meant.fixes)
        return checker.unknown(form)
    return Compare(BOOL, form.span, left, right, _COMPARISONS[form.word])


def quantified(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    var, items, inner = loop(checker, form, form.part(0), scope)
    return Quantified(BOOL, form.span, _QUANTIFIERS[form.word], var, items, checker.condition(form.part(1), inner))


def loop(checker: Checker, form: Form, source: Form, scope: Scope) -> tuple[Var, Expr, Scope]:
    items = checker.listed(source, scope)
    if form.name in NAMES or form.name in (*checker.world.seats, *checker.world.away):
        checker.problem("R309", said("actions.other_meaning", name=form.name), form, help=said("another_name"))
    var = Var(form.name, item_of(items.kind))
    return var, items, scope.bind(var)
