"""In which order pieces are held in a hand: by measures, one after the other, and colours alternate in what is left of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.pieces import colour, row_colours
from hoyle.language.ir import ABSENT


class Measure(Struct, frozen=True):
    """What a piece is held by: a number, or a row of a `table` (empty for a number)."""

    value: int
    table: str = ""


class Held(Struct, frozen=True):
    """A piece at its `place` in a pile, with its measures, as many as the others have."""

    place: int
    colour: str
    measures: tuple[Measure, ...]


def held(game: Compiled, place: int, piece: int, measures: Iterable[Measure]) -> Held:
    return Held(place, colour(game, piece), tuple(measures))


def places(game: Compiled, pieces: Sequence[Held]) -> list[int]:
    """The places of the pieces in the order in which one holds them."""
    return [one.place for one in _in_hand(game, pieces, 0)]


def _in_hand(game: Compiled, pieces: Sequence[Held], level: int, before: str = "", after: str = "") -> Iterator[Held]:
    """Between pieces of these colours, empty where nothing lies, or more than one colour does."""
    if not pieces or level == len(pieces[0].measures):
        yield from pieces
        return
    groups = _groups(game, pieces, level, before, after)
    for n, group in enumerate(groups):
        behind = _only_colour(groups[n + 1]) if n + 1 < len(groups) else after
        for piece in _in_hand(game, group, level + 1, before, behind):
            yield piece
            before = piece.colour


def _groups(game: Compiled, pieces: Sequence[Held], level: int, before: str, after: str) -> list[list[Held]]:
    """Those that are alike by a measure, in the order of what it says."""

    def value(piece: Held) -> int:
        return piece.measures[level].value

    found = {n: list(group) for n, group in groupby(sorted(pieces, key=value), key=value)}
    table = pieces[0].measures[level].table
    colours = row_colours(game, table) if table else None
    if colours is None:
        return list(found.values())
    absent, rows = [n for n in found if n == ABSENT], [n for n in found if n != ABSENT]
    return [found[n] for n in (*absent, *_alternating(rows, colours, (before, after)))]


def _alternating(rows: Sequence[int], colours: Sequence[str], beside: tuple[str, str]) -> list[int]:
    """Rows so that two of one colour are apart, as far as that can be: each time one of the colour of which most are left; the other way round
    if that goes better between what lies `beside`."""
    left, found = list(rows), list[int]()
    while left:
        free = [row for row in left if not found or colours[row] != colours[found[-1]]] or left
        found.append(max(free, key=lambda row: sum(colours[other] == colours[row] for other in left)))
        left.remove(found[-1])
    return min((found, found[::-1]), key=lambda one: _touching([beside[0], *(colours[row] for row in one), beside[1]]))


def _touching(colours: Sequence[str]) -> int:
    return sum(one == other != "" for one, other in pairwise(colours))


def _only_colour(pieces: Sequence[Held]) -> str:
    """The colour that they all have; empty if they have several."""
    colours = {piece.colour for piece in pieces}
    return colours.pop() if len(colours) == 1 else ""
