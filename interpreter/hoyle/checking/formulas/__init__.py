"""Checks formulas: `FormulaChecker` turns a parsed `Form` into a typed `Expr`, by a rule for each form.

The rules are in the modules of this package, by what they are about.
"""

from __future__ import annotations

from hoyle.checking.formulas import calls, conditions, names, values
from hoyle.checking.formulas.checker import Checker, Rule, fit_absent
from hoyle.checking.formulas.symbols import Scope, SymbolTable
from hoyle.language.ir import ABSENT, Const, Expr
from hoyle.language.syntax import Form, Op
from hoyle.language.value_types import BOOL, NOTHING, Number, ValueType


def _number(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> Expr:
    return Const(Number(form.number, form.number), form.span, form.number)


def _broken(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> Expr:
    """Avoid reports that follow from a formula that could not be parsed."""
    return checker.make_unknown(form)


def _truth(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> Expr:
    return Const(BOOL, form.span, form.op == "true")


def _none(checker: Checker, form: Form, scope: Scope, expected: ValueType | None) -> Expr:
    return fit_absent(Const(NOTHING, form.span, ABSENT), expected) if expected else Const(NOTHING, form.span, ABSENT)


_RULES: dict[Op, Rule] = {
    "name": names.check_name,
    "of": names.check_member,
    "at": names.check_numbered,
    "attribute": calls.check_attribute,
    "number": _number,
    "true": _truth,
    "false": _truth,
    "none": _none,
    "and_": conditions.check_junction,
    "or_": conditions.check_junction,
    "not_": conditions.check_junction,
    "is_": conditions.check_same,
    "is_not": conditions.check_same,
    "is_none": conditions.check_absent,
    "is_not_none": conditions.check_absent,
    "is_empty": conditions.check_empty,
    "is_not_empty": conditions.check_empty,
    "in_": conditions.check_in,
    "not_in": conditions.check_in,
    "compare": conditions.check_comparison,
    "quantifier": conditions.check_quantifier,
    "if_": values.check_if,
    "otherwise": values.check_otherwise,
    "extreme": values.check_extreme,
    "collected": values.check_collected,
    "list": values.check_list_literal,
    "range": values.check_range,
    "add": values.check_arithmetic,
    "subtract": values.check_arithmetic,
    "multiply": values.check_arithmetic,
    "without": values.check_without,
    "broken": _broken,
    "negate": values.check_negation,
    "call": calls.check_call,
    "cell": calls.check_column_call,
}


class FormulaChecker(Checker):
    """A checker with the rules for all forms."""

    def __init__(self, symbols: SymbolTable) -> None:
        super().__init__(symbols, _RULES)
