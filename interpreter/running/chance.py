"""Chance: PCG32 (M. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms", 2014), seeded through
SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) so that every game of a series and every use has a stream of its own.

The algorithm is part of the language (docs/language.md, 18): the same seed gives the same game on every machine and engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

_M64 = (1 << 64) - 1
_M32 = (1 << 32) - 1
_MULTIPLIER = 6364136223846793005
GAME, PLAYER = 0, 1
"""Uses of chance: the game's own (shuffles, dice, lots), and players who move at random."""


def splitmix64(x: int) -> int:
    """One output of SplitMix64 for the state x."""
    z = (x + 0x9E3779B97F4A7C15) & _M64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _M64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _M64
    return z ^ (z >> 31)


class Chance:
    """A stream of random numbers. `state` and `step` are the whole of it: two 64-bit numbers."""

    __slots__ = ("state", "step")

    def __init__(self, state: int, step: int) -> None:
        self.state, self.step = state, step

    @classmethod
    def stream(cls, seed: int, index: int = 0, use: int = GAME) -> Chance:
        """The stream of game `index` of the series `seed`, for one use. Raises TypeError if they are no whole numbers."""
        if {type(seed), type(index)} - {int, bool}:
            raise TypeError(f"a seed is a whole number, and so is an index, not {seed!r} and {index!r}")
        mixed = splitmix64(splitmix64(splitmix64(seed & _M64) ^ (index & _M64)) ^ use)
        return cls.seeded(mixed, splitmix64(mixed))

    @classmethod
    def seeded(cls, state: int, sequence: int) -> Chance:
        """PCG32 as its author seeds it."""
        found = cls(0, ((sequence << 1) | 1) & _M64)
        found.next32()
        found.state = (found.state + state) & _M64
        found.next32()
        return found

    def next32(self) -> int:
        """A number of 32 bits (PCG-XSH-RR)."""
        old = self.state
        self.state = (old * _MULTIPLIER + self.step) & _M64
        word = (((old >> 18) ^ old) >> 27) & _M32
        turn = old >> 59
        return ((word >> turn) | (word << (-turn & 31))) & _M32

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1, each equally likely (numbers that would favour some are drawn again)."""
        while True:  # `next32`, written out: it is asked for every random move
            old = self.state
            self.state = (old * _MULTIPLIER + self.step) & _M64
            word, turn = (((old >> 18) ^ old) >> 27) & _M32, old >> 59
            found = ((word >> turn) | (word << (-turn & 31))) & _M32
            if found >= bound or found >= (1 << 32) % bound:  # most are, and need no division
                return found % bound

    def shuffle(self, pile: int, items: list[int]) -> list[int]:
        """The items in random order (Fisher–Yates, from the last to the first). `below`, written out: it is most of a deal."""
        state, step = self.state, self.step
        for bound in range(len(items), 1, -1):
            while True:
                turn = state >> 59
                word = ((state >> 45) ^ (state >> 27)) & 4294967295
                state = (state * 6364136223846793005 + step) & 18446744073709551615
                found = ((word >> turn) | (word << (-turn & 31))) & 4294967295
                if found >= bound or found >= 4294967296 % bound:
                    break
            i, j = bound - 1, found % bound
            items[i], items[j] = items[j], items[i]
        self.state = state
        return items

    def roll(self, kinds: Sequence[int]) -> int:
        """One of the kinds of pieces."""
        return kinds[self.below(len(kinds))]

    def lots(self, items: Sequence[Any], label: int) -> Any:
        """One of the items. (`pile` and `label` are for sources of chance that know what was drawn.)"""
        return items[self.below(len(items))]

    def copy(self) -> Chance:
        return Chance(self.state, self.step)

    def to_json(self) -> list[str]:
        return [f"{self.state:016x}", f"{self.step:016x}"]

    @classmethod
    def from_json(cls, data: Sequence[str]) -> Chance:
        return cls(int(data[0], 16), int(data[1], 16))
