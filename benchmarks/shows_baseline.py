"""The show of Cribbage written by hand: what a hand is worth with its starter, found by looking at all combinations of cards."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

RANKS = 13
JACK = 10
VALUES = [min(card % RANKS + 1, 10) for card in range(4 * RANKS)]


def show(hand: Sequence[int], starter: int, crib: bool = False) -> int:
    """A card is 0 to 51; its rank is `card % 13`, with the ace 0 and the king 12, its suit `card // 13`."""
    cards = [*hand, starter]
    ranks = [card % RANKS for card in cards]
    return fifteens(cards) + pairs(ranks) + runs(ranks) + flush(hand, starter, crib) + his_nob(hand, starter)


def fifteens(cards: Sequence[int]) -> int:
    values = [VALUES[card] for card in cards]
    points = 0
    for size in range(2, len(values) + 1):
        for some in combinations(values, size):
            if sum(some) == 15:
                points += 2
    return points


def pairs(ranks: Sequence[int]) -> int:
    points = 0
    for a, b in combinations(ranks, 2):
        if a == b:
            points += 2
    return points


def runs(ranks: Sequence[int]) -> int:
    """A point a card for each of the longest runs."""
    ranks = sorted(ranks)
    for size in range(len(ranks), 2, -1):
        points = 0
        for some in combinations(ranks, size):
            if is_run(some):
                points += size
        if points:
            return points
    return 0


def is_run(ranks: Sequence[int]) -> bool:
    """Of ranks in ascending order."""
    return ranks[-1] - ranks[0] == len(ranks) - 1 and len(set(ranks)) == len(ranks)


def flush(hand: Sequence[int], starter: int, crib: bool) -> int:
    """Four cards of one suit, or five; in the crib only five."""
    suits = {card // RANKS for card in hand}
    if len(suits) > 1:
        return 0
    if starter // RANKS in suits:
        return 5
    return 0 if crib else 4


def his_nob(hand: Sequence[int], starter: int) -> int:
    """The jack of the starter's suit."""
    return 1 if starter // RANKS * RANKS + JACK in hand else 0
