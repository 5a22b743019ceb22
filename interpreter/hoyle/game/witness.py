"""What decides a formula: of its parts only those that its value hangs on, and the item that a `some`, `every`, `no` met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hoyle.game.compiled import Compiled
from hoyle.language import ir
from hoyle.language.evaluate import Part, is_absent
from hoyle.language.ir import Var
from hoyle.language.kinds import Kind

_SETTLED: dict[ir.Quantifier, bool] = {"some": True, "no": False, "every": False}
"""The value of a quantifier that one item has settled."""
_PLAIN = ir.Const | ir.Contents | ir.Rows | ir.Pile | ir.Piles
"""Parts whose values tell nothing that the formula does not say."""
_JOINTS = ir.And | ir.Or | ir.Not | ir.If


def witness(part: Part) -> tuple[Var, Any] | None:
    """The item that settled a quantifier: the last that was looked at."""
    expr = part.expr
    if isinstance(expr, ir.Quantified) and bool(part.value) == _SETTLED[expr.word] and len(part.parts) > 1:
        return expr.var, list(part.parts[0].value)[len(part.parts) - 2]
    return None


def deciding(part: Part) -> list[Part]:
    """The parts that a value hangs on; none of a formula that is its own reason."""
    match part.expr:
        case ir.And():
            return part.parts if part.value else part.parts[-1:]
        case ir.Or():
            return part.parts[-1:] if part.value else part.parts
        case ir.Not() | ir.If():
            return part.parts
        case ir.TermCall() | ir.ColumnCall() | ir.Otherwise() | ir.Local():
            return part.parts[-1:]
        case ir.Quantified():
            return part.parts[-1:] if witness(part) is not None else []
    return []


def told(game: Compiled, part: Part) -> list[tuple[int, str, str]]:
    """(depth, formula, value) of what decides a formula, from the whole to the last reason, each formula once."""
    found: dict[str, tuple[int, str, str]] = {}
    for line in _told(game, part, 0):
        found.setdefault(line[1], line)
    return list(found.values())


def _told(game: Compiled, part: Part, depth: int) -> Iterator[tuple[int, str, str]]:
    """What joins formulas is told only where it is the whole: what it joins says enough."""
    asked = _asked(part)
    if depth and isinstance(part.expr, _JOINTS) and asked is part:
        for reason in deciding(part):
            yield from _told(game, reason, depth)
        return
    yield _line(game, part, depth)
    met, reasons = witness(asked), deciding(asked)
    if met is not None:
        yield depth + 1, met[0].name, game.namer.said(met[1], met[0].kind)
    elif not reasons or isinstance(asked.expr, ir.TermCall):
        operands = asked.parts[:-1] if reasons else asked.parts
        yield from (_line(game, p, depth + 1) for p in operands if _tells(p.expr))
    for reason in reasons:
        yield from _told(game, reason, depth + 1)


def _asked(part: Part) -> Part:
    """`is not empty` is one question, written as one, though what is asked is whether it is empty."""
    negated = isinstance(part.expr, ir.Not) and part.parts[0].expr.span == part.expr.span
    return part.parts[0] if negated else part


def _tells(expr: ir.Expr) -> bool:
    """Does its value say more than the formula does?"""
    return bool(expr.args) if isinstance(expr, ir.Local) else not isinstance(expr, _PLAIN)


def _line(game: Compiled, part: Part, depth: int) -> tuple[int, str, str]:
    return depth, " ".join(part.expr.span.text.split()), game.namer.said(part.value, part.expr.kind)


def witnesses(part: Part) -> Iterator[tuple[Any, Kind]]:
    """The items that settled a formula, outermost first, and what was most or least where that decides."""
    met, reasons = witness(part), deciding(part)
    if met is not None:
        yield met[1], met[0].kind
    for reason in reasons:
        yield from witnesses(reason)
    for operand in () if reasons else part.parts:
        if isinstance(operand.expr, ir.Chosen) and not is_absent(operand.value, operand.expr.kind):
            yield operand.value, operand.expr.kind
