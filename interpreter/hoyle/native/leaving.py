"""Loops that move the pieces of a pile away, one after another, until none is left."""

from __future__ import annotations

from hoyle.compiling import code
from hoyle.compiling.code import Value, names_in, walk


def emptied_by(loop: code.For) -> tuple[Value, Value] | None:
    """A pile whose pieces a loop moves away one after another, and where each goes; none if that may depend on what lies anywhere."""
    match loop:
        case code.For(
            target=one,
            items=code.Call("tuple", (code.Item(code.Name("P"), pile),)),
            body=[code.Do(call=code.Call("move_pieces", (_, pieces, sources, target, code.Literal(-1), _)))],
        ) if pieces == code.Tuple((one,)) and sources == code.Tuple((pile,)):
            calls = any(isinstance(x, code.Call | code.RowCall | code.Method) for x in walk([target]))
            return None if calls or {"P", "s"} & {*names_in(target)} else (pile, target)
    return None
