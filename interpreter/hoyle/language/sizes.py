"""How many values a finite kind has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from hoyle.language.kinds import Choice, Kind, Piece, Plain, Row, bounds
from hoyle.language.model import Option, PieceKind, Table


class Symbols(Protocol):
    """What says how many values a kind has: a ruleset, whole or while it is being checked."""

    @property
    def seats(self) -> tuple[str, ...]: ...
    @property
    def options(self) -> Mapping[str, Option]: ...
    @property
    def tables(self) -> Mapping[str, Table]: ...
    @property
    def pieces(self) -> Mapping[str, PieceKind]: ...


def count_of(kind: Kind, symbols: Symbols) -> int:
    """How many values a finite kind has."""
    seats = len(symbols.seats)
    match kind:
        case Plain("player"):
            return seats
        case Plain("pair"):
            return seats * (seats - 1) // 2
        case Row(table):
            return len(symbols.tables[table].rows)
        case Choice(option):
            return len(symbols.options[option].choices)
        case Piece(of):
            return len(symbols.pieces[of].classes)
    low, high = bounds(kind)
    return high - low + 1
