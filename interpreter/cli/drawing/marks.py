"""What has changed on a table between two looks at it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from interpreter.cli.drawing.ink import Piece, Place


class Placed(Protocol):
    """A pile of a view: which it is, and what lies there."""

    @property
    def family(self) -> str: ...
    @property
    def owner(self) -> str | None: ...
    @property
    def number(self) -> int | None: ...
    @property
    def member(self) -> str | None: ...
    @property
    def count(self) -> int: ...
    @property
    def pieces(self) -> Sequence[Piece]: ...


class Seen(Protocol):
    @property
    def piles(self) -> Sequence[Placed]: ...


def place_of(pile: Placed) -> Place:
    return pile.family, pile.owner, pile.member, pile.number


def changed(before: Seen, after: Seen) -> frozenset[Place]:
    """The piles that look otherwise than before."""
    old = {place_of(pile): _looks(pile) for pile in before.piles}
    return frozenset(place for pile in after.piles if old.get(place := place_of(pile)) != _looks(pile))


def _looks(pile: Placed) -> tuple[object, ...]:
    return pile.count, [(piece.sign, piece.up) for piece in pile.pieces]


def uncovers(before: Seen, after: Seen) -> bool:
    """Is a piece seen now that was not seen then?"""
    return bool(_signs(after) - _signs(before))


def _signs(view: Seen) -> Counter[str]:
    return Counter(piece.sign for pile in view.piles for piece in pile.pieces if piece.sign is not None)
