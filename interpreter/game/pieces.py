"""What the pieces of a game look like to people: how they are written in a language, in which colour, in which order in a hand."""

from __future__ import annotations

from msgspec import Struct

from interpreter.game.compiled import Compiled
from interpreter.language.kinds import Row
from interpreter.language.model import PieceKind, Table


class PieceFace(Struct, frozen=True):
    """One sort of piece: its `sign`, as ids and positions have it, `text` as people read it, `plain` the same in ASCII as far as its symbols
    have signs; its `colour` (the row of its `colour`, or its owner's seat), and its `place` among the others in a hand."""

    sign: str
    text: str
    plain: str
    colour: str
    place: tuple[int, ...]


def piece_faces(game: Compiled, lang: str) -> tuple[PieceFace, ...]:
    """Every sort of piece, as a language writes it."""
    namer, places = game.namer, hand_places(game)
    shown, plain = namer.shown(lang), namer.shown(lang, ascii_only=True)
    return tuple(
        PieceFace(sign, shown[cls], plain[cls], colour(game, 2 * cls), places[cls])
        for cls, sign in enumerate(namer.signs)
    )


def hand_places(game: Compiled) -> tuple[tuple[int, ...], ...]:
    """Where each class of pieces stands among those of its kind in a hand."""
    found: tuple[tuple[int, ...], ...] | None = game.kept.get(("places",))
    if found is None:
        kinds = game.namer.piece_kinds
        found = game.kept["places",] = tuple(_place(game, kind, cls - kind.base) for cls, kind in enumerate(kinds))
    return found


def _place(game: Compiled, kind: PieceKind, which: int) -> tuple[int, ...]:
    rows = [(of.table, kind.classes[which][name]) for name, of in kind.attributes.items() if isinstance(of, Row)]
    return tuple(rows_in_hand(game, table).index(row) for table, row in reversed(rows))


def rows_in_hand(game: Compiled, name: str) -> list[int]:
    """The rows of a table in the order of a hand."""
    found: list[int] | None = game.kept.get(("rows", name))
    if found is None:
        found = game.kept["rows", name] = _in_hand(game, game.ruleset.tables[name])
    return found


def colour(game: Compiled, piece: int) -> str:
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


def _in_hand(game: Compiled, table: Table) -> list[int]:
    """The rows of a table as one holds them in a hand: in their order, but two of one colour apart, as far as that can be."""
    if _colour_table(table) is None:
        return [*range(len(table.rows))]
    colours = game.ruleset.attributes.by_name[f"{table.name}.colour"]
    left, found = [*range(len(table.rows))], list[int]()
    while left:
        other = (row for row in left if not found or colours[row] != colours[found[-1]])
        found.append(next(other, left[0]))
        left.remove(found[-1])
    return found
