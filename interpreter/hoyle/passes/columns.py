"""What is asked of one thing, and of nothing else, is looked up: `c.suit is spades and c.rank is queen` is a column of the table of cards."""

from __future__ import annotations

from collections.abc import Callable

from hoyle.language import ir
from hoyle.language.ir import Expr, Var
from hoyle.passes.subformulas import Parts, rebuilt

_LEAST = 4
"""What takes less is not worth a column."""
_OF_VALUES = (
    *(ir.Arith, ir.Neg, ir.Compare, ir.Same, ir.Differs, ir.Absent),
    *(ir.And, ir.Or, ir.Not, ir.If, ir.Otherwise),
)
_ALONE = (ir.Const, ir.Local, ir.Attr, ir.Cell, ir.Pile, ir.Piles, ir.Contents)
"""Forms in which there is hardly anything to be looked up."""
_UNSURE = ("div", "mod")
"""What may divide by nothing stands behind a test that it does not."""

Made = Callable[[Expr, Var, str], str | None]
"""Makes a column: what a formula is worth for each thing that a variable can be; this table says of how many. Returns its name, or none
if numbers are too large for a table."""
Asked = tuple[Var, str] | bool


class Columns:
    """Finds parts of formulas that can be looked up; what it has found it remembers."""

    def __init__(self, parts: Parts, made: Made) -> None:
        self._parts, self._made = parts, made
        self._known: dict[int, tuple[Expr, Expr]] = {}

    def __call__(self, expr: Expr) -> Expr:
        """The formula with look-ups in it."""
        if isinstance(expr, _ALONE) or not expr.args:
            return expr
        known = self._known.get(id(expr))
        if known is None:
            found = self._column(expr) or rebuilt(expr, self)
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
        return ir.Attr(expr.kind, expr.span, ir.Local(asked[0].kind, expr.span, asked[0]), name) if name else None


def _asked(expr: Expr) -> Asked:
    """The only variable, if nothing but what tables say of it is asked, and such a table; else whether it asks nothing at all."""
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
    plain = isinstance(inner, ir.Local) and inner.var.value is None and expr.kind.name != "list"
    return (inner.var, table) if plain and isinstance(inner, ir.Local) else False
