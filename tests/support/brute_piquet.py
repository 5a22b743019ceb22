"""Piquet without the interpreter: what a deal must score where nothing is sunk, from the hands and the cards played.

Written from the laws alone, to judge the rulesets, and in another way than they say it: hands are sorted and cut, not searched for subsets.
A card is two letters, rank and suit.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

RANKS = "789TJQKA"
VALUES = {"7": 7, "8": 8, "9": 9, "A": 11}
CLASSES = ("carte blanche", "point", "sequences", "sets")

Claim = tuple[tuple[int, int], int]
"""How long and how high, and what it is worth."""


@dataclass
class Deal:
    """`dealt` and `held`: each player's cards before and after the exchange; `played`: who played which card, in order."""

    elder: str
    dealt: Mapping[str, Sequence[str]]
    held: Mapping[str, Sequence[str]]
    played: Sequence[tuple[str, str]]
    options: Mapping[str, object]
    tally: dict[str, int] = field(default_factory=dict)

    def scores(self) -> dict[str, int]:
        self.tally = dict.fromkeys(self.held, 0)
        struck = self._hands()
        tricks = self._play(struck)
        for player, count in tricks.items():
            capot = int(str(self.options.get("capot", 40)))
            self.tally[player] += capot if count == 12 else 10 if count > 6 else 0
        return self.tally

    def _hands(self) -> bool:
        counted = [self._class(name) for name in CLASSES]
        struck = False
        for name, points in counted:
            if name:
                self.tally[name] += points
        for player in self.held:
            before = 0
            for name, points in counted:
                if name not in (player, ""):
                    break
                before += points if name else 0
            if before >= 30:
                self.tally[player] += 60
                struck = True
        return struck

    def _class(self, name: str) -> tuple[str, int]:
        """Who counts a class, and how much; nobody if the best are equal."""
        if name == "carte blanche":
            blank = [p for p, cards in self.dealt.items() if not any(c[0] in "KQJ" for c in cards)]
            return (blank[0], 10) if blank else ("", 0)
        claims = {player: self._claims(name, cards) for player, cards in self.held.items()}
        best = {player: max(found)[0] if found else (0, 0) for player, found in claims.items()}
        if len(set(best.values())) == 1:
            return "", 0
        winner = max(best, key=lambda player: best[player])
        found = sorted(claims[winner], reverse=True)[:1] if name == "point" else claims[winner]
        return winner, sum(worth for _, worth in found)

    def _claims(self, name: str, cards: Sequence[str]) -> list[Claim]:
        if name == "sets":
            counts = [(sum(c[0] == rank for c in cards), RANKS.index(rank)) for rank in "TJQKA"]
            return [(how, 14 if how[0] == 4 else 3) for how in counts if how[0] >= 3]
        suits = [sorted(RANKS.index(c[0]) for c in cards if c[1] == suit) for suit in "SHDC"]
        if name == "point":
            return [self._point(suit) for suit in suits if suit]
        runs = [
            [i for _, i in run] for suit in suits for _, run in groupby(enumerate(suit), lambda pair: pair[1] - pair[0])
        ]
        return [((len(run), run[-1]), len(run) + (10 if len(run) > 4 else 0)) for run in runs if len(run) > 2]

    def _point(self, suit: list[int]) -> Claim:
        value = sum(VALUES.get(RANKS[i], 10) for i in suit)
        tens = value // 10 + (value % 10 >= 5)
        return (len(suit), value), tens if self.options.get("point_worth") == "tens" else len(suit)

    def _play(self, struck: bool) -> dict[str, int]:
        tricks = dict.fromkeys(self.held, 0)
        younger = next(player for player in self.held if player != self.elder)
        for number, (first, second) in enumerate(zip(self.played[::2], self.played[1::2], strict=True)):
            follows = first[1][1] == second[1][1] and RANKS.index(second[1][0]) > RANKS.index(first[1][0])
            winner = second if follows else first
            tricks[winner[0]] += 1
            for player, points in (
                (first[0], self._counts(first[1])),
                (second[0], follows * self._counts(second[1])),
                (winner[0], int(number == 11)),
            ):
                self.tally[player] += points
                if not struck and self.tally[self.elder] >= 30 and not self.tally[younger]:
                    self.tally[self.elder] += 30
                    struck = True
        return tricks

    def _counts(self, card: str) -> int:
        return int(self.options.get("low_cards") != "nothing" or card[0] in "TJQKA")
