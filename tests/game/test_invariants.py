"""Invariants of every game.

No piece is lost, a seed determines the game, saving changes nothing, records replay, and values are of the types that the checker found.
"""

import json
import random
from collections import Counter

import pytest
from bounds import Witness, watched
from games import game
from tiers import sized, some_now

from hoyle import State
from hoyle.diagnostics import Source
from hoyle.game.records import records
from hoyle.game.records.records import record_lines, replay

GAMES = ["crapette", "backgammon", "cribbage-6p", "yams", "barbu-3p", "coinchee", "spite-and-malice"]
GAMES += ["klondike", "gin-rummy", "piquet-au-cent", "president", "scopa"]


def walk(name: str, seed: int, steps: int) -> State:
    """A state some random moves into a game."""
    state, pick = game(name).start(seed), random.Random(seed)
    for _ in range(steps):
        if state.is_over:
            break
        state.play_here(pick.choice(state.moves()))
    return state


def count_pieces(state: State) -> Counter[int]:
    return Counter(piece >> 1 for pile in state.core.piles for piece in pile)


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(GAMES, 3))
def test_saving_and_moves_change_nothing_and_keep_all_pieces(name: str) -> None:
    for steps in (3, 0, 40)[: sized(1, 9)]:
        state = walk(name, steps + 1, steps)
        assert count_pieces(state) == Counter(dict(enumerate(game(name).machine.copies)))
        again = game(name).resume(json.loads(json.dumps(state.to_json())))
        assert again == state
        assert [m.id for m in again.moves()] == [m.id for m in state.moves()]
        assert [event.text() for event in again.events] == [event.text() for event in state.events]
        before = state.core.key()
        for move in state.moves()[: sized(3, 90)]:
            after = state.play(move)
            assert count_pieces(after) == count_pieces(state)
        assert state.core.key() == before
        assert state.is_over or again.play(state.moves()[0].id) == state.play(state.moves()[0])


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(GAMES, 3))
def test_the_same_seed_is_the_same_game_and_its_record_replays(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "load", lambda *_: game(name))  # loaded once
    first, second = (walk(name, 7, sized(6, 24)) for _ in range(2))
    assert first == second
    assert replay(Source("record", "\n".join(record_lines(first, 7)) + "\n")).state == first


BOUNDED = ["crapette", "coinchee", "barbu-3p", "backgammon", "cribbage-6p", "yams", "piquet-au-cent", "grabuge"]
BOUNDED += ["president", "scopa", "oh-hell"]


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(BOUNDED, 1))
def test_values_in_random_games_are_of_their_kinds(name: str) -> None:
    witness = Witness(game(name).compiled, random.Random(name))
    for seed in range(sized(1, 3)):
        watched(witness, seed, often=0.01)
    assert witness.seen["bool"] and witness.seen["number"]
