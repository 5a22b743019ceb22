"""What the words of a move need of the table as it is before the move is made, and what a log keeps of that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from hoyle.language.ir import ABSENT, Var
from hoyle.language.model import Move
from hoyle.language.phrases import told
from hoyle.running.state import Action, Core


class Needs(Struct, frozen=True):
    """What the words of one move need: the place in its actions of the pile that it puts on (0: none), and what `let` gives; `give`
    works that out, of piles, cells, who acts and what the move is bound to."""

    target: int
    lets: tuple[Var, ...]
    give: Callable[..., tuple[Any, ...]] | None

    def noted(self, s: Core, action: Action) -> tuple[Any, ...]:
        """The piece that an action covers (absent: none), and what `let` gives; nothing where neither is there."""
        pile: Sequence[int] = s.piles[action[self.target]] if self.target else ()
        if not pile and not self.lets:
            return ()
        return (pile[-1] if pile else ABSENT, self.given(s, action))

    def given(self, s: Core, action: Action) -> tuple[Any, ...]:
        """What `let` gives, in its order: whole numbers, and tuples of them."""
        return tuple(map(_kept, self.give(s.piles, s.cells, s.actor, *action[1:]))) if self.give is not None else ()


def needs_of(move: Move, space: Mapping[str, Any]) -> Needs:
    """`space`: the functions of the game."""
    return Needs(len(move.bindings) if move.target is not None else 0, told_lets(move), space.get(given(move.number)))


def told_lets(move: Move) -> tuple[Var, ...]:
    """What `let` gives, as far as the words of the move say it."""
    return told(move.lets, move.telling, move.short)


def given(number: int) -> str:
    """The name of the function that works it out for the move of this number."""
    return f"given_{number}"


def _kept(value: Any) -> Any:
    return int(value) if isinstance(value, bool | int) else tuple(map(_kept, value))
