"""Things in the order in which a seat counts them: itself first, then who sits after it. So one policy can play every seat."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from hoyle.game.compiled import Compiled
from hoyle.language.kinds import Kind
from hoyle.language.model import Family, StateFamily
from hoyle.native.sights import sides


def turned(game: Compiled, kind: Kind, seat: int) -> list[int]:
    """The values of a finite kind, as numbers from 0 on, as a seat counts them: players and sides from its own on, pairs of players by those, everything
    else as it is."""
    seats = len(game.seats)
    players = [(seat + n) % seats for n in range(seats)]
    if kind.name == "player":
        return players
    if kind.name == "pair":
        pair = game.machine.constants["PAIR"]
        return [pair[p][q] for n, p in enumerate(players) for q in players[n + 1 :]]
    count = 2 if kind.name == "bool" else game.count_of(kind)
    if kind.maybe(False) == game.ruleset.side:
        own = sides(game.machine)[seat]
        return [(own + n) % count for n in range(count)]
    return [*range(count)]


def turned_piles(game: Compiled, family: Family, seat: int) -> list[int]:
    """The piles of a family, member by member."""
    members = turned(game, family.each, seat) if family.each is not None else [0]
    columns = range(family.columns)
    return [family.base + member * family.columns + column for member in members for column in columns]


def turned_cells(game: Compiled, family: StateFamily, seat: int) -> list[int]:
    """The values of a state family, member by member: those of the last key vary first."""
    sizes = [game.count_of(key) for key in family.keys]
    members = product(*(turned(game, key, seat) for key in family.keys))
    return [family.base + _number(member, sizes) for member in members]


def _number(member: Sequence[int], sizes: Sequence[int]) -> int:
    found = 0
    for own, size in zip(member, sizes, strict=True):
        found = found * size + own
    return found
