"""Describe the equipment of a game: players, pieces, and places on the table."""

from __future__ import annotations

import math
from collections.abc import Iterator

from hoyle.language.ir import Const, Expr
from hoyle.language.kinds import Kind, Piece, Pile, Row
from hoyle.language.model import Column, Family, PieceKind, StateFamily, Table
from hoyle.language.sentences import integer
from hoyle.language.steps import Roll, every_step
from hoyle.prose.noting import plainly
from hoyle.prose.speech import listed, plural, sentence
from hoyle.prose.voice import noun_of
from hoyle.rulebook.document import Block, Entries, Entry, Grid, Paragraph
from hoyle.rulebook.tables import cell_words, heads_of
from hoyle.rulebook.telling import Telling, cited_in
from hoyle.running.naming import in_language

LONGEST_UNORDERED = 4
"""Most rows that are listed without an order, like suits."""


def players(told: Telling) -> Iterator[Block]:
    """Yield the number of players, their names and their partnerships."""
    rules, low, high = told.rules, told.rules.may_play[0], told.rules.may_play[-1]
    names = [told.voice.label("seats", seat) for seat in rules.seats]
    count = len(names)
    yield Paragraph(
        told.say("players.alone" if count == 1 else "players.are", count=count, names=listed(names, told.lang))
    )
    if count > 2:
        yield Paragraph(told.say("players.seats", first=names[0], last=names[-1]))
    if low < high:
        yield Paragraph(told.say("players.range", low=low, high=high))
    if any(len(side) > 1 for side in rules.sides):
        sides = [listed([names[p] for p in side], told.lang) for side in rules.sides]
        yield Paragraph(told.say("players.sides", sides=" — ".join(sides)))
    yield from _clauses(told, "players")


def _clauses(told: Telling, *sections: str) -> Iterator[Block]:
    """Yield the clauses named or homed in these sections; a section is `section` or `section/entry`."""
    root = told.game.compiled.merged.root
    found = {word for section in sections for word in cited_in(root, section)}
    homes = {name for name, clause in told.rules.clauses.items() if any(_is_in(clause.home, s) for s in sections)}
    items = told.tell(" ".join(word for word in told.clauses if word in found or word in homes))
    if items:
        yield Entries(items)


def _is_in(home: str, section: str) -> bool:
    parts = [part.strip() for part in home.split("/")]
    return parts[: section.count("/") + 1] == section.split("/")


def _made_of(told: Telling) -> list[str]:
    """Return the names of the tables that pieces have as attributes."""
    kinds = (kind for piece in told.rules.pieces.values() for kind in piece.attributes.values())
    return list(dict.fromkeys(kind.table for kind in kinds if isinstance(kind, Row)))


def pieces(told: Telling) -> Iterator[Block]:
    """Yield the pieces with counts and attributes from lowest to highest, then the places."""
    for kind in told.rules.pieces.values():
        yield Paragraph(counted(kind, told))
        if not (is_thrown(kind, told) and _is_plain(kind, told)):
            yield from _attributes(kind, told)
    yield from _clauses(told, "pieces", *(f"tables/{name}" for name in _made_of(told)))
    places = tuple(_place(family, told) for family in _places(told))
    if places:
        yield Grid(told.say("places.title"), _place_heads(told), places)
    yield from _clauses(told, "piles")


def counted(kind: PieceKind, told: Telling) -> str:
    """Return the number of pieces in words: `52 cards: 13 ranks in each of 4 suits.`"""
    noun, number = plural(told.voice.label("pieces", kind.name), told.lang), how_many(kind, told)
    of = {name: plural(noun_of(k, told.voice), told.lang) for name, k in kind.attributes.items() if isinstance(k, Row)}
    sizes = {name: len({piece[name] for piece in kind.classes}) for name in of}
    if len(of) == 2 and math.prod(sizes.values()) == len(kind.classes):
        (some, each), (many, several) = of.values(), sizes.values()
        key = "pieces.copies" if kind.copies > 1 else "pieces.once"
        made = {"some": some, "each": each, "many": many, "several": several, "copies": kind.copies}
        return sentence(told.say(key, total=number, pieces=noun, **made))
    owned = [k for k in kind.attributes.values() if k.name == "player"]
    each_has = number // len(told.rules.seats)
    if owned and each_has * len(told.rules.seats) == number:
        return sentence(told.say("pieces.owned", total=number, pieces=noun, each=each_has))
    return sentence(told.say("pieces.plain", total=number, pieces=noun))


def how_many(kind: PieceKind, told: Telling) -> int:
    """Return the number of pieces that players need: of dice, the most that are rolled at once.

    The ruleset itself has one piece for each face of a die.
    """
    thrown = [int(n.value) for n in _throws(kind, told) if isinstance(n, Const)]
    return max(thrown) if thrown else kind.copies if is_thrown(kind, told) else kind.total


def is_thrown(kind: PieceKind, told: Telling) -> bool:
    return next(_throws(kind, told), None) is not None


def _throws(kind: PieceKind, told: Telling) -> Iterator[Expr | None]:
    """Yield the number of pieces that each roll takes, as an expression; None if too long."""
    for (name, _), phase in told.rules.phases.items():
        for step in every_step(phase.steps) if name in told.force.phases else ():
            cup = step.verb.cup.kind if isinstance(step.verb, Roll) else None
            if isinstance(step.verb, Roll) and isinstance(cup, Pile | Piece) and _piece(cup) == kind.name:
                yield plainly(step.verb.count, told.voice)


