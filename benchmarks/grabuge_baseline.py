"""Grabuge written by hand, with its default rules: what a playout costs without an interpreter.

Every choice is made at random among the same legal moves, counted as one decision each, that the ruleset offers:
equal packets and empty columns are separate places, and a forced move is a decision too.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

RANKS = 13
GRABUGE = 8
DRAW = 4
COLUMNS = 4
BONUS = 2
GROUP = 5


@dataclass(slots=True)
class Player:
    talon: list[int]
    grabuge: list[int] = field(default_factory=list)
    reserve: list[list[int]] = field(default_factory=lambda: [[] for _ in range(COLUMNS)])
    won: list[int] = field(default_factory=list)
    packets: int = 0
    converted: bool = False

    def unplayed(self) -> int:
        return len(self.talon) + len(self.grabuge) + sum(len(column) for column in self.reserve)


@dataclass(frozen=True, slots=True)
class Result:
    decisions: int
    turns: int
    totals: tuple[int, int]
    bonus: int | None
    converted: tuple[bool, bool]
    cards: int


class Game:
    """A card is 0 to 51; its rank is `card % 13`, with the ace 0 and the king 12."""

    def __init__(self, rng: random.Random, packs: int = 2) -> None:
        self.rng = rng
        cards = list(range(4 * RANKS)) * packs
        rng.shuffle(cards)
        half = len(cards) // 2
        self.players = (Player(cards[:half]), Player(cards[half:]))
        self.tableau: list[list[int]] = []
        self.bonus: int | None = None
        self.decisions = 0
        self.turns = 0
        for player in self.players:
            player.grabuge = [player.talon.pop() for _ in range(GRABUGE)]

    def play(self) -> Result:
        for player in self.players:
            while player.grabuge and player.grabuge[-1] % RANKS == 0:
                self.play_card(player, player.grabuge, [])
                self.decisions += 1
        seat = self.first()
        while not all(self.is_stuck(player) for player in self.players):
            self.turn(self.players[seat])
            seat = 1 - seat
        self.count_leftovers()
        return self.result()

    def first(self) -> int:
        """The seat with the higher card on its grabuge; by lots if they are equal."""
        a, b = (player.grabuge[-1] % RANKS if player.grabuge else -1 for player in self.players)
        return self.rng.randrange(2) if a == b else int(b > a)

    def turn(self, player: Player) -> None:
        self.turns += 1
        self.serve(player)
        if not player.talon and player.grabuge:
            player.talon, player.grabuge = player.grabuge, []
            player.converted = True
        drawn = [player.talon.pop() for _ in range(min(DRAW, len(player.talon)))]
        for card in drawn:
            self.place(player, card)
            self.serve(player)

    def places(self, card: int) -> list[list[int]]:
        """The packets a card fits on; for an ace, a new one."""
        rank = card % RANKS
        if rank == 0:
            return [[]]
        return [packet for packet in self.tableau if packet[-1] % RANKS == rank - 1]

    def serve(self, player: Player) -> None:
        """Play from the grabuge, or if it is stuck from the reserve, as long as something fits."""
        while moves := self.grabuge_moves(player) or self.reserve_moves(player):
            self.decisions += 1
            source, packet = self.rng.choice(moves)
            self.play_card(player, source, packet)

    def grabuge_moves(self, player: Player) -> list[tuple[list[int], list[int]]]:
        if not player.grabuge:
            return []
        return [(player.grabuge, packet) for packet in self.places(player.grabuge[-1])]

    def reserve_moves(self, player: Player) -> list[tuple[list[int], list[int]]]:
        return [(column, packet) for column in player.reserve if column for packet in self.places(column[-1])]

    def place(self, player: Player, card: int) -> None:
        """The turned card must be played if it fits, else it goes to a column of the reserve."""
        self.decisions += 1
        if packets := self.places(card):
            self.play_card(player, [card], self.rng.choice(packets))
        else:
            self.rng.choice(player.reserve).append(card)

    def play_card(self, player: Player, source: list[int], packet: list[int]) -> None:
        card = source.pop()
        if not packet:
            self.tableau.append(packet)
        packet.append(card)
        if card % RANKS == RANKS - 1:
            self.tableau.remove(packet)
            player.won += packet
            player.packets += 1
        if source is player.grabuge and not source and self.bonus is None:
            self.bonus = self.players.index(player)
            player.packets += BONUS

    def is_stuck(self, player: Player) -> bool:
        return not (player.talon or player.grabuge or self.reserve_moves(player))

    def count_leftovers(self) -> None:
        a, b = self.players
        fewer, more = (a, b) if a.unplayed() < b.unplayed() else (b, a)
        fewer.packets += (more.unplayed() - fewer.unplayed()) // GROUP

    def result(self) -> Result:
        a, b = self.players
        cards = sum(len(packet) for packet in self.tableau) + sum(len(p.won) + p.unplayed() for p in self.players)
        return Result(self.decisions, self.turns, (a.packets, b.packets), self.bonus, (a.converted, b.converted), cards)


def playout(rng: random.Random, packs: int = 2) -> Result:
    """One game of random legal moves."""
    return Game(rng, packs).play()
