"""Loops that move the pieces of a pile away, one after another, until none is left."""

from __future__ import annotations

import ast


def emptied_by(loop: ast.For) -> tuple[ast.expr, ast.expr] | None:
    """A pile whose pieces a loop moves away one after another, and where each goes; none if that may depend on what lies anywhere."""
    match loop:
        case ast.For(
            target=ast.Name(id=one),
            iter=ast.Call(func=ast.Name(id="tuple"), args=[ast.Subscript(value=ast.Name(id="P"), slice=pile)]),
            body=[ast.Expr(ast.Call(func=ast.Name(id="move_pieces"), args=[_, pieces, sources, target, count, _]))],
        ):
            moved = (ast.unparse(pieces), ast.unparse(sources), ast.unparse(count))
            alone = not any(
                isinstance(x, ast.Call) or (isinstance(x, ast.Name) and x.id in ("P", "s")) for x in ast.walk(target)
            )
            return (pile, target) if alone and moved == (f"({one},)", f"({ast.unparse(pile)},)", "-1") else None
    return None
