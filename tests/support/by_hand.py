"""A game of the engine and the same game written by hand (`benchmarks/*_baseline.py`), side by side."""

import random
from collections import Counter, deque
from typing import Any

from brute_tables import opposed
from tables_support import step

from hoyle import Move, State
from hoyle.game.events import make_event

CHANCE = ("shuffle", "roll", "lots")


def card_number(sign: str, ranks: str) -> int:
    return ranks.index(sign[0]) + len(ranks) * "SHDC".index(sign[1])


class Witness(random.Random):
    """Gives the hand-written game the cards, the dice and the choices of a game of the engine, and compares what may be chosen.

    `ranks` are the signs of the ranks from the lowest.
    """

    def __init__(self, state: State, seed: int, ranks: str) -> None:
        super().__init__(seed)
        self.state, self.ranks = state, ranks
        self._read = 0
        self._drawn: deque[Any] = deque()

    def _look(self) -> None:
        log = self.state.core.log or []
        for raw in log[self._read :]:
            found = make_event(self.state.game.compiled, raw)
            if found is not None and found.kind in CHANCE:
                given = found.data["cards"] if found.kind == "shuffle" else found.data[found.kind]
                self._drawn.extend(given if found.kind == "roll" else [given])
        self._read = len(log)

    @property
    def is_done(self) -> bool:
        """Is the engine's game over, and has the hand-written one drawn all that it drew?"""
        self._look()
        return self.state.is_over and not self._drawn

    def _next(self) -> Any:
        self._look()
        return self._drawn.popleft()

    def shuffle(self, x: Any) -> None:
        x[:] = [card_number(sign, self.ranks) for sign in self._next()]

    def randrange(self, *bounds: Any) -> int:
        """Dice are numbers; lots are seats, from 0."""
        found = str(self._next())
        return int(found) if found.isdigit() else self.state.game.seats.index(found)

    def choice(self, seq: Any) -> Any:
        """The choice of the engine's game, among the same as the hand-written one sees."""
        self._look()
        move, item = self.chosen(self.state.moves(), seq)
        self.state.play_here(move)
        return item

    def chosen(self, moves: list[Move], seq: Any) -> tuple[Move, Any]:
        found, expected = [self.meant(move) for move in moves], [self.written(item) for item in seq]
        assert Counter(found) == Counter(expected), self.state.place
        n = int(self.random() * len(moves))
        return moves[n], seq[expected.index(found[n])]

    def meant(self, move: Move) -> Any:
        """A move of the engine: `lay-away JD 3S` → the cards."""
        return frozenset(card_number(sign, self.ranks) for sign in move.id.split()[1:])

    def written(self, item: Any) -> Any:
        return frozenset(item if isinstance(item, tuple) else (item,))


class TablesWitness(Witness):
    """A game of tables whose tracks run against each other."""

    def meant(self, move: Move) -> Any:
        """`play arrow g 3` → (7, 3)"""
        return step(move.id, move.seat, opposed)

    def written(self, item: Any) -> Any:
        return item
