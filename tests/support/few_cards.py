"""Positions with a few cards left: patiences that can be won or not, and a last trick."""

from functools import cache

from games import game
from rules import load_rules

from hoyle import State

SUITS = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C"}
NEARLY = {
    "at": "game / play",
    "to_act": "A",
    "piles": {
        "column": ["KS QS", "KH QH", "KD QD", "KC QC", "JC JD", "JH JS"],
        **{f"foundation of {suit}": f"A{s} 2{s} 3{s} 4{s} 5{s} 6{s} 7{s} 8{s} 9{s} T{s}" for suit, s in SUITS.items()},
    },
}
LAST = {
    "at": "play to the trick",
    "to_act": "D",
    "state": {"leader": "A"},
    "piles": {"hand of D": "2C KC", "hand of A": "3D", "hand of B": "4D", "hand of C": "5D"}
    | {"trick of A": "3C", "trick of B": "QS", "trick of C": "4C"},
}


@cache
def nearly_won() -> State:
    """Freecell: kings lie below their queens."""
    return game("freecell").position(NEARLY, 1)


@cache
def last_trick() -> State:
    """Hearts: the king takes the queen of spades, and the fewest points win."""
    return game("hearts").position(LAST, 1)


WINNABLE, LOST = 8, 9
"""Deals of the patience with eight stones."""


def stones(index: int) -> State:
    return load_rules("players/stones").start(1, index)
