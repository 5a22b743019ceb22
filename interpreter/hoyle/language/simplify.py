"""What depends on nothing but options is computed when a game is compiled, and branches that can never be taken go."""

from __future__ import annotations

from typing import Any

from hoyle.language import ir
from hoyle.language.evaluate import Setting, evaluate, everything, static
from hoyle.language.ir import Const, Expr, walk
from hoyle.language.vocabulary import WORDS

Attributes = dict[str, tuple[Any, ...]]


def simplify(expr: Expr, attributes: Attributes) -> Expr:
    """Options are constants: what depends on nothing else is computed now, and dead branches go."""
    if isinstance(expr, Const) or expr.kind.name == "list":
        return expr
    match expr:
        case ir.And(left=left, right=right):
            return _junction(expr, left, right, False, attributes)
        case ir.Or(left=left, right=right):
            return _junction(expr, left, right, True, attributes)
        case ir.If(condition=condition, yes=yes, no=no):
            known = simplify(condition, attributes)
            return simplify(yes if known.value else no, attributes) if isinstance(known, Const) else expr
        case ir.Not(value=value):
            known = simplify(value, attributes)
            return Const(expr.kind, expr.span, not known.value) if isinstance(known, Const) else expr
    return Const(expr.kind, expr.span, evaluate(expr, Setting(attributes), {})) if _foldable(expr) else expr


def settled(condition: Expr, attributes: Attributes) -> bool | None:
    """Whether the options make a condition hold always or never; None if it depends on the game."""
    known = simplify(condition, attributes)
    return bool(known.value) if isinstance(known, Const) else None


def _junction(expr: Expr, left: Expr, right: Expr, decides: bool, attributes: Attributes) -> Expr:
    left, right = simplify(left, attributes), simplify(right, attributes)
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Const):
            return one if bool(one.value) == decides else other
    return expr


def _foldable(expr: Expr) -> bool:
    """Can it be computed now, with nothing but tables of attributes? Loops only inside terms: they have their own names."""
    if any(isinstance(part, ir.Local | ir.Quantified | ir.Chosen | ir.Collect) for part in walk(expr)):
        return False
    return static(expr) and not any(_needs_game(part) for part in everything(expr))


def _needs_game(part: Expr) -> bool:
    """Is it computed from the seats?"""
    return isinstance(part, ir.Others | ir.Member) or (isinstance(part, ir.WordCall) and WORDS[part.word].world)
