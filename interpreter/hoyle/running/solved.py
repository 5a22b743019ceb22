"""How far an ending is looked through to solve it exactly, and what is found, whichever engine does it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from hoyle.running.tried import Outcome, Tried

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
