"""Every legal turn of a game of tables, enumerated without the interpreter and without its look-ahead.

A turn is every way of playing the numbers one after the other until none can be played. The legal turns are those with the greatest value.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Generic, TypeVar

LETTERS = "abcdefghijklmnopqrstuvwx"
KEPT = 5_000  # positions whose turns are remembered: many times those of one turn, and no more memory in long runs

Pool = tuple[int, ...]
P = TypeVar("P")
"""How a game writes a position, with the side to play."""
S = TypeVar("S")
"""How a game writes where a man stands."""


@dataclass(frozen=True)
class Turn(Generic[P]):
    """A turn played until nothing can be: how many numbers, how many points, and the position it leaves."""

    played: int
    points: int
    end: P


class Turns(Generic[P, S]):
    """Enumerates turns. A game says how one number is played, and what a turn is worth."""

    @property
    def strongest_first(self) -> bool:
        """Must the strongest number be played that can be?"""
        return False

    def plays(self, position: P, die: int) -> Iterator[tuple[S, int, P]]:
        """Every way to play one number: where the man stood, the points, and the position afterwards."""
        raise NotImplementedError

    def value(self, turn: Turn[P]) -> tuple[int, ...]:
        """Return the worth of a turn: only the greatest are legal."""
        raise NotImplementedError

    def spares(self, turn: Turn[P]) -> bool:
        """Is the turn legal whatever it is worth?"""
        raise NotImplementedError

    def turns(self, position: P, pool: Pool) -> frozenset[Turn[P]]:
        return _turns(self, position, pool)

    def continuations(self, position: P, pool: Pool) -> Iterator[tuple[S, int, int, P, Pool]]:
        """Every number that can be played next; under the greedy rule only the strongest of them."""
        for die in sorted(set(pool), reverse=True):
            at, found = pool.index(die), [*self.plays(position, die)]
            yield from ((start, die, points, after, pool[:at] + pool[at + 1 :]) for start, points, after in found)
            if found and self.strongest_first:
                return

    def legal(self, position: P, pool: Pool) -> set[Turn[P]]:
        found = self.turns(position, pool)
        best = max(map(self.value, found))
        return {turn for turn in found if self.value(turn) == best or self.spares(turn)}

    def finals(self, position: P, pool: Pool) -> set[P]:
        return {turn.end for turn in self.legal(position, pool)}

    def first_steps(self, position: P, pool: Pool) -> set[tuple[S, int]]:
        """The numbers that may be played first: those that begin a legal turn."""
        allowed = self.legal(position, pool)
        return {
            (start, die)
            for start, die, points, after, rest in self.continuations(position, pool)
            if any(Turn(t.played + 1, t.points + points, t.end) in allowed for t in self.turns(after, rest))
        }


@lru_cache(maxsize=KEPT)
def _turns(rules: Turns[Any, Any], position: Any, pool: Pool) -> frozenset[Turn[Any]]:
    found = {
        Turn(turn.played + 1, turn.points + points, turn.end)
        for _, _, points, after, rest in rules.continuations(position, pool)
        for turn in rules.turns(after, rest)
    }
    return frozenset(found or {Turn(0, 0, position)})
