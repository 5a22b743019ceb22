"""What several parts of the C back end ask of generated functions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.compiling import code
from hoyle.compiling.code import Function, Statement, Value
from hoyle.compiling.python import text_of
from hoyle.native.forms import Untranslatable
from hoyle.native.layout import Binding, Layout


def move_of(test: Value) -> int | None:
    """The number of the move that `a[0] == number` asks for."""
    match test:
        case code.Compare(code.Item(code.Name("a")), "==", code.Literal(int(number))):
            return number
    return None


def listed_moves(function: Function) -> set[int]:
    """The moves, by number, whose actions a function lists or takes apart."""
    moves = set[int]()
    for node in code.walk(function.body):
        match node:
            case code.Method(code.Name("acts"), "append", (code.Tuple((code.Literal(int(number)), *_)),)):
                moves.add(number)
            case code.Compare():
                move = move_of(node)
                moves |= {move} if move is not None else set()
    return moves


def binding_of(places: Layout, moves: set[int], place: int) -> Binding:
    """Where `a[place]` lies, in an action of one of these moves. Raises Untranslatable."""
    bindings = {places.moves[move][place - 1] for move in moves if len(places.moves[move]) >= place}
    if len(bindings) != 1:
        raise Untranslatable(f"binding {place} of several moves")
    return bindings.pop()


def arguments_of(call: code.Call | code.RowCall) -> list[Value]:
    """The arguments besides the state."""
    return [value for value in call.args if value not in (code.P, code.C, code.S)]


def perhaps_absent(body: Sequence[Statement]) -> set[str]:
    """Names that may hold None."""
    return {*_compared_or_set(body)}


def _compared_or_set(body: Sequence[Statement]) -> Iterator[str]:
    for node in code.walk(body):
        match node:
            case code.Compare(code.Name(name), "is" | "is not"):
                yield name
            case code.Assign(target=code.Name(name), value=code.Literal(None)):
                yield name


def untranslatable(node: code.Node) -> Untranslatable:
    """The error for a node that is not written as C."""
    return Untranslatable(text_of(node) if isinstance(node, Value) else type(node).__name__)
