"""The games written by hand that the interpreter is measured against: each plays what its ruleset plays, move for move."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import pytest
from by_hand import TablesWitness, Witness, card_number
from msgspec import Struct

from benchmarks import backgammon_baseline, cribbage_baseline, hearts_baseline
from benchmarks.shows_baseline import show
from interpreter import Game, State, load

LOW_ACE, HIGH_ACE = "A23456789TJQK", "23456789TJQKA"


class Pair(Struct, frozen=True):
    """A program by hand, who compares it with the engine, and whether its result is that of the engine's game."""

    playout: Callable[[random.Random], Any]
    witness: Callable[[State, int], Witness]
    ends_alike: Callable[[Any, State], bool]


def same_scores(found: Any, end: State) -> bool:
    return bool(found.scores == tuple(end.scores.values()))


def same_points(found: backgammon_baseline.Result, end: State) -> bool:
    return [found.points if seat == found.winner else 0 for seat in (0, 1)] == list(end.scores.values())


PAIRS = {
    "cribbage": Pair(cribbage_baseline.playout, partial(Witness, ranks=LOW_ACE), same_scores),
    "hearts": Pair(hearts_baseline.playout, partial(Witness, ranks=HIGH_ACE), same_scores),
    "backgammon": Pair(backgammon_baseline.playout, partial(TablesWitness, ranks=""), same_points),
}


@cache
def game(name: str) -> Game:
    return load(name)


def check_game(name: str, seed: int) -> None:
    pair = PAIRS[name]
    witness = pair.witness(game(name).start(seed=seed), seed)
    found = pair.playout(witness)
    assert witness.is_done
    assert found.decisions == witness.state.decisions
    assert pair.ends_alike(found, witness.state)


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "seeds"),
    [
        *((name, range(100, 101)) for name in PAIRS),
        *(
            pytest.param(name, range(200, 200 + n), marks=pytest.mark.slow)
            for name, n in zip(PAIRS, (60, 8, 24), strict=True)
        ),
    ],
    ids=str,
)
def test_every_decision_is_that_of_the_game_by_hand(name: str, seeds: range) -> None:
    for seed in seeds:
        check_game(name, seed)


@pytest.mark.whole
def test_shows_are_those_reckoned_by_hand() -> None:
    """Hands and cribs with a starter; every third of one suit, or random hands would hardly have a flush."""
    stream, cribbage = random.Random(1), game("cribbage")
    number = {card_number(piece.sign, LOW_ACE): cribbage.piece(piece.sign) for piece in cribbage.pieces()}
    hand, crib = (cribbage.evaluator(f"worth({pile})", pile, "starter") for pile in ("hand of A", "crib"))
    for n in range(300):
        pack = range(13 * (n % 4), 13 * (n % 4) + 13) if n % 3 == 0 else range(52)
        held = stream.sample(pack, 4)
        starter = stream.choice([card for card in range(52) if card not in held])
        pieces = [number[card] for card in held], [number[starter]]
        assert (hand(*pieces), crib(*pieces)) == (show(held, starter), show(held, starter, crib=True))
