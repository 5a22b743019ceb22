"""What depends on nothing but options is computed when a game is compiled, and branches that can never be taken go."""

from __future__ import annotations

from typing import Any

from interpreter.language.evaluate import Setting, evaluate, static
from interpreter.language.ir import Expr
from interpreter.language.vocabulary import WORDS


def simplify(expr: Expr, attributes: dict[str, tuple[Any, ...]]) -> Expr:
    """Options are constants: what depends on nothing else is computed now, and dead branches go."""
    if expr.op == "const" or expr.kind.name == "list":
        return expr
    if expr.op in ("and", "or"):
        return _junction_folded(expr, attributes)
    if expr.op == "if":
        condition = simplify(expr.args[0], attributes)
        return simplify(expr.args[1 if condition.value else 2], attributes) if condition.op == "const" else expr
    if expr.op == "not":
        inner = simplify(expr.args[0], attributes)
        return Expr("const", expr.kind, expr.span, value=not inner.value) if inner.op == "const" else expr
    if _foldable(expr):
        return Expr("const", expr.kind, expr.span, value=evaluate(expr, Setting(attributes), {}))
    return expr


def _junction_folded(expr: Expr, attributes: dict[str, tuple[Any, ...]]) -> Expr:
    decides = expr.op == "or"
    left, right = (simplify(a, attributes) for a in expr.args)
    for one, other in ((left, right), (right, left)):
        if one.op == "const":
            return one if bool(one.value) == decides else other
    return expr


def _foldable(expr: Expr) -> bool:
    if expr.op in ("some", "every", "no", "most", "least", "word", "member"):
        return (
            expr.op == "word" and expr.value in ("count", "first", "last", "min", "max", "abs") and _foldable_args(expr)
        )
    return expr.op in (
        "same",
        "differs",
        "compare",
        "arith",
        "neg",
        "attr",
        "absent",
        "in",
        "otherwise",
        "empty",
        "term",
    ) and _foldable_args(expr)


def _foldable_args(expr: Expr) -> bool:
    inside = [e for a in expr.args for e in a.walk()]
    if any(e.op in ("local", "some", "every", "no", "most", "least", "collect", "others", "column") for e in inside):
        return False
    if any(e.op == "word" and WORDS[e.value].world for e in inside):
        return False
    if expr.op == "term" and (expr.value.parameters or not _closed(expr.value.body)):
        return False
    return static(expr)


def _closed(expr: Expr) -> bool:
    return all(
        e.op not in ("local", "others", "column") and not (e.op == "term" and not _closed(e.value.body))
        for e in expr.walk()
    )
