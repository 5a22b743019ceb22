"""Hearts for four, to a hundred points, written by hand with the default rules: what a playout costs without an interpreter.

Every choice is made at random among the same legal moves, counted as one decision each, that the ruleset offers: three cards of
thirteen are passed on, then one card after the other is played, and a forced card is a decision too.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from itertools import combinations

TARGET = 100
PLAYERS = 4
RANKS = 13
PASSED = 3
WAYS = (1, 3, 2, 0)
"""How many seats on the cards are passed in each deal, in turn: to the left, to the right, across, not at all."""
SPADES, HEARTS, DIAMONDS, CLUBS = range(4)
TWO_OF_CLUBS = CLUBS * RANKS
QUEEN_OF_SPADES = SPADES * RANKS + 10
ALL_PENALTIES = 26


@dataclass(frozen=True, slots=True)
class Result:
    decisions: int
    deals: int
    scores: tuple[int, ...]


class Game:
    """A card is 0 to 51; its rank is `card % 13`, with the two 0 and the ace 12, its suit `card // 13`."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.scores = [0] * PLAYERS
        self.hands: list[list[int]] = [[] for _ in range(PLAYERS)]
        self.decisions = 0
        self.deals = 0

    def play(self) -> Result:
        dealer = self.rng.randrange(PLAYERS)
        while max(self.scores) < TARGET:
            self.play_deal(dealer, WAYS[self.deals % len(WAYS)])
            self.deals += 1
            dealer = (dealer + 1) % PLAYERS
        return Result(self.decisions, self.deals, tuple(self.scores))

    def play_deal(self, dealer: int, way: int) -> None:
        self.deal(dealer)
        if way:
            self.pass_cards(way)
        leader = next(seat for seat in range(PLAYERS) if TWO_OF_CLUBS in self.hands[seat])
        penalties = [0] * PLAYERS
        broken = False
        for number in range(RANKS):
            trick = self.play_trick(leader, number == 0, broken)
            leader = winner(trick, leader)
            penalties[leader] += sum(cost(card) for card in trick)
            broken = broken or any(card // RANKS == HEARTS for card in trick)
        self.count(penalties)

    def deal(self, dealer: int) -> None:
        pack = list(range(4 * RANKS))
        self.rng.shuffle(pack)
        self.hands = [[] for _ in range(PLAYERS)]
        for i in range(len(pack)):
            self.hands[(dealer + 1 + i) % PLAYERS].append(pack.pop())

    def pass_cards(self, way: int) -> None:
        """Everybody chooses before anybody takes up what he is given."""
        gifts = [self.gift(hand) for hand in self.hands]
        for seat in range(PLAYERS):
            self.hands[(seat + way) % PLAYERS] += gifts[seat]

    def gift(self, hand: list[int]) -> list[int]:
        self.decisions += 1
        gift = self.rng.choice(list(combinations(hand, PASSED)))
        for card in gift:
            hand.remove(card)
        return list(gift)

    def play_trick(self, leader: int, first: bool, broken: bool) -> list[int]:
        trick: list[int] = []
        for i in range(PLAYERS):
            hand = self.hands[(leader + i) % PLAYERS]
            self.decisions += 1
            card = self.rng.choice(legal_cards(hand, trick, first, broken))
            hand.remove(card)
            trick.append(card)
        return trick

    def count(self, penalties: list[int]) -> None:
        """Each has his own; who has them all has none, and the others have as many."""
        if ALL_PENALTIES in penalties:
            penalties = [ALL_PENALTIES - points for points in penalties]
        for seat in range(PLAYERS):
            self.scores[seat] += penalties[seat]


def legal_cards(hand: list[int], trick: list[int], first: bool, broken: bool) -> list[int]:
    if not trick:
        if first:
            return [TWO_OF_CLUBS]
        if broken:
            return hand
        return [card for card in hand if card // RANKS != HEARTS] or hand
    cards = [card for card in hand if card // RANKS == trick[0] // RANKS] or hand
    if first:
        return [card for card in cards if not cost(card)] or cards
    return cards


def cost(card: int) -> int:
    if card // RANKS == HEARTS:
        return 1
    return 13 if card == QUEEN_OF_SPADES else 0


def winner(trick: list[int], leader: int) -> int:
    """The seat with the highest card of the suit that was led."""
    best = 0
    for i in range(1, PLAYERS):
        if trick[i] // RANKS == trick[best] // RANKS and trick[i] > trick[best]:
            best = i
    return (leader + best) % PLAYERS


def playout(rng: random.Random) -> Result:
    """One game of random legal moves."""
    return Game(rng).play()
