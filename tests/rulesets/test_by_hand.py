"""The games written by hand that the interpreter is measured against: each plays what its ruleset plays, move for move."""

import random
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from by_hand import TablesWitness, Witness, card_number
from games import loaded
from msgspec import Struct

from benchmarks import backgammon_baseline, cribbage_baseline, grabuge_baseline, hearts_baseline
from benchmarks.shows_baseline import show
from hoyle import Move, State

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
    pair = PAIRS[name]
    for seed in seeds:
        witness = pair.witness(loaded(name).start(seed=seed), seed)
        found = pair.playout(witness)
        assert witness.is_done
        assert found.decisions == witness.state.decisions
        assert pair.ends_alike(found, witness.state)


class GrabugeWitness(Witness):
    """Packets of one height are alike, so that it does not matter which of them the other game chose: only their number is compared."""

    game: grabuge_baseline.Game

    def __init__(self, state: State, seed: int) -> None:
        super().__init__(state, seed, LOW_ACE)

    def shuffle(self, x: Any) -> None:
        super().shuffle(x)
        x.reverse()

    def chosen(self, moves: list[Move], seq: Any) -> tuple[Move, Any]:
        assert len(moves) == len(seq), self.state.place
        move = moves[int(self.random() * len(moves))]
        columns = self.game.players["AB".index(move.seat)].reserve
        if move.name == "keep in the reserve":
            return move, columns[int(move.id[-1]) - 1]
        if move.name == "play from the reserve":
            column = columns[int(move.id.split()[1]) - 1]
            return move, next(pair for pair in seq if pair[0] is column)
        assert move.name == ("play the grabuge" if isinstance(seq[0], tuple) else "play the turned card")
        return move, seq[0]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("packs", "seeds"),
    [
        (2, range(2)),
        *(pytest.param(*case, marks=pytest.mark.slow) for case in ((2, range(2, 60)), (4, range(3)), (8, range(3)))),
    ],
    ids=str,
)
def test_every_decision_of_grabuge_is_that_of_the_game_by_hand(packs: int, seeds: range) -> None:
    for seed in seeds:
        state = loaded("grabuge", decks=packs).start(seed=seed)
        witness = GrabugeWitness(state, seed)
        witness.game = grabuge_baseline.Game(witness, packs)
        while not state.is_over and state.moves()[0].name == "base an ace":
            state.play_here(state.moves()[0])
        found = witness.game.play()
        assert witness.is_done
        assert (found.decisions, found.totals) == (state.decisions, tuple(state.scores.values()))


@pytest.mark.whole
def test_shows_are_those_reckoned_by_hand() -> None:
    """Hands and cribs with a starter; every third of one suit, or random hands would hardly have a flush."""
    stream, cribbage = random.Random(1), loaded("cribbage")
    number = {card_number(piece.sign, LOW_ACE): cribbage.piece(piece.sign) for piece in cribbage.pieces()}
    hand, crib = (cribbage.evaluator(f"worth({pile})", pile, "starter") for pile in ("hand of A", "crib"))
    for n in range(300):
        pack = range(13 * (n % 4), 13 * (n % 4) + 13) if n % 3 == 0 else range(52)
        held = stream.sample(pack, 4)
        starter = stream.choice([card for card in range(52) if card not in held])
        pieces = [number[card] for card in held], [number[starter]]
        assert (hand(*pieces), crib(*pieces)) == (show(held, starter), show(held, starter, crib=True))
