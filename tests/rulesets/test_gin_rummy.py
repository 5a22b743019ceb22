"""Gin rummy: the best melds of a hand are those found by trying everything, one may knock exactly when they allow it, and deals are scored."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from brute_gin import PACK, RANKS, least_deadwood, melds, points
from tiers import sized, some_now

from interpreter import Game, State, load

LOW, CORNER = {"aces": "low"}, {"aces": "round_the_corner", "big_gin_bonus": 31}


@cache
def game(name: str = "gin-rummy", **options: Any) -> Game:
    return load(name, **options)


def hands(count: int, size: int) -> Iterator[list[str]]:
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
    found, corner = game(**options), options is CORNER
    least = found.evaluator("least_deadwood(hand of A)", "hand of A")
    how_many = found.evaluator("count(melds(hand of A))", "hand of A")
    for hand in hands(sized(10, 40), size):
        assert least(hand) == least_deadwood(hand, corner), hand
        assert how_many(hand) == len(set(melds(hand, corner))), hand


@pytest.mark.whole
def test_the_most_sets_there_can_be() -> None:
    hand = [rank + suit for rank in "234" for suit in "SHDC"][:11]
    for formula, most in (("sets(hand of A)", 11), ("ways(hand of A)", 72)):
        assert game().evaluator(f"count({formula})", "hand of A")(hand) == most


@pytest.mark.whole
@pytest.mark.parametrize("limit", some_now([10, 4, 0], 1))
def test_one_may_knock_when_the_best_melds_allow_it(limit: int) -> None:
    found, knocks = game(knock_at=limit, big_gin_bonus=31), 0
    for hand in hands(sized(10, 30), 11):
        state = found.position({"at": "turn / discard", "to_act": "A", "piles": {"hand of A": " ".join(hand)}})
        offered = {move.id.split()[1] for move in state.moves() if move.name == "knock"}
        assert offered == {card for card in hand if least_deadwood(set(hand) - {card}) <= limit}
        assert any(move.name == "go big gin" for move in state.moves()) == (least_deadwood(hand) == 0)
        knocks += len(offered)
    assert knocks


def lying(state: State, family: str, seat: str) -> list[list[str]]:
    """The cards of these piles of a player, pile by pile."""
    piles = [pile for pile in state.view(seat).piles if pile.family == family and pile.owner == seat]
    return [[str(piece.sign) for piece in pile.pieces] for pile in piles]


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["gin-rummy", "oklahoma-gin"], 1))
@pytest.mark.parametrize("options", some_now([CORNER, LOW], 1), ids=str)
def test_deals_end_as_the_rules_say(name: str, options: dict[str, Any]) -> None:
    """Both knock as soon as they can, and lay what they like."""
    found, corner = game(name, deals=1, game_bonus=0, box_bonus=0, **options), options is CORNER
    knocks = 0
    for index in range(sized(1, 3)):
        state, pick = found.start(seed=2, index=index), Random(index)
        while not state.is_over:
            state = state.play(pick.choice(wanted(state)))
        scores = {
            event.data["as"]: (event.data["to"], event.data["score"]) for event in state.events if event.kind == "score"
        }
        knocker = next(
            (e.seat for e in state.events if e.kind == "move" and e.data["move"].startswith(("knock", "go-big"))), None
        )
        assert scores == ({} if knocker is None else expected(state, knocker, corner))
        knocks += knocker is not None
    assert knocks


def wanted(state: State) -> list[str]:
    """The moves of somebody who knocks if he can, and else throws away what leaves least."""
    ids = [move.id for move in state.moves()]
    ends = [move for move in ids if move.startswith(("knock", "go-big"))]
    held = [move.split()[1] for move in ids if move.startswith("discard ")]
    if ends or not held:
        return ends or ids
    worst = min(
        held, key=lambda card: least_deadwood([c for c in lying(state, "hand", str(state.to_act))[0] if c != card])
    )
    return [f"discard {worst}"]


def expected(state: State, knocker: str, corner: bool) -> dict[str, tuple[str, int]]:
    """Who scores what, from what lies on the table at the end of a deal."""
    other = "B" if knocker == "A" else "A"
    for meld in (m for seat in "AB" for m in lying(state, "meld", seat) if m):
        assert frozenset(meld) in set(melds(meld, corner))
    upcard = state.value("upcard").plain if state.game.name == "oklahoma-gin" else None
    left = {seat: points(lying(state, "deadwood", seat)[0], 15 if corner else 1) for seat in "AB"}
    assert left[knocker] <= (min(10, points([upcard], 15 if corner else 1)) if upcard else 10)
    times = 2 if upcard and upcard.endswith("S") else 1
    if not lying(state, "deadwood", knocker)[0]:
        big = sum(map(len, lying(state, "meld", knocker))) == 11
        found = {"gin": (knocker, 31 if big else 25), "deadwood": (knocker, left[other])}
    elif left[knocker] < left[other]:
        found = {"deadwood": (knocker, left[other] - left[knocker])}
    else:
        found = {"undercut": (other, 25), "deadwood": (other, left[knocker] - left[other])}
    return {label: (to, times * score) for label, (to, score) in found.items() if score}
