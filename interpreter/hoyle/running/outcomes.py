"""Data classes that both engines share: limits, statistics and results of searches and random games."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

PICKING, FUTURE = 2, 3
"""Uses of chance by iteration: what a search tries, and what happens in its worlds."""
ANY = -1
"""Any first action may be tried."""


LONGEST, PATH = 1024, 256
"""Decisions after which any game is abandoned, and choices kept in the tree."""


WON = 0.9
"""The part of a reward for winning, and so the least reward of a win."""


GREATEST = 4
"""Changes of lead count up to so many times the usual change, where nothing else counts."""


class About(Struct, frozen=True):
    """The player for whom a search runs.

    me      its number
    seed    the seed of its random stream
    before  information sets that it saw at earlier decisions; used only if it plays alone
    open    whether it sees everything
    """

    me: int
    seed: int
    before: frozenset[Any] = frozenset()
    open: bool = False


class Line(Struct, frozen=True):
    """The best playout of a search: its reward (-1 if there is none), and the number of each choice among several actions."""

    promised: float
    choices: tuple[int, ...]


class Sought(Struct, frozen=True):
    """The result of a search for a way to win.

    looked  number of states examined
    lost    whether states were dropped because the memory was full
    way     the winning choices by number, without decisions that had one action; empty if none was found
    missed  whether wins may exist that more memory would not find, because of equal-looking states, chance, an error of a rule, or the depth limit
    """

    looked: int
    lost: bool
    way: tuple[int, ...]
    missed: bool

    @property
    def is_none(self) -> bool:
        """True if it is proved that no win exists."""
        return not (self.way or self.lost or self.missed)


class Bounds(Struct, frozen=True):
    """Limits of a search.

    iterations  number of playouts
    deep        choices stored in the tree
    most        decisions after which a playout is abandoned
    probes      random games that measure the usual change of standings
    keen        the exploration constant of UCB1
    score       whether only the lead of each side counts, not the winner
    """

    iterations: int
    deep: int = 64
    most: int = 400
    probes: int = 16
    keen: float = 0.7
    score: bool = False


@lru_cache(maxsize=4)
def roots(iterations: int) -> tuple[array[float], array[float]]:
    """For 0 (as for 1), 1, … iterations: the root of the logarithm, and 1 divided by the root."""
    numbers = [1, *range(1, iterations + 1)]
    return array("d", [math.sqrt(math.log(n)) for n in numbers]), array("d", [1 / math.sqrt(n) for n in numbers])


class Tried(Struct, frozen=True, tag=True):
    """Statistics of an action in a search: times tried, times available, sum of rewards and of their squares. Rewards are 0 (loss) to 1 (win)."""

    tried: int = 0
    there: int = 0
    total: float = 0.0
    squares: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.tried if self.tried else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean, as if its games were independent."""
        return standard_error(self.tried, self.total, self.squares) if self.tried > 1 else 1.0


class Outcome(Struct, tag=True):
    """Results of games after an action, for the player who searches.

    games  their number
    over   how many of them ended
    won    sum of shares of the win, of ended games; `wons` of their squares
    gained sum of leads over the mean of the others (alone: over the start); `gains` of their squares
    """

    games: int = 0
    over: int | float = 0
    won: float = 0.0
    wons: float = 0.0
    gained: float = 0.0
    gains: float = 0.0

    @property
    def is_exact(self) -> bool:
        """Is it certain, not sampled?"""
        return False

    @property
    def tells(self) -> bool:
        """Is it informative? One game alone is not."""
        return self.games > 1

    @property
    def share(self) -> float:
        """The mean share of the win in ended games."""
        return self.won / self.over if self.over else 0.0

    @property
    def share_error(self) -> float:
        """Its standard error, never 0: equal ends do not make the next one certain."""
        rare = 1.0 / (self.over + 1)
        return max(rare, standard_error(self.over, self.won, self.wons)) if self.over > 1 else 1.0

    @property
    def gain(self) -> float:
        return self.gained / self.games if self.games else 0.0

    @property
    def gain_error(self) -> float:
        return standard_error(self.games, self.gained, self.gains) if self.games > 1 else math.inf


def standard_error(count: float, total: float, squares: float) -> float:
    """The standard error of a mean of at least two numbers, from their sum and the sum of squares."""
    spread = max(0.0, squares / count - (total / count) ** 2)
    return math.sqrt(spread / (count - 1))


FORKS = 256
"""The longest sequence of decisions of an ending that is solved."""
DRAWS = 16
"""Draws of chance between two decisions that are enumerated."""


class Effort(Struct, frozen=True):
    """Limits of solving an ending.

    most     actions to try
    every    is the value of each action wanted, not only the best?
    probes   random games that show whether it is worth trying, and how much standings change
    longest  decisions after which such a game has not ended soon
    guess    the greatest size of the tree as these games estimate it
    score    only the lead of each side counts, not who wins
    """

    most: int
    every: bool = False
    probes: int = 16
    longest: int = 30
    guess: float = 1e9
    score: bool = False


class Stakes(Struct, frozen=True):
    """The scale of an ending: the lead of each side at its start, and how much leads usually change."""

    lead: tuple[float, ...]
    scale: float


class Worth(Struct, frozen=True):
    """The value of an action to the player who asks: its reward (0 to 1), the probability that the game is over at the end of the
    search, the share of the win there, and the gain on the others.
    """

    reward: float
    over: float
    won: float
    gained: float


class Ending(Struct, frozen=True):
    """A solved ending.

    best    the index of the first best action
    worths  the value of each action, as far as known; if only the best was asked for, of that
    way     alone and without chance: the choices to the best end, where there are several
    tried   actions tried
    """

    best: int
    worths: list[Worth | None]
    way: tuple[int, ...] = ()
    tried: int = 0


def worth(parts: Sequence[float], own: int) -> Worth:
    """The value of an action to the side `own`, from (rewards of the sides (of two: of the first), over, won, gained)."""
    *rewards, over, won, gained = parts
    reward = 1 - rewards[0] if len(rewards) == 1 and own else rewards[own]
    return Worth(max(0.0, reward), over, won, gained)


class Known(Tried, frozen=True, tag=True):
    """The exact value of an action, as if tried once."""

    @property
    def error(self) -> float:
        return 0.0


class Fate(Outcome, tag=True):
    """An outcome that was computed exactly, without sampling. Its errors are 0."""

    @property
    def is_exact(self) -> bool:
        return True

    @property
    def tells(self) -> bool:
        return True

    @property
    def share_error(self) -> float:
        return 0.0

    @property
    def gain_error(self) -> float:
        return 0.0


class Tallies(Struct, frozen=True, array_like=True):
    """Counts of a game played by itself.

    choices         decisions with more than one action
    turns           runs of decisions by one player
    offered         actions of all decisions; `most_offered`: the most at one
    moves           times each move was made, by number
    scores, wins    of the sides
    early           uses of each automatic rule before the first decision, where uses are counted
    over            is the game over, and not abandoned?
    """

    decisions: int
    choices: int
    turns: int
    offered: int
    most_offered: int
    moves: tuple[int, ...]
    scores: tuple[int, ...]
    wins: tuple[bool, ...]
    early: tuple[int, ...]
    over: bool
