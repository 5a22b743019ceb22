"""Kinds of formulas: `Form` → `Expr`, by a rule for each form."""

from __future__ import annotations

from hoyle.checking import calls, conditions, members, names, values
from hoyle.checking.checker import Checker, Rule, of_kind
from hoyle.checking.world import Scope, World
from hoyle.language.ir import ABSENT, Const, Expr
from hoyle.language.kinds import BOOL, NOTHING, Kind, Number
from hoyle.language.syntax import Form, Op


def _number(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    return Const(Number(form.number, form.number), form.span, form.number)


def _broken(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    """What could not be read has been reported; nothing shall follow from it."""
    return checker.unknown(form)


def _truth(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    return Const(BOOL, form.span, form.op == "true")


def _none(checker: Checker, form: Form, scope: Scope, expected: Kind | None) -> Expr:
    return of_kind(Const(NOTHING, form.span, ABSENT), expected) if expected else Const(NOTHING, form.span, ABSENT)


_RULES: dict[Op, Rule] = {
    "name": names.resolve,
    "of": members.member,
    "at": members.numbered,
    "attribute": names.attribute,
    "number": _number,
    "true": _truth,
    "false": _truth,
    "none": _none,
    "and_": conditions.junction,
    "or_": conditions.junction,
    "not_": conditions.junction,
    "is_": conditions.same,
    "is_not": conditions.same,
    "is_none": conditions.absent,
    "is_not_none": conditions.absent,
    "is_empty": conditions.empty,
    "is_not_empty": conditions.empty,
    "in_": conditions.inside,
    "not_in": conditions.inside,
    "compare": conditions.compare,
    "quantifier": conditions.quantified,
    "if_": values.branch,
    "otherwise": values.otherwise,
    "extreme": values.chosen,
    "collected": values.collected,
    "list": values.listed,
    "range": values.numbers,
    "add": values.arithmetic,
    "subtract": values.arithmetic,
    "multiply": values.arithmetic,
    "without": values.without,
    "broken": _broken,
    "negate": values.negated,
    "call": calls.call,
    "cell": calls.column_of,
}


class FormulaChecker(Checker):
    """A checker of all forms."""

    def __init__(self, world: World) -> None:
        super().__init__(world, _RULES)
