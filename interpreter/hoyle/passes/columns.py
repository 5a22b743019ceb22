"""Replace formulas of one variable by look-ups: `c.suit is spades and c.rank is queen` becomes a column of the table of cards."""

from __future__ import annotations

from collections.abc import Callable

from hoyle.language import ir
from hoyle.language.ir import Expr, Var
from hoyle.passes.subformulas import Analysis, rebuild

_LEAST = 4
"""The least weight of a formula that is worth a column."""
_OF_VALUES = (
    *(ir.Arith, ir.Neg, ir.Compare, ir.Same, ir.Differs, ir.Absent),
    *(ir.And, ir.Or, ir.Not, ir.If, ir.Otherwise),
)
_ALONE = (ir.Const, ir.Local, ir.Attr, ir.Cell, ir.Pile, ir.Piles, ir.Contents)
"""Forms that are not searched for look-ups."""
_UNSURE = ("div", "mod")
"""Operators that may divide by zero stand behind a test."""

Made = Callable[[Expr, Var, str], str | None]
"""Creates a column: the values of a formula for each value of a variable, which the table has. Returns its name, or None if numbers
are too large for a table.
"""
Asked = tuple[Var, str] | bool


class Columns:
    """Finds formulas that can be looked up. Memoised."""

    def __init__(self, parts: Analysis, made: Made) -> None:
        self._parts, self._made = parts, made
        self._known: dict[int, tuple[Expr, Expr]] = {}

    def __call__(self, expr: Expr) -> Expr:
        """The formula with look-ups."""
        if isinstance(expr, _ALONE) or not expr.args:
            return expr
        known = self._known.get(id(expr))
        if known is None:
            found = self._column(expr) or rebuild(expr, self)
            self._known[id(found)] = (found, found)
            known = self._known[id(expr)] = (expr, found)
        return known[1]

    def _column(self, expr: Expr) -> Expr | None:
        if not isinstance(expr, _OF_VALUES) or self._parts.weight(expr) < _LEAST:
            return None
        asked = _asked(expr)
        if not isinstance(asked, tuple):
            return None
        name = self._made(expr, *asked)
        return ir.Attr(expr.type, expr.span, ir.Local(asked[0].type, expr.span, asked[0]), name) if name else None


def _asked(expr: Expr) -> Asked:
    """The only variable and one of its tables, if the formula reads nothing else; True if it reads nothing; else False."""
    if isinstance(expr, ir.Const):
        return True
    if isinstance(expr, ir.Attr):
        return _attribute(expr)
    if not isinstance(expr, _OF_VALUES) or (isinstance(expr, ir.Arith) and expr.op in _UNSURE):
        return False
    found: Asked = True
    for arg in expr.args:
        asked = _asked(arg)
        if asked is False or (isinstance(found, tuple) and isinstance(asked, tuple) and found[0] is not asked[0]):
            return False
        found = asked if found is True else found
    return found


def _attribute(expr: ir.Attr) -> Asked:
    table, inner = expr.table, expr.value
    while isinstance(inner, ir.Attr):
        table, inner = inner.table, inner.value
    plain = isinstance(inner, ir.Local) and inner.var.value is None and expr.type.name != "list"
    return (inner.var, table) if plain and isinstance(inner, ir.Local) else False
