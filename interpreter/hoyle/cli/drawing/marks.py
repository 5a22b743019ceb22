"""What has changed on a table between two looks at it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from hoyle.cli.drawing.ink import Place
from hoyle.view_data import PileView, TableView

if TYPE_CHECKING:
    from hoyle.game.views.view import View


def place_of(pile: PileView) -> Place:
    return pile.family, pile.owner, pile.member, pile.number


Looks = Mapping[Place, object]
"""What piles look like, by where they lie."""


def looks(view: TableView) -> Looks:
    return {place_of(pile): _looks(pile) for pile in view.piles}


def changed(known: Looks, after: TableView) -> frozenset[Place]:
    """The piles that look otherwise than was known."""
    return frozenset(place for place, look in looks(after).items() if known.get(place) != look)


def caught_up(known: Looks, before: TableView, after: TableView) -> Looks:
    """What is known once somebody has changed piles himself; those that others had changed before that have changed all the same."""
    was = looks(before)
    return {**known, **{place: look for place, look in looks(after).items() if known.get(place) == was.get(place)}}


def _looks(pile: PileView) -> tuple[object, ...]:
    return pile.count, [(piece.sign, piece.up) for piece in pile.pieces]


def risen(before: TableView, after: TableView) -> dict[Place, str]:
    """The pieces on top of columns that were not seen anywhere before, by where they lie."""
    fresh, found = _signs(after) - _signs(before), dict[Place, str]()
    for pile in after.piles:
        if pile.layout == "column" and pile.pieces and (sign := pile.pieces[-1].sign) is not None and fresh[sign]:
            fresh[sign] -= 1
            found[place_of(pile)] = sign
    return found


def known_but_risen(before: TableView, after: TableView) -> Looks:
    """What whoever has made a choice knows of the table, but for what the choice has uncovered on columns: so that is marked."""
    was = looks(before)
    return {**looks(after), **{place: was[place] for place in risen(before, after)}}


def uncovers(before: TableView, after: TableView) -> bool:
    """Is a piece seen now that was not seen then?"""
    return bool(_signs(after) - _signs(before))


def _signs(view: TableView) -> Counter[str]:
    return Counter(piece.sign for pile in view.piles for piece in pile.pieces if piece.sign is not None)


def known_by(view: View) -> tuple[object, ...]:
    """What a seat sees, but not how it looks: the answer must not depend on that."""
    pieces = [[piece.sign is None for piece in pile.pieces] for pile in view.piles]
    return pieces, [(value.name, value.member) for value in view.state]
