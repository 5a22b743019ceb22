"""Every byte that a seat is sent follows from what it may know: pieces that it never saw change places, and it is sent the same."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from exchange import History, beginning, exchanged, walked
from games import FEW, game, originals
from tiers import in_tiers, some_now

from interpreter.web.dropped import dropped
from interpreter.web.protocol import table_message
from interpreter.web.store import Deed
from interpreter.web.tables import HUMAN, Table
from interpreter.web.taste import Taste

NAMES = in_tiers(FEW, quick=["hearts"], whole=["backgammon", "cribbage"])


def sent(history: History, seat: str) -> Iterator[bytes]:
    """Everything that a seat was sent from the first move on."""
    rules, told = history.states[0].game, 0
    at = Table("t", history.states[0], dict.fromkeys(rules.seats, HUMAN), 0)
    for number, state in enumerate(history.states):
        at.state = state
        at.deeds = at.made = [Deed("move", by, ident) for by, ident in history.moves[:number]]
        for lang in ("en", "fr"):
            message = table_message(at, seat, Taste(lang), told)
            yield json.dumps(message, ensure_ascii=False).encode()
        told = message["news"]["to"]


@pytest.mark.parametrize("seed", some_now([0, 1], 1))
@pytest.mark.parametrize("name", NAMES)
def test_a_seat_is_sent_nothing_that_it_may_not_know(name: str, seed: int) -> None:
    rules, compared = game(name), 0
    history = beginning(walked(rules, seed, 40), 10 + 10 * seed)
    for seat in rules.seats:
        own = list(sent(history, seat))
        for other, _, _ in exchanged(history, seat, seed, tries=3):
            compared += 1
            assert list(sent(other, seat)) == own
    assert compared or history.states[-1].is_over or all(pile.face == "up" for pile in rules.ruleset.piles.values())


@pytest.mark.parametrize("name", originals())
def test_backs_have_no_signs_and_others_no_moves(name: str) -> None:
    rules = game(name)
    history = walked(rules, 1, 12)
    at = Table("t", history.states[-1], dict.fromkeys(rules.seats, HUMAN), 0)
    for seat in (*rules.seats, None):
        message = table_message(at, seat, Taste(), 0)
        view = at.state.view(seat)
        seen = [[None if p.sign is None else p.sign for p in pile.pieces] for pile in view.piles]
        assert [[None if p is None else p[0] for p in pile["pieces"]] for pile in message["piles"]] == seen or at.over
        assert bool(message["moves"]) == (seat is not None and seat == at.state.to_act)


@pytest.mark.parametrize("name", in_tiers(FEW, quick=["klondike"], whole=["spades"]))
def test_what_is_dropped_names_no_piece_that_is_not_seen(name: str) -> None:
    """Whoever takes hold of a back learns nothing by asking why."""
    history = walked(game(name), 3, 15)
    state = history.states[-1]
    seat = state.to_act
    assert seat is not None, "the game is over: take another seed"
    view = state.view(seat)
    own = [dropped(state, {"from": p.key, "at": at}) for p in view.piles for at in range(p.count)]
    for other, _, _ in exchanged(history, seat, 1, tries=4):
        then = other.states[-1]
        assert [dropped(then, {"from": p.key, "at": at}) for p in view.piles for at in range(p.count)] == own
