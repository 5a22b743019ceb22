"""Six-card Cribbage for two, to 121, written by hand with the default rules: what a playout costs without an interpreter.

Every choice is made at random among the same legal moves, counted as one decision each, that the ruleset offers: two cards of
six are laid away, then one card after the other is laid, and a forced card is a decision too. Who cannot lay is not asked.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from benchmarks.shows_baseline import JACK, RANKS, VALUES, is_run, show

TARGET = 121
HAND = 6
LAID_AWAY = 2


@dataclass(frozen=True, slots=True)
class Result:
    decisions: int
    deals: int
    scores: tuple[int, int]


class Won(Exception):
    """Somebody has reached the target: the game ends at once."""


class Game:
    """A card is 0 to 51; its rank is `card % 13`, with the ace 0 and the king 12, its suit `card // 13`."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.scores = [0, 0]
        self.decisions = 0
        self.deals = 0

    def play(self) -> Result:
        dealer = self.first_dealer()
        try:
            while True:
                self.play_deal(dealer)
                dealer = 1 - dealer
        except Won:
            return Result(self.decisions, self.deals, (self.scores[0], self.scores[1]))

    def shuffled(self) -> list[int]:
        pack = list(range(4 * RANKS))
        self.rng.shuffle(pack)
        return pack

    def first_dealer(self) -> int:
        """Who cuts the lower card; again if they are equal."""
        while True:
            pack = self.shuffled()
            b, a = pack.pop() % RANKS, pack.pop() % RANKS
            if a != b:
                return 0 if a < b else 1

    def score(self, seat: int, points: int) -> None:
        self.scores[seat] += points
        if self.scores[seat] >= TARGET:
            raise Won

    def play_deal(self, dealer: int) -> None:
        self.deals += 1
        pone = 1 - dealer
        pack = self.shuffled()
        hands: list[list[int]] = [[], []]
        for _ in range(HAND):
            hands[pone].append(pack.pop())
            hands[dealer].append(pack.pop())
        crib = self.lay_away(hands[0]) + self.lay_away(hands[1])
        starter = pack.pop()
        if starter % RANKS == JACK:
            self.score(dealer, 2)
        held = [list(hand) for hand in hands]
        leader = pone
        while hands[0] or hands[1]:
            leader = self.play_count(hands, leader)
        self.score(pone, show(held[pone], starter))
        self.score(dealer, show(held[dealer], starter))
        self.score(dealer, show(crib, starter, crib=True))

    def lay_away(self, hand: list[int]) -> list[int]:
        self.decisions += 1
        away = self.rng.choice(list(combinations(hand, LAID_AWAY)))
        for card in away:
            hand.remove(card)
        return list(away)

    def play_count(self, hands: list[list[int]], turn: int) -> int:
        """Up to thirty-one, or until nobody can lay a card. Returns who leads to the next count."""
        laid: list[int] = []
        total = 0
        last = turn
        gone = [False, False]
        while total < 31 and not all(gone[seat] or not hands[seat] for seat in (0, 1)):
            if not gone[turn]:
                cards = [card for card in hands[turn] if total + VALUES[card] <= 31]
                if cards:
                    self.decisions += 1
                    card = self.rng.choice(cards)
                    hands[turn].remove(card)
                    laid.append(card)
                    total += VALUES[card]
                    last = turn
                    last_card = total < 31 and not hands[0] and not hands[1]
                    self.score(turn, pegged(laid, total) + (1 if last_card else 0))
                else:
                    gone[turn] = True
            turn = 1 - turn
        if total < 31 and (hands[0] or hands[1]):
            self.score(last, 1)
        return 1 - last


def pegged(laid: Sequence[int], total: int) -> int:
    """What the last card laid earns."""
    ranks = [card % RANKS for card in laid]
    points = 2 if total in (15, 31) else 0
    alike = 1
    while alike < len(ranks) and ranks[-1 - alike] == ranks[-1]:
        alike += 1
    points += alike * (alike - 1)
    for size in range(len(ranks), 2, -1):
        if is_run(sorted(ranks[-size:])):
            return points + size
    return points


def playout(rng: random.Random) -> Result:
    """One game of random legal moves."""
    return Game(rng).play()
