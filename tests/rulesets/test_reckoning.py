"""Reckoning of deals: piquet and gin rummy against trying everything, and what is said of each count."""

import random
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from brute_gin import PACK, RANKS, least_deadwood, melds
from brute_piquet import Deal
from games import game, loaded
from rules import read_cases
from spaces import spaced
from tiers import in_tiers, sized, some_now

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


LOW, CORNER = {"aces": "low"}, {"aces": "round_the_corner"}


def draw_hands(count: int, size: int) -> Iterator[list[str]]:
    """Hands of some ranks that follow each other, because those of the whole pack have few melds."""
    pick = Random(size)
    for _ in range(count):
        lowest, wide = pick.randrange(13), pick.choice((3, 4, 4, 5, 6, 13))
        near = [card for card in PACK if (RANKS.index(card[0]) - lowest) % 13 < wide]
        yield pick.sample(near, size)


@pytest.mark.whole
@pytest.mark.parametrize("options", [LOW, CORNER], ids=["low", "corner"])
@pytest.mark.parametrize("size", some_now([10, 3, 7, 11], 1))
def test_the_best_melds(options: dict[str, Any], size: int) -> None:
    found, corner = loaded("gin-rummy", options), options is CORNER
    least = found.evaluator("least_deadwood(hand of A)", "hand of A")
    how_many = found.evaluator("count(melds(hand of A))", "hand of A")
    for hand in draw_hands(sized(10, 40), size):
        assert least(hand) == least_deadwood(hand, corner), hand
        assert how_many(hand) == len(set(melds(hand, corner))), hand


@pytest.mark.whole
def test_the_most_sets_there_can_be() -> None:
    hand = [rank + suit for rank in "234" for suit in "SHDC"][:11]
    for formula, most in (("sets(hand of A)", 11), ("ways(hand of A)", 72)):
        assert loaded("gin-rummy").evaluator(f"count({formula})", "hand of A")(hand) == most


@pytest.mark.whole
@pytest.mark.parametrize("limit", some_now([10, 4, 0], 1))
def test_one_may_knock_when_the_best_melds_allow_it(limit: int) -> None:
    found, knocks = loaded("gin-rummy", knock_at=limit, big_gin_bonus=31), 0
    for hand in draw_hands(sized(10, 30), 11):
        state = found.position({"at": "turn / discard", "to_act": "A", "piles": {"hand of A": " ".join(hand)}})
        offered = {move.id.split()[1] for move in state.moves() if move.name == "knock"}
        assert offered == {card for card in hand if least_deadwood(set(hand) - {card}) <= limit}
        assert any(move.name == "go big gin" for move in state.moves()) == (least_deadwood(hand) == 0)
        knocks += len(offered)
    assert knocks


@pytest.mark.whole
@pytest.mark.parametrize(("name", "given", "said"), [tuple(case) for case in read_cases("rulesets/counts")["said"]])
def test_what_is_said_of_the_count(name: str, given: dict[str, Any], said: list[str]) -> None:
    after = game(name).position({"at": "reckoning", **given})
    assert [spaced(event.text("fr")) for event in after.events if event.kind == "say"] == said


@pytest.mark.whole
@pytest.mark.parametrize("belotes", [0, 1, 2])
def test_who_has_said_belote_is_shown_so_and_others_not_at_all(belotes: int) -> None:
    state = game("belote").position(
        {
            "at": "play to the trick",
            "to_act": "A",
            "state": {"leader": "A", "bidder": "A", "trump": "hearts", "belotes of B": belotes},
            "piles": {"hand of A": "7C"},
        }
    )
    shown = {value.name: value.member for value in state.view("A").state if value.value is True}
    assert {name for name in shown if "said" in name} == {0: set(), 1: {"belote_said"}, 2: {"both_said"}}[belotes]
    assert "belotes" not in {value.name for value in state.view("A").state}
