"""Values in a game are of the kinds that the checker found: those of formulas, of state and of piles."""

from __future__ import annotations

import random
from typing import Any

import pytest
from bounds import Held, Witness, watched
from everything import position, world
from games import game
from oracle import setting
from tiers import sized, some_now

from interpreter.language.ir import ABSENT, NO_NUMBER
from interpreter.language.kinds import PLAYER, Kind, List, Number, Piece, Pile

GAMES = ["crapette", "coinchee", "barbu-3p", "backgammon", "cribbage-6p", "yams", "piquet-au-cent", "grabuge"]
GAMES += ["president", "scopa", "oh-hell"]


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(GAMES, 1))
def test_values_in_random_games_are_of_their_kinds(name: str) -> None:
    witness = Witness(game(name).compiled, random.Random(name))
    for seed in range(sized(1, 3)):
        watched(witness, seed, often=0.01)
    assert witness.seen["bool"] and witness.seen["number"]


CARDS, HAND = Piece("card"), frozenset({"hand"})


@pytest.mark.whole
@pytest.mark.parametrize(
    ("kind", "values", "others"),
    [
        (Number(-2, 3), [-2, 3], [-3, 4, NO_NUMBER]),
        (Number(1, 3, optional=True), [1, NO_NUMBER], [0]),
        (PLAYER, [0, 2], [3, ABSENT]),
        (List(Number(0, 1), 3, 1), [[0], (0, 1, 0)], [[], [2], [0, 0, 0, 0]]),
        (CARDS, [0, 23], [24, ABSENT]),
        (Piece("card", HAND, mine=True), [4], [9]),
        (Pile("card", HAND, room=1, last=3), [1, 3], [0, 4, ABSENT]),
        (Pile("card", HAND, mine=True, room=1, last=3), [1], [2]),
        (Pile("card", HAND, room=1, last=2), [2], [3]),
    ],
)
def test_the_witness_knows_the_values_of_a_kind(kind: Kind, values: list[Any], others: list[Any]) -> None:
    """The first player holds the card 4, the second the card 9."""
    at = position(random.Random(1))
    at.piles[:] = [[] for _ in at.piles]
    at.piles[1], at.piles[2] = [4], [9]
    held = Held(world(), setting(at), me=0)
    assert all(held.fits(value, kind) for value in values)
    assert not any(held.fits(value, kind) for value in others)
