"""Where the members of a family stand: state among the cells, piles among the piles."""

from __future__ import annotations

from math import prod

from msgspec import Struct

from hoyle.language.kinds import Kind, Number


class Key(Struct, frozen=True):
    """The values by which members of a family are known: `size` of them, from `low` on."""

    low: int
    size: int

    def holds(self, kind: Kind) -> bool:
        """Is every value of this kind one of them?"""
        if isinstance(kind, Number):
            return not kind.optional and self.low <= kind.low and kind.high < self.low + self.size
        return not kind.optional


class CellRef(Struct, frozen=True):
    """Where a state family stands in the cells: member i is `base + i`, counted from 0; of several keys the last counts fastest."""

    family: str
    base: int
    keys: tuple[Key, ...] = ()

    @property
    def widths(self) -> tuple[int, ...]:
        """How many cells lie between neighbours, for each key."""
        return tuple(prod(key.size for key in self.keys[i + 1 :]) for i in range(len(self.keys)))


class PileRef(Struct, frozen=True):
    """Where a pile family stands among the piles: member m, counted from 0, and column c is `base + m * columns + c`."""

    family: str
    base: int
    key: Key
    columns: int

    def of_member(self, member: int) -> range:
        """The piles of one member."""
        return range(self.base + member * self.columns, self.base + (member + 1) * self.columns)

    @property
    def all(self) -> range:
        return range(self.base, self.base + self.key.size * self.columns)
