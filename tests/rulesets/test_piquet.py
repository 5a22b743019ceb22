"""Piquet: whole games where nothing is sunk, against a reckoning written by hand."""

import random
from collections.abc import Iterator
from typing import Any

import pytest
from brute_piquet import Deal
from tiers import in_tiers, sized

from hoyle import State, load

SETTINGS: list[dict[str, Any]] = [
    {},
    {"point_worth": "tens", "low_cards": "nothing", "capot": 50},
    {"point_call": "value", "first_deal": "lowest", "dealer_may_keep": True},
]


def hands(state: State) -> dict[str, list[str]]:
    return {
        pile.owner: [str(piece.sign) for piece in pile.pieces]
        for seat in state.game.seats
        for pile in state.view(seat).piles
        if pile.family == "hand" and pile.owner == seat
    }


def deals(state: State, seed: int, options: dict[str, Any]) -> Iterator[tuple[Deal, dict[str, int]]]:
    """Each deal of a random game, and what it scored."""
    stream, told = random.Random(seed), 0
    dealt = held = hands(state)
    fresh, played = True, list[tuple[str, str]]()
    while not state.is_over:
        move = stream.choice(state.moves())
        word, _, card = move.id.partition(" ")
        if word == "discard" and fresh:
            dealt, fresh = hands(state), False
        if word == "play-a-card":
            held = held if played else hands(state)
            played.append((move.seat, card))
        state = state.play(move)
        scores = [e for e in state.events[told:] if e.kind == "score" and e.data["as"] == "points of the deal"]
        told = len(state.events)
        if len(played) == 24:
            yield Deal(played[0][0], dealt, held, played, options), {str(e.seat): e.data["score"] for e in scores}
            fresh, played = True, []


@pytest.mark.whole
@pytest.mark.parametrize("options", in_tiers(SETTINGS, whole=SETTINGS[:1]), ids=str)
def test_what_a_deal_scores(options: dict[str, Any]) -> None:
    game = load("piquet", sinking="forbidden", **options)
    for seed in range(sized(1, 2)):
        for deal, scored in deals(game.start(seed=seed), seed, options):
            assert {p: n for p, n in deal.scores().items() if n} == scored, (seed, deal)
