"""Gin rummy: the best melds of a hand are those found by trying everything, and one may knock exactly when they allow it."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from brute_gin import PACK, RANKS, least_deadwood, melds
from games import loaded
from tiers import sized, some_now

LOW, CORNER = {"aces": "low"}, {"aces": "round_the_corner"}


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
    found, corner = loaded("gin-rummy", options), options is CORNER
    least = found.evaluator("least_deadwood(hand of A)", "hand of A")
    how_many = found.evaluator("count(melds(hand of A))", "hand of A")
    for hand in hands(sized(10, 40), size):
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
    for hand in hands(sized(10, 30), 11):
        state = found.position({"at": "turn / discard", "to_act": "A", "piles": {"hand of A": " ".join(hand)}})
        offered = {move.id.split()[1] for move in state.moves() if move.name == "knock"}
        assert offered == {card for card in hand if least_deadwood(set(hand) - {card}) <= limit}
        assert any(move.name == "go big gin" for move in state.moves()) == (least_deadwood(hand) == 0)
        knocks += len(offered)
    assert knocks
