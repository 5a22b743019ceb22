"""Games and positions so small that the right moves are known, and what each move comes to by hand, without the solver."""

from collections.abc import Callable, Sequence
from functools import cache

from engines import engine, engine_of
from games import game
from msgspec import structs
from rules import load_rules

from hoyle import Game, State
from hoyle.native.engine_builder import with_native
from hoyle.resources import shipped


def small(name: str) -> Game:
    return load_rules(f"players/{name}")


def natively(one: Game) -> Game:
    built = engine(one.name) if one.name in shipped() else engine_of(one)
    return Game(structs.replace(one.compiled, machine=with_native(one.machine, built)))


def nim_with(stones: int) -> State:
    state = small("nim").start()
    while state.view(None).piles[0].count > stones:
        state = state.play("take-stones 1")
    return state


def reward(won: float, change: float, scale: float = 1.0) -> float:
    return 0.9 * won + 0.1 * (0.5 + 0.5 * change / (abs(change) + scale))


Men = tuple[int, int]


def race(men: Men, scale: float) -> Callable[[Men, Men, int], list[float]]:
    """Return the value of a move for the seat that acts: from its men, the other's and the throw. Both began with `men`."""

    @cache
    def thrown(own: Men, other: Men) -> float:
        return sum(max(moves(own, other, die)) for die in (1, 2, 3)) / 3

    def after(own: Men, other: Men) -> float:
        if own == (0, 0):
            return reward(1.0, sum(other), scale)
        return 1 - thrown(other, own)

    def moves(own: Men, other: Men, die: int) -> list[float]:
        front, back = own
        found = [after((max(front - die, 0), back), other)] if front else []
        return found + ([after((front, max(back - die, 0)), other)] if back else [])

    return moves


def by_hand(state: State, lead: Sequence[float], scale: float) -> list[list[float]]:
    """Return each move's result for each side, by playing on in every way. The first of equally good moves is made."""
    return [_after(state.play(move), lead, scale) for move in state.moves()]


def _after(state: State, lead: Sequence[float], scale: float) -> list[float]:
    seats = state.game.seats
    if state.is_over:
        scores = [state.scores[seat] for seat in seats]
        leads = [own - (sum(scores) - own) / (len(seats) - 1) for own in scores]
        won = [(seat in state.winners) / len(state.winners) for seat in seats]
        return [reward(w, now - then, scale) for w, now, then in zip(won, leads, lead, strict=True)]
    own = seats.index(state.to_act or "")
    return max(by_hand(state, lead, scale), key=lambda found: found[own])


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
