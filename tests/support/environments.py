"""Environments of shipped games. The libraries that they need are imported when one is made."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from games import game

if TYPE_CHECKING:
    from hoyle.learning.aec import Environment

SORTS = ["cribbage", "golf", "hearts", "klondike", "gin-rummy", "barbu", "backgammon", "yams", "crapette", "spades"]
"""Games of every sort."""


def environment(name: str, **more: Any) -> Environment:
    from hoyle.learning.aec import Environment

    return Environment(game(name), **more)


def begun(name: str, seed: int = 1, **more: Any) -> Environment:
    env = environment(name, **more)
    env.reset(seed=seed)
    return env


def pick_legal(pick: random.Random, mask: Any) -> int:
    return pick.choice([number for number, bit in enumerate(mask) if bit])
