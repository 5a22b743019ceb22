"""What the words of a move need of the table as it is before the move is made, and what a log keeps of that."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from interpreter.language.evaluate import Setting, evaluate
from interpreter.language.ir import ABSENT, Var
from interpreter.language.model import Move
from interpreter.language.phrases import told
from interpreter.running.state import Action


class Needs(Struct, frozen=True):
    """What the words of one move need: the place in its actions of the pile that it puts on (0: none), and what `let` gives."""

    move: Move
    target: int
    lets: tuple[Var, ...]

    def noted(self, setting: Setting, actor: int, action: Action) -> tuple[Any, ...]:
        """The piece that an action covers (absent: none), and what `let` gives; nothing where neither is there."""
        pile: Sequence[int] = setting.piles[action[self.target]] if self.target else ()
        if not pile and not self.lets:
            return ()
        return (pile[-1] if pile else ABSENT, self.given(setting, actor, action))

    def given(self, setting: Setting, actor: int, action: Action) -> tuple[Any, ...]:
        """What `let` gives, in its order: whole numbers, and tuples of them."""
        names = {self.move.me: actor, **dict(zip(self.move.bindings, action[1:], strict=True))}
        return tuple(_kept(evaluate(var.value, setting, names)) for var in self.lets if var.value is not None)


def needs_of(move: Move) -> Needs:
    return Needs(move, len(move.bindings) if move.target is not None else 0, told(move.lets, move.telling, move.short))


def _kept(value: Any) -> Any:
    return int(value) if isinstance(value, bool | int) else tuple(map(_kept, value))
