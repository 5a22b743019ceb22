"""Where a game can stand: places in the unfolded flow, and decisions."""

from __future__ import annotations

from msgspec import Struct

from hoyle.diagnostics import Span
from hoyle.language.ir import Expr, Var
from hoyle.language.model import Move, Obligation

STOP, OVER = -1, -2
"""What a block returns when somebody decides, and when the game is over."""


class Turn(Struct, frozen=True):
    """A `turns` that a place is inside of: the registers of its player and of the turns done, and where it began."""

    me: int
    done: int
    first: Expr
    registers: dict[Var, int]


class Place(Struct):
    """A step as a place to stand at: its path, its block, and the registers of whoever acts there, innermost last."""

    path: tuple[str, ...]
    label: int
    acting: tuple[int, ...]
    by: bool
    span: Span
    turns: tuple[Turn, ...] = ()


class Together(Struct, frozen=True):
    """A decision that several players make unseen: the registers of who they are, of whose turn it is to choose, and of what was chosen."""

    listed: int
    cursor: int
    chosen: int


class Point(Struct):
    """A decision of the running game: what the explainer and the move texts need to know of it, and displays, which do not put the question
    to people who do not ask for it: they make the move `unasked`."""

    label: int
    path: tuple[str, ...]
    moves: tuple[Move, ...]
    obey: tuple[Obligation, ...]
    together: Together | None
    seen: int | None
    span: Span
    unasked: int | None = None