def _piece(kind: Pile | Piece) -> str:
    """Return the name of the kind of piece."""
    return _piece(kind.piece) if isinstance(kind, Pile) else kind.of


def _is_plain(kind: PieceKind, told: Telling) -> bool:
    """Return whether the faces are the numbers from 1 on."""
    tables = [told.rules.tables[k.table] for k in kind.attributes.values() if isinstance(k, Row)]
    return all(list(table.signs or ()) == [str(n + 1) for n in range(len(table.rows))] for table in tables)


def _attributes(kind: PieceKind, told: Telling) -> Iterator[Block]:
    for name, of in kind.attributes.items():
        if isinstance(of, Row):
            there = {piece[name] for piece in kind.classes}
            table = told.rules.tables[of.table]
            yield _attribute(table, [row for n, row in enumerate(table.rows) if n in there], of, told)


def _attribute(table: Table, rows: list[str], of: Kind, told: Telling) -> Block:
    """List the rows of an attribute; as a table if rules look at other columns of it."""
    key = "pieces.ordered" if len(rows) > LONGEST_UNORDERED else "pieces.rows"
    title = sentence(told.say(key, nouns=plural(noun_of(of, told.voice), told.lang)))
    columns = [column for column in table.columns.values() if _matters(table, column, rows, told)]
    names = [_row_name(table, row, told) for row in rows]
    if not columns:
        return Paragraph(told.say("pieces.listed", title=title, rows=listed(names, told.lang)))
    heads = (sentence(noun_of(of, told.voice)), *heads_of(table, columns, told))
    cells = [
        (name, *(cell_words(table, c, table.rows.index(row), told) for c in columns))
        for name, row in zip(names, rows, strict=True)
    ]
    return Grid(title, heads, tuple(cells))


def _matters(table: Table, column: Column, rows: list[str], told: Telling) -> bool:
    """Return whether a column is constant, differs between rows, is used by a rule, and is no link to a row."""
    points_there = isinstance(column.kind, Row) and column.kind.table == table.name
    if column.constants is None or column.name == "sign" or points_there:
        return False
    found = {column.constants[table.rows.index(row)] for row in rows}
    return len(found) > 1 and f"{table.name}.{column.name}" in told.columns


def _row_name(table: Table, row: str, told: Telling) -> str:
    """Return the name of a row with its sign: `jack (J)`, `spades ♠`; a number alone."""
    n = table.rows.index(row)
    sign = in_language(table.symbols.get(row, {}), told.lang, (table.signs or [""] * len(table.rows))[n])
    label = told.voice.label(f"tables/{table.name}", row)
    if not sign or sign == label:
        return label
    return sign if sign.isdigit() else f"{label} ({sign})" if sign.isalpha() else f"{label} {sign}"


# ---- values ----------------------------------------------------------------------------------------------------------


def beginnings(told: Telling) -> Iterator[Block]:
    """Yield the amounts that players start with, unless they are zero."""
    items = tuple(Entry(_beginning(entry, told)) for entry in told.rules.state.values() if _begins(entry))
    if items:
        yield Entries(items)


def _begins(entry: StateFamily) -> bool:
    """Return whether the cell is a visible number above zero at the start; single counters may start at 1."""
    shown = entry.kind.name == "number" and entry.layout != "hidden"
    return shown and entry.starts > (1 if entry.each is None else 0)


def _beginning(entry: StateFamily, told: Telling) -> str:
    """Return a sentence about a starting amount: `Chips of each player: 100 at the start.`"""
    value, label = integer(entry.starts, told.lang), sentence(told.voice.label("state", entry.name))
    key = "alone" if entry.each is None else "each"
    each = noun_of(entry.each, told.voice) if entry.each is not None else ""
    anew = next((name for name in entry.renewed if name in told.force.phases and name != "game"), "")
    phase = told.voice.label("phases", anew) if anew else ""
    return told.say(f"starts.{'anew_' if anew else ''}{key}", what=label, each=each, phase=phase, value=value)


# ---- places ----------------------------------------------------------------------------------------------------------


def _places(told: Telling) -> Iterator[Family]:
    """Yield the visible families of piles that some sentence mentions."""
    for family in told.rules.piles.values():
        if family.layout != "hidden" and told.mentions(told.voice.label("piles", family.name)):
            yield family


def _place_heads(told: Telling) -> tuple[str, ...]:
    return told.say("places.place"), told.say("places.many"), told.say("places.face")


def _place(family: Family, told: Telling) -> tuple[str, ...]:
    """Return a row of the table of places: name, number, and who sees the pieces."""
    label = told.voice.label("piles", family.name)
    face = told.say(f"places.{family.face.replace(' ', '_')}")
    return sentence(label), _how_many_places(family, told), face


def _how_many_places(family: Family, told: Telling) -> str:
    """Return the number of places as the rules fix it, without the spare room for what players lay down."""
    each = family.each
    if each is None:
        return told.say("places.columns", count=family.columns) if family.has_columns else told.say("places.one")
    if each.name == "number" or (isinstance(each, Row) and family.members > LONGEST_UNORDERED):
        return told.say("places.columns", count=family.members)
    return told.say("places.several" if family.has_columns else "places.each", noun=noun_of(each, told.voice))
