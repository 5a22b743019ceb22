"""Random numbers: PCG32 (M. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms", 2014), seeded through
SplitMix64 (Steele, Lea, Flood, OOPSLA 2014), so that each game of a series and each use has its own stream.

The algorithm is part of the language (docs/language.md, 18): the same seed gives the same game on every machine and engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from struct import Struct
from typing import Any

_M64 = (1 << 64) - 1
_M32 = (1 << 32) - 1
_MULTIPLIER = 6364136223846793005
GAME, PLAYER = 0, 1
"""Uses of chance: the game itself (shuffles, dice, lots), and players who move at random."""


def splitmix64(x: int) -> int:
    """One output of SplitMix64 for the state x."""
    z = (x + 0x9E3779B97F4A7C15) & _M64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _M64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _M64
    return z ^ (z >> 31)


def _lanes(numbers: Iterable[int]) -> int:
    """Pack 64-bit numbers into one integer, with as many bits of room above each."""
    return sum(number << _LANE * place for place, number in enumerate(numbers))


def _steps(count: int) -> Iterator[tuple[int, int]]:
    """Yield (a, b) for n = 0, 1, …: after n steps a state s is a * s + b * step."""
    a, b = 1, 0
    for _ in range(count):
        yield a, b
        a, b = a * _MULTIPLIER & _M64, (b * _MULTIPLIER + 1) & _M64


_LANE, _AT_ONCE, _WORTH_IT = 128, 64, 24


@lru_cache(maxsize=_AT_ONCE)
def _factors(count: int) -> tuple[int, int, int, int, int, Struct]:
    """Constants for computing so many numbers, and the state after them, at once."""
    a, b = (_lanes(some) for some in zip(*_steps(count + 1), strict=True))
    all64, all32, all5 = (_lanes([bits] * (count + 1)) for bits in (_M64, _M32, 31))
    return a, b, all64, all32, all5, Struct(f"<{2 * (count + 1)}Q")


def _drawn(state: int, step: int, count: int) -> tuple[list[int], int]:
    """The next 32-bit numbers of a stream, up to 64, and the state after them, computed at once in one long integer."""
    a, b, all64, all32, all5, halves = _factors(count)
    states = ((state * a & all64) + (step * b & all64)) & all64
    words = (states >> 45 ^ states >> 27) & all32
    twice = words | words << 32 | (states >> 59 & all5) << 64  # who turns a word looks at two of it
    parts = halves.unpack(twice.to_bytes(halves.size, "little"))
    return [
        word >> turn & _M32 for word, turn in zip(parts[:-2:2], parts[1:-2:2], strict=True)
    ], states >> _LANE * count


class Chance:
    """A stream of random numbers, given by two 64-bit numbers."""

    __slots__ = ("state", "step")

    def __init__(self, state: int, step: int) -> None:
        self.state, self.step = state, step

    @classmethod
    def stream(cls, seed: int, index: int = 0, use: int = GAME) -> Chance:
        """The stream of game `index` of the series `seed`, for one use. Raises TypeError unless both are integers."""
        if {type(seed), type(index)} - {int, bool}:
            raise TypeError(f"a seed is a whole number, and so is an index, not {seed!r} and {index!r}")
        mixed = splitmix64(splitmix64(splitmix64(seed & _M64) ^ (index & _M64)) ^ use)
        return cls.seeded(mixed, splitmix64(mixed))

    @classmethod
    def seeded(cls, state: int, sequence: int) -> Chance:
        """PCG32 with its author's seeding."""
        found = cls(0, ((sequence << 1) | 1) & _M64)
        found.next32()
        found.state = (found.state + state) & _M64
        found.next32()
        return found

    def next32(self) -> int:
        """The next 32-bit number (PCG-XSH-RR)."""
        old = self.state
        self.state = (old * _MULTIPLIER + self.step) & _M64
        word = (((old >> 18) ^ old) >> 27) & _M32
        turn = old >> 59
        return ((word >> turn) | (word << (-turn & 31))) & _M32

    def below(self, bound: int) -> int:
        """A uniform number from 0 to bound - 1 (by rejection)."""
        while True:  # `next32`, written out: it is asked for every random move
            old = self.state
            self.state = (old * _MULTIPLIER + self.step) & _M64
            word, turn = (((old >> 18) ^ old) >> 27) & _M32, old >> 59
            found = ((word >> turn) | (word << (-turn & 31))) & _M32
            if found >= bound or found >= (1 << 32) % bound:  # most are, and need no division
                return found % bound

    def picker(self) -> Callable[[int], int]:
        """`below` for a stream that is used for nothing else from now on: numbers are computed many at once."""
        words: list[int] = []
        state, step = self.state, self.step

        def below(bound: int) -> int:
            nonlocal state
            while True:
                if not words:
                    drawn, state = _drawn(state, step, _AT_ONCE)
                    words.extend(reversed(drawn))
                found = words.pop()
                if found >= bound or found >= (1 << 32) % bound:
                    return found % bound

        return below

    def shuffle(self, pile: int, items: list[int], least: int | None = None) -> list[int]:
        """Shuffle items (Fisher–Yates, from last to first). With `least`, cut them instead, with at least so many in each part if possible."""
        if least is not None:
            places = len(items) - 2 * least + 1
            at = least + self.below(places) if places > 0 else 0
            return items[at:] + items[:at]
        bound = len(items)
        while bound > 1:
            for found in self._numbers(bound):
                j = found % bound
                bound -= 1
                items[bound], items[j] = items[j], items[bound]
        return items

    def _numbers(self, bound: int) -> list[int]:
        """32-bit numbers for this bound, the next lower one and so on: a batch, or a single one."""
        before = self.state
        if bound > _WORTH_IT:
            drawn, self.state = _drawn(before, self.step, min(bound - 1, _AT_ONCE))
            if min(drawn) >= bound:  # else one may have to be drawn again
                return drawn
        self.state = before
        return [self.below(bound)]

    def roll(self, kinds: Sequence[int]) -> int:
        """Choose one of the kinds of pieces."""
        return kinds[self.below(len(kinds))]

    def lots(self, items: Sequence[Any], label: int) -> Any:
        """Choose one of the items. (Other sources of chance use `label` to know what was drawn.)"""
        return items[self.below(len(items))]

    def copy(self) -> Chance:
        return Chance(self.state, self.step)

    def to_json(self) -> list[str]:
        return [f"{self.state:016x}", f"{self.step:016x}"]

    @classmethod
    def from_json(cls, data: Sequence[str]) -> Chance:
        return cls(int(data[0], 16), int(data[1], 16))
