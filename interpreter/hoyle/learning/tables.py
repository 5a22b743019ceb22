"""What numbers of actions and of observations mean, as tables of whole numbers, by which the native engine reads and writes them (`coding.c`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hoyle.game.game import Game
from hoyle.language.ir import NO_NUMBER
from hoyle.learning.encoding import Encoder
from hoyle.learning.numbering import Digit, Heads, Numbering
from hoyle.learning.plays import Form
from hoyle.native.coding import Tables
from hoyle.native.engine import places_of
from hoyle.native.layout import Binding

Values = tuple[tuple[int, ...], ...]


def tables(form: Form) -> Tables:
    """Raises Untranslatable if the native engine cannot play the game."""
    numbering, bindings = form.numbering, places_of(form.game.machine).moves
    values, begins = _values(numbering)
    moves, codes = [0] * len(bindings), list[int]()
    for number, heads in numbering.heads.items():
        moves[number] = len(codes)
        codes += _codes(heads, bindings[number], begins)
    return Tables(
        moves,
        codes,
        values,
        _points(form.game, form.encoders[0]),
        _rows(form.encoders),
        numbering.size,
        numbering.end,
        numbering.first_item,
        max(layout.size for layout in form.layouts),
    )


# ---- actions ---------------------------------------------------------------------------------------------------------


def _codes(heads: Heads, bindings: Sequence[Binding], begins: dict[Values, int]) -> Iterator[int]:
    yield heads.first
    yield len(heads.digits)
    for digit in heads.digits:
        yield from (bindings[digit.place - 1].at, digit.size, int(digit.piece), begins[digit.values])
    yield len(heads.lists)
    for one in heads.lists:
        yield from (
            bindings[one.place - 1].at,
            one.first,
            int(one.digit.piece),
            begins[one.digit.values],
            int(one.is_set),
        )


def _values(numbering: Numbering) -> tuple[list[int], dict[Values, int]]:
    """The places of values, and where those of each sort begin."""
    found, begins = list[int](), dict[Values, int]()
    for digit in _digits(numbering):
        if digit.values not in begins:
            begins[digit.values] = begin = len(found)
            found += [0] * len(digit.values)
            for seat, own in enumerate(digit.values):
                found[begin + seat] = len(found)
                found += _places({value: place for place, value in enumerate(own)})
    return found, begins


def _digits(numbering: Numbering) -> Iterator[Digit]:
    for heads in numbering.heads.values():
        yield from heads.digits
        yield from (one.digit for one in heads.lists)


def _places(places: dict[int, int]) -> list[int]:
    """The least value, how many there could be from there on, and the place of no number; then of each value, -1 where it has none."""
    none = places.pop(NO_NUMBER, -1)
    least, most = min(places, default=0), max(places, default=-1)
    return [least, most - least + 1, none, *(places.get(value, -1) for value in range(least, most + 1))]


# ---- observations ----------------------------------------------------------------------------------------------------


def _points(game: Game, encoder: Encoder) -> list[int]:
    found = [0] * (max(game.machine.points, default=0) + 1)
    for label, place in encoder.place.items():
        found[label] = place
    return found


def _rows(encoders: Sequence[Encoder]) -> list[int]:
    """Of each seat, behind where it begins: rows of piles and of values; and at the end the orders that these name."""
    found, orders = [0] * len(encoders), dict[tuple[int, ...], list[int]]()
    for seat, encoder in enumerate(encoders):
        found[seat] = len(found)
        found.append(len(encoder.piles))
        for pile in encoder.piles:
            found += [pile.pile, pile.first, pile.count, pile.among, pile.shown, pile.top, pile.places, pile.room]
        found.append(len(encoder.cells))
        for cell in encoder.cells:
            if cell.places is not None:
                orders.setdefault(cell.places, []).append(len(found) + 5)
            found += [cell.cell, cell.at, cell.high, cell.there, int(cell.piece), -1]
        found += encoder.begun
    for order, named in orders.items():
        for at in named:
            found[at] = len(found)
        found += order
    return found
