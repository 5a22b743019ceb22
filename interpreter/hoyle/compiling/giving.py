"""What the words of moves say beside what a move is bound to: functions of what `let` gives them."""

from __future__ import annotations

from hoyle.compiling.blocks import Blocks
from hoyle.compiling.code import ME, Name, Return, Tuple, Value
from hoyle.language.ir import Var
from hoyle.language.model import Move
from hoyle.running.machine import given, told_lets


def write_given(blocks: Blocks) -> None:
    """A function for each move whose words say what `let` gives; it is called for every move of a game that is told."""
    for move in blocks.ruleset.moves.values():
        if told_lets(move):
            _write(blocks, move)


def _write(blocks: Blocks, move: Move) -> None:
    lets = [(var, var.value) for var in told_lets(move) if var.value is not None]
    own = [f"a{n}" for n in range(len(move.bindings))]
    names: dict[Var, Value] = {move.me: ME, **dict(zip(move.bindings, map(Name, own), strict=True))}
    with blocks.function(given(move.number), ("P", "C", "me", *own), lets[0][1].span):
        blocks.emit.names.update(names)
        with blocks.emit.together():
            values = [blocks.emit.named(value, var.name) for var, value in lets]
            blocks.put(Return(Tuple(tuple(values))))
