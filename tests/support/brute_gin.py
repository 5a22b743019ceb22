"""Melds and deadwood of gin rummy, found by trying everything, for comparison."""

from collections.abc import Collection, Iterator
from itertools import combinations

RANKS = "A23456789TJQK"
SUITS = "SHDC"
PACK = [rank + suit for rank in RANKS for suit in SUITS]


def points(cards: Collection[str], ace: int = 1) -> int:
    return sum(ace if card[0] == "A" else min(10, RANKS.index(card[0]) + 1) for card in cards)


def melds(hand: Collection[str], corner: bool = False) -> Iterator[frozenset[str]]:
    for rank in RANKS:
        alike = [card for card in hand if card[0] == rank]
        yield from (frozenset(cards) for size in (3, 4) for cards in combinations(alike, size))
    for suit in SUITS:
        for start, length in ((s, n) for s in range(13) for n in range(3, 14)):
            if corner or start + length <= 13:
                cards = frozenset(RANKS[(start + i) % 13] + suit for i in range(length))
                if cards <= set(hand):
                    yield cards


def least_deadwood(hand: Collection[str], corner: bool = False) -> int:
    """Return the least deadwood: each card in turn is left over, or is in one of its possible melds."""
    found = list(melds(hand, corner))

    def least(cards: frozenset[str]) -> int:
        if not cards:
            return 0
        card = min(cards)
        with_it = [least(cards - meld) for meld in found if card in meld and meld <= cards]
        return min([points([card], 15 if corner else 1) + least(cards - {card}), *with_it])

    return least(frozenset(hand))
