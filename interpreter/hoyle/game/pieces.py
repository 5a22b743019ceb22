"""What the pieces of a game look like to people: how they are written in a language, in which colour, in which order in a hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.language.ir import ABSENT
from hoyle.language.kinds import Row
from hoyle.language.model import PieceKind, Table


class PieceFace(Struct, frozen=True):
    """One sort of piece: its `sign`, as ids and positions have it, `text` as people read it, `plain` the same in ASCII as far as its symbols
    have signs; its `colour` (the row of its `colour`, or its owner's seat), and its `place` among the others in a hand."""

    sign: str
    text: str
    plain: str
    colour: str
    place: tuple[int, ...]


def list_piece_faces(game: Compiled, lang: str) -> tuple[PieceFace, ...]:
    """Every sort of piece, as a language writes it."""
    namer, places = game.namer, hand_positions(game)
    shown, plain = namer.shown(lang), namer.shown(lang, ascii_only=True)
    return tuple(
        PieceFace(sign, shown[cls], plain[cls], piece_colour(game, 2 * cls), places[cls])
        for cls, sign in enumerate(namer.signs)
    )


def hand_positions(game: Compiled) -> tuple[tuple[int, ...], ...]:
    """Where each class of pieces stands among those of its kind in a hand."""
    found: tuple[tuple[int, ...], ...] | None = game.cache.get(("places",))
    if found is None:
        kinds = game.namer.piece_kinds
        found = game.cache["places",] = tuple(_place(game, kind, cls - kind.base) for cls, kind in enumerate(kinds))
    return found


def _place(game: Compiled, kind: PieceKind, which: int) -> tuple[int, ...]:
    return tuple(rows_in_hand(game, table).index(row) for table, row in _rows(kind, which))


def piece_rows(game: Compiled, piece: int) -> list[tuple[str, int]]:
    """The rows of a piece with their tables, as one looks at them in a hand: the suit before the rank."""
    kind = game.namer.piece_kinds[piece >> 1]
    return _rows(kind, (piece >> 1) - kind.base)


def _rows(kind: PieceKind, which: int) -> list[tuple[str, int]]:
    rows = [(of.table, kind.classes[which][name]) for name, of in kind.attributes.items() if isinstance(of, Row)]
    return rows[::-1]


def rows_in_hand(game: Compiled, name: str) -> list[int]:
    """The rows of a table in the order of a hand."""
    found: list[int] | None = game.cache.get(("rows", name))
    if found is None:
        found = game.cache["rows", name] = _in_hand(game, game.ruleset.tables[name])
    return found


def piece_colour(game: Compiled, piece: int) -> str:
    """The row of the piece's `colour`, through any of its rows; else its owner's seat."""
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
    return column.kind.table if column is not None and isinstance(column.kind, Row) else None


def row_colours(game: Compiled, name: str) -> list[str] | None:
    """The colour of each row of a table, if rows of it have one."""
    table = game.ruleset.tables[name]
    of_colour = _colour_table(table)
    if of_colour is None:
        return None
    rows, colours = game.ruleset.tables[of_colour].rows, game.ruleset.attributes.by_name[f"{name}.colour"]
    return [rows[colours[row]] for row in range(len(table.rows))]


def _in_hand(game: Compiled, table: Table) -> list[int]:
    """The rows of a table as one holds them in a hand: in their order, but two of one colour apart, as far as that can be."""
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
    """What a piece is held by: a number, or a row of a `table` (empty for a number)."""

    value: int
    table: str = ""


class Held(Struct, frozen=True):
    """A piece at its `place` in a pile, with its measures, as many as the others have."""

    place: int
    colour: str
    measures: tuple[Measure, ...]


def make_held(game: Compiled, place: int, piece: int, measures: Iterable[Measure]) -> Held:
    return Held(place, piece_colour(game, piece), tuple(measures))


def sort_hand(game: Compiled, pieces: Sequence[Held]) -> list[int]:
    """The places of the pieces in the order in which one holds them."""
    return [one.place for one in _arranged(game, pieces, 0)]


def _arranged(game: Compiled, pieces: Sequence[Held], level: int, before: str = "", after: str = "") -> Iterator[Held]:
    """Between pieces of these colours, empty where nothing lies, or more than one colour does."""
    if not pieces or level == len(pieces[0].measures):
        yield from pieces
        return
    groups = _groups(game, pieces, level, before, after)
    for n, group in enumerate(groups):
        behind = _only_colour(groups[n + 1]) if n + 1 < len(groups) else after
        for piece in _arranged(game, group, level + 1, before, behind):
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
