"""A move is meant by the words that people write: the pieces of a list in any order, everything else where it stands."""

from __future__ import annotations

import pytest
from games import game

from interpreter import IllegalMove, State


@pytest.fixture(scope="module")
def cribbage() -> State:
    return game("cribbage").start(seed=1)


def test_the_pieces_of_a_list_may_stand_in_any_order(cribbage: State) -> None:
    lists = [move for move in cribbage.moves() if len(move.id.split()) == 3]
    assert lists
    for move in lists:
        name, first, second = move.id.split()
        turned = f"{name} {second} {first}"
        assert cribbage.find(turned) == move
        assert cribbage.play(turned).core.key() == cribbage.play(move).core.key()
        assert cribbage.why(turned).legal


def test_a_piece_written_twice_is_not_the_list(cribbage: State) -> None:
    name, first, second = next(m.id for m in cribbage.moves() if len(m.id.split()) == 3).split()
    for words in (f"{first} {first}", f"{first} {second} {second}"):
        with pytest.raises(IllegalMove):
            cribbage.find(f"{name} {words}")


def test_from_and_to_are_no_list() -> None:
    state = game("klondike").start(seed=1)
    moves = {move.id for move in state.moves()}
    there = [i.split() for i in moves if "->" in i]
    turned = [" ".join([*w[:1], *w[w.index("->") + 1 :], *w[2 : w.index("->")], "->", w[1]]) for w in there]
    assert turned
    for wrong in set(turned) - moves:
        with pytest.raises(IllegalMove):
            state.find(wrong)
