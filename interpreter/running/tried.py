"""How far a player searches, and what it finds, whichever engine plays."""

from __future__ import annotations

import math
from array import array
from functools import lru_cache

from msgspec import Struct

PICKING, FUTURE = 2, 3
"""Uses of chance, by iteration: what a search tries, and what will happen in its worlds."""


class Bounds(Struct, frozen=True):
    """
    iterations  games that are followed
    deep        choices that are kept in the tree; `most`: decisions after which a game is left as it stands
    probes      random games that show by how much standings change
    keen        how much what is seldom tried is worth a try: the constant of UCB1
    """

    iterations: int
    deep: int = 64
    most: int = 400
    probes: int = 16
    keen: float = 0.7


@lru_cache(maxsize=4)
def roots(iterations: int) -> tuple[array[float], array[float]]:
    """For 0 (as for 1), 1, … iterations: the root of the logarithm, and 1 divided by the root."""
    numbers = [1, *range(1, iterations + 1)]
    return array("d", [math.sqrt(math.log(n)) for n in numbers]), array("d", [1 / math.sqrt(n) for n in numbers])


class Tried(Struct, frozen=True):
    """What a search knows of an action: how often it was tried, how often it could have been, the sum of its rewards, and of their squares.
    A reward is between 0 (a loss) and 1 (a win)."""

    tried: int
    there: int
    total: float
    squares: float

    @property
    def mean(self) -> float:
        return self.total / self.tried if self.tried else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean, as if its games were drawn apart from each other."""
        if self.tried < 2:
            return 1.0
        spread = max(0.0, self.squares / self.tried - self.mean**2)
        return math.sqrt(spread / (self.tried - 1))
