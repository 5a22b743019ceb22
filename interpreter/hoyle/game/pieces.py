"""Faces of pieces: their text in a language, their colours, and their order in a hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.language.ir import ABSENT
from hoyle.language.model import PieceKind, Table
from hoyle.language.value_types import Row


class PieceFace(Struct, frozen=True):
    """The face of a class of pieces.

    sign    its name in ids and positions
    text    its name for people; `plain` is the same in ASCII if its symbols have signs
    colour  the row of its `colour`, or its owner's seat
    place   the sort key in a hand
    """

    sign: str
    text: str
    plain: str
    colour: str
    place: tuple[int, ...]


def list_piece_faces(game: Compiled, lang: str) -> tuple[PieceFace, ...]:
    """Return the face of every class of pieces in a language."""
    namer, places = game.namer, hand_positions(game)
    shown, plain = namer.shown(lang), namer.shown(lang, ascii_only=True)
    return tuple(
        PieceFace(sign, shown[cls], plain[cls], piece_colour(game, 2 * cls), places[cls])
        for cls, sign in enumerate(namer.signs)
    )


def hand_positions(game: Compiled) -> tuple[tuple[int, ...], ...]:
    """Return the sort key in a hand of each class of piece."""

    def position(kind: PieceKind, which: int) -> tuple[int, ...]:
        return tuple(rows_in_hand(game, table).index(row) for table, row in _rows(kind, which))

    kinds = game.namer.piece_kinds
    return game.cached(("places",), lambda: tuple(position(kind, n - kind.base) for n, kind in enumerate(kinds)))


def piece_rows(game: Compiled, piece: int) -> list[tuple[str, int]]:
    """Return (table, row) of a piece, last attribute first: in a hand the suit comes before the rank."""
    kind = game.namer.piece_kinds[piece >> 1]
    return _rows(kind, (piece >> 1) - kind.base)


def _rows(kind: PieceKind, which: int) -> list[tuple[str, int]]:
    rows = [(of.table, kind.classes[which][name]) for name, of in kind.attributes.items() if isinstance(of, Row)]
    return rows[::-1]


def rows_in_hand(game: Compiled, name: str) -> list[int]:
    """Return the rows of a table in the order of a hand."""
    return game.cached(("rows", name), lambda: _alternate_rows(game, game.ruleset.tables[name]))


def piece_colour(game: Compiled, piece: int) -> str:
    """Return the row of the piece's `colour`, found through its attributes; if there is none, its owner's seat."""
    kind = game.namer.piece_kinds[piece >> 1]
    attributes = game.ruleset.attributes.by_name
    for name, of in kind.attributes.items():
        table = game.ruleset.tables[of.table] if isinstance(of, Row) else None
        of_colour = _colour_table(table) if table is not None else None
        if table is not None and of_colour is not None:
            row = attributes[f"{table.name}.colour"][attributes[f"{kind.name}.{name}"][piece]]
            return game.ruleset.tables[of_colour].rows[row]
    if "owner" in kind.attributes and len(kind.attributes) == 1:
        return game.seats[attributes[f"{kind.name}.owner"][piece]]
    return ""


def _colour_table(table: Table) -> str | None:
    column = table.columns.get("colour")
    return column.type.table if column is not None and isinstance(column.type, Row) else None


def row_colours(game: Compiled, name: str) -> list[str] | None:
    """Return the colour of each row of a table; None if rows have no colours."""
    table = game.ruleset.tables[name]
    of_colour = _colour_table(table)
    if of_colour is None:
        return None
    rows, colours = game.ruleset.tables[of_colour].rows, game.ruleset.attributes.by_name[f"{name}.colour"]
    return [rows[colours[row]] for row in range(len(table.rows))]


def _alternate_rows(game: Compiled, table: Table) -> list[int]:
    """Order rows so that no two of one colour are adjacent, as far as possible."""
    colours = row_colours(game, table.name)
    if colours is None:
        return [*range(len(table.rows))]
    left, found = [*range(len(table.rows))], list[int]()
    while left:
        other = (row for row in left if not found or colours[row] != colours[found[-1]])
        found.append(next(other, left[0]))
        left.remove(found[-1])
    return found


class Measure(Struct, frozen=True):
    """A sort key of a piece: a number, or a row of `table` (empty for a number)."""

    value: int
    table: str = ""


class HandPiece(Struct, frozen=True):
    """A piece at its `place` in a pile, with its sort keys."""

    place: int
    colour: str
    measures: tuple[Measure, ...]


def make_hand_piece(game: Compiled, place: int, piece: int, measures: Iterable[Measure]) -> HandPiece:
    return HandPiece(place, piece_colour(game, piece), tuple(measures))


def sort_hand(game: Compiled, pieces: Sequence[HandPiece]) -> list[int]:
    """Return the places of pieces, sorted by their measures. Rows with colours are ordered so that colours alternate."""
    return [one.place for one in _sort_level(game, pieces, 0)]


def _sort_level(
    game: Compiled, pieces: Sequence[HandPiece], level: int, before: str = "", after: str = ""
) -> Iterator[HandPiece]:
    """Sort by the measures from `level` on.

    `before` and `after` are the colours of the neighbours. They are empty if there is none or if colours are mixed.
    """
    if not pieces or level == len(pieces[0].measures):
        yield from pieces
        return
    groups = _group_by_measure(game, pieces, level, before, after)
    for n, group in enumerate(groups):
        behind = _only_colour(groups[n + 1]) if n + 1 < len(groups) else after
        for piece in _sort_level(game, group, level + 1, before, behind):
            yield piece
            before = piece.colour


def _group_by_measure(
    game: Compiled, pieces: Sequence[HandPiece], level: int, before: str, after: str
) -> list[list[HandPiece]]:
    """Group pieces by the measure of a level, in sorted order.

    If the measure has colours, the order of the groups makes colours alternate, also with the neighbours.
    """

    def value(piece: HandPiece) -> int:
        return piece.measures[level].value

    found = {n: list(group) for n, group in groupby(sorted(pieces, key=value), key=value)}
    table = pieces[0].measures[level].table
    colours = row_colours(game, table) if table else None
    if colours is None:
        return list(found.values())
    absent, rows = [n for n in found if n == ABSENT], [n for n in found if n != ABSENT]
    return [found[n] for n in (*absent, *_alternate(rows, colours, (before, after)))]


def _alternate(rows: Sequence[int], colours: Sequence[str], beside: tuple[str, str]) -> list[int]:
    """Order rows so that no two of one colour are adjacent, as far as possible.

    The order is reversed if fewer colours then touch the same colour of a neighbour.
    """
    left, found = list(rows), list[int]()
    while left:
        free = [row for row in left if not found or colours[row] != colours[found[-1]]] or left
        found.append(max(free, key=lambda row: sum(colours[other] == colours[row] for other in left)))
        left.remove(found[-1])

    def count_touching(rows: Sequence[int]) -> int:
        all_colours = [beside[0], *(colours[row] for row in rows), beside[1]]
        return sum(one == other != "" for one, other in pairwise(all_colours))

    return min((found, found[::-1]), key=count_touching)


def _only_colour(pieces: Sequence[HandPiece]) -> str:
    """Return the colour that all pieces have; empty if they differ."""
    colours = {piece.colour for piece in pieces}
    return colours.pop() if len(colours) == 1 else ""
