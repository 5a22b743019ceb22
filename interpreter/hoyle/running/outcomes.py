"""How far a player searches, and what it finds, whichever engine plays."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import Struct

PICKING, FUTURE = 2, 3
"""Uses of chance, by iteration: what a search tries, and what will happen in its worlds."""
ANY = -1
"""Any action may be tried at the beginning."""


LONGEST, PATH = 1024, 256
"""Decisions after which any game is left as it stands, and choices that are kept in the tree at most."""


WON = 0.9
"""What the win is worth of a reward, and so the least that is one."""


GREATEST = 4
"""A change of lead counts up to so many times what is usual, where nothing else does."""


class About(Struct, frozen=True):
    """Who searches, by what chance; what it saw at earlier decisions, which only matters to who plays alone; and whether nothing at all is
    hidden from it."""

    me: int
    seed: int
    before: frozenset[Any] = frozenset()
    open: bool = False


class Line(Struct, frozen=True):
    """What a game came to, and what was chosen in it, by number, where there was a choice. -1 if there was no such game."""

    promised: float
    choices: tuple[int, ...]


class Sought(Struct, frozen=True):
    """
    looked  states that were looked at
    lost    were some not looked at, or not kept, for want of room?
    way     the choices that win, by number, where there was a choice; none if no way was found
    missed  may there be ways among what more room would not bring either: what was held to be alike, where chance had a part, where the rules could not go on,
            or farther off than is looked?
    """

    looked: int
    lost: bool
    way: tuple[int, ...]
    missed: bool

    @property
    def is_none(self) -> bool:
        """Is it certain that there is no way?"""
        return not (self.way or self.lost or self.missed)


class Bounds(Struct, frozen=True):
    """
    iterations  games that are followed
    deep        choices that are kept in the tree; `most`: decisions after which a game is left as it stands
    probes      random games that show by how much standings change
    keen        how much what is seldom tried is worth a try: the constant of UCB1
    score       only by how much each side leads counts, and not who wins
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
    """What a search knows of an action: how often it was tried, how often it could have been, the sum of its rewards, and of their squares.
    A reward is between 0 (a loss) and 1 (a win)."""

    tried: int = 0
    there: int = 0
    total: float = 0.0
    squares: float = 0.0

    @property
    def mean(self) -> float:
        return self.total / self.tried if self.tried else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean, as if its games were drawn apart from each other."""
        return standard_error(self.tried, self.total, self.squares) if self.tried > 1 else 1.0


class Outcome(Struct, tag=True):
    """What games after an action came to for who searches: how many there were and how many were over; of those that were the sum of its shares of the
    win, of all the sum of what it gained on the others (their mean; alone, on what it had), by what wins; and of the squares of both."""

    games: int = 0
    over: int | float = 0
    won: float = 0.0
    wons: float = 0.0
    gained: float = 0.0
    gains: float = 0.0

    @property
    def is_exact(self) -> bool:
        """Is it known for certain, and not from games?"""
        return False

    @property
    def tells(self) -> bool:
        """Does it say anything? One game alone does not."""
        return self.games > 1

    @property
    def share(self) -> float:
        """Of the win, where games were over."""
        return self.won / self.over if self.over else 0.0

    @property
    def share_error(self) -> float:
        """Its standard error; that all games ended alike does not make the next certain."""
        rare = 1.0 / (self.over + 1)
        return max(rare, standard_error(self.over, self.won, self.wons)) if self.over > 1 else 1.0

    @property
    def gain(self) -> float:
        return self.gained / self.games if self.games else 0.0

    @property
    def gain_error(self) -> float:
        return standard_error(self.games, self.gained, self.gains) if self.games > 1 else math.inf


def standard_error(count: float, total: float, squares: float) -> float:
    """Of the mean of at least two numbers, from their sum and that of their squares."""
    spread = max(0.0, squares / count - (total / count) ** 2)
    return math.sqrt(spread / (count - 1))


FORKS = 256
"""Decisions one after another that an ending may have."""
DRAWS = 16
"""Draws of chance between two decisions that are gone through."""


class Effort(Struct, frozen=True):
    """
    most     actions that may be tried
    every    is it asked what each action comes to? Else only which is best
    probes   random games that show whether it is worth trying, and by how much standings change; `longest`: decisions after which one has
             not ended soon
    guess    nodes that the tree may have, as far as those games show; ways that come to the same are one to who solves, but not there
    score    only by how much each side leads counts, and not who wins
    """

    most: int
    every: bool = False
    probes: int = 16
    longest: int = 30
    guess: float = 1e9
    score: bool = False


class Stakes(Struct, frozen=True):
    """What an end is measured by: how far each side is ahead at the beginning, and by how much that usually changes."""

    lead: tuple[float, ...]
    scale: float


class Worth(Struct, frozen=True):
    """What an action comes to for who asks: its reward, between 0 and 1; and what that is made of: how surely the game is over at the end of what
    was looked through, its share of the win where it is, and what it gains on the others."""

    reward: float
    over: float
    won: float
    gained: float


class Ending(Struct, frozen=True):
    """
    best    the number of the first of the best actions
    worths  what each action comes to, as far as that is known; if not every one was asked for, only of the best
    way     alone, and without chance: the choices to the best end, by number, where there are several
    tried   how many actions were tried
    """

    best: int
    worths: list[Worth | None]
    way: tuple[int, ...] = ()
    tried: int = 0


def worth(parts: Sequence[float], own: int) -> Worth:
    """For the side `own`, of what an action comes to: the rewards of the sides, of two that of the first; then the parts of what it comes to for who asks."""
    *rewards, over, won, gained = parts
    reward = 1 - rewards[0] if len(rewards) == 1 and own else rewards[own]
    return Worth(max(0.0, reward), over, won, gained)


class Known(Tried, frozen=True, tag=True):
    """What an action comes to for certain: it was as if tried once."""

    @property
    def error(self) -> float:
        return 0.0


class Fate(Outcome, tag=True):
    """The same, as it is told."""

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
    """
    choices       decisions with more than one action
    turns         runs of decisions by one player
    offered       actions of all decisions together; `most_offered`: the most at one
    moves         how often each move was made, by its number
    scores, wins  of the sides
    early         how often each rule that acts by itself did before anybody decided, where uses are counted
    over          is it? Else it was stopped
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
