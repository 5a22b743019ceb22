"""Describe the equipment of a game: players, pieces, and places on the table."""

from __future__ import annotations

import math
from collections.abc import Iterator

from hoyle.language.ir import Const, Expr
from hoyle.language.model import Column, Family, PieceKind, StateFamily, Table
from hoyle.language.sentences import format_integer
from hoyle.language.steps import Roll, every_step
from hoyle.language.value_types import Piece, Pile, Row, ValueType
from hoyle.prose.assignments import try_simplify
from hoyle.prose.grammar import capitalize, join_list, pluralize
from hoyle.prose.voice import find_noun
from hoyle.rulebook.context import RulebookContext, list_cited_clauses
from hoyle.rulebook.document import Block, Entries, Entry, Grid, Paragraph
from hoyle.rulebook.tables import describe_cell, list_headings
from hoyle.running.naming import in_language

LONGEST_UNORDERED = 4
"""Most rows that are listed without an order, like suits."""


def write_players(context: RulebookContext) -> Iterator[Block]:
    """Yield the number of players, their names and their partnerships."""
    rules, low, high = context.rules, context.rules.may_play[0], context.rules.may_play[-1]
    names = [context.voice.label("seats", seat) for seat in rules.seats]
    count = len(names)
    yield Paragraph(
        context.say("players.alone" if count == 1 else "players.are", count=count, names=join_list(names, context.lang))
    )
    if count > 2:
        yield Paragraph(context.say("players.seats", first=names[0], last=names[-1]))
    if low < high:
        yield Paragraph(context.say("players.range", low=low, high=high))
    if any(len(side) > 1 for side in rules.sides):
        sides = [join_list([names[p] for p in side], context.lang) for side in rules.sides]
        yield Paragraph(context.say("players.sides", sides=" — ".join(sides)))
    yield from _list_clauses(context, "players")


def _list_clauses(context: RulebookContext, *sections: str) -> Iterator[Block]:
    """Yield the clauses named or homed in these sections; a section is `section` or `section/entry`."""
    root = context.game.compiled.merged.root
    found = {word for section in sections for word in list_cited_clauses(root, section)}
    homes = {name for name, clause in context.rules.clauses.items() if any(_is_in(clause.home, s) for s in sections)}
    items = context.tell(" ".join(word for word in context.clauses if word in found or word in homes))
    if items:
        yield Entries(items)


def _is_in(home: str, section: str) -> bool:
    parts = [part.strip() for part in home.split("/")]
    return parts[: section.count("/") + 1] == section.split("/")


def _list_attribute_tables(context: RulebookContext) -> list[str]:
    """Return the names of the tables that pieces have as attributes."""
    types = (value_type for piece in context.rules.pieces.values() for value_type in piece.attributes.values())
    return list(dict.fromkeys(value_type.table for value_type in types if isinstance(value_type, Row)))


def write_pieces(context: RulebookContext) -> Iterator[Block]:
    """Yield the pieces with counts and attributes from lowest to highest, then the places."""
    for kind in context.rules.pieces.values():
        yield Paragraph(describe_count(kind, context))
        if not (is_thrown(kind, context) and _is_plain(kind, context)):
            yield from _write_attributes(kind, context)
    yield from _list_clauses(context, "pieces", *(f"tables/{name}" for name in _list_attribute_tables(context)))
    places = tuple(_describe_place(family, context) for family in _iter_places(context))
    if places:
        yield Grid(context.say("places.title"), _list_place_headings(context), places)
    yield from _list_clauses(context, "piles")


def describe_count(kind: PieceKind, context: RulebookContext) -> str:
    """Return the number of pieces in words: `52 cards: 13 ranks in each of 4 suits.`"""
    noun, number = pluralize(context.voice.label("pieces", kind.name), context.lang), count_pieces(kind, context)
    of = {
        name: pluralize(find_noun(k, context.voice), context.lang)
        for name, k in kind.attributes.items()
        if isinstance(k, Row)
    }
    sizes = {name: len({piece[name] for piece in kind.classes}) for name in of}
    if len(of) == 2 and math.prod(sizes.values()) == len(kind.classes):
        (some, each), (many, several) = of.values(), sizes.values()
        key = "pieces.copies" if kind.copies > 1 else "pieces.once"
        made = {"some": some, "each": each, "many": many, "several": several, "copies": kind.copies}
        return capitalize(context.say(key, total=number, pieces=noun, **made))
    owned = [k for k in kind.attributes.values() if k.name == "player"]
    each_has = number // len(context.rules.seats)
    if owned and each_has * len(context.rules.seats) == number:
        return capitalize(context.say("pieces.owned", total=number, pieces=noun, each=each_has))
    return capitalize(context.say("pieces.plain", total=number, pieces=noun))


def count_pieces(kind: PieceKind, context: RulebookContext) -> int:
    """Return the number of pieces that players need: of dice, the most that are rolled at once.

    The ruleset itself has one piece for each face of a die.
    """
    thrown = [int(n.value) for n in _iter_throws(kind, context) if isinstance(n, Const)]
    return max(thrown) if thrown else kind.copies if is_thrown(kind, context) else kind.total


def is_thrown(kind: PieceKind, context: RulebookContext) -> bool:
    return next(_iter_throws(kind, context), None) is not None


def _iter_throws(kind: PieceKind, context: RulebookContext) -> Iterator[Expr | None]:
    """Yield the number of pieces that each roll takes, as an expression; None if too long."""
    for (name, _), phase in context.rules.phases.items():
        for step in every_step(phase.steps) if name in context.force.phases else ():
            cup = step.verb.cup.type if isinstance(step.verb, Roll) else None
            if isinstance(step.verb, Roll) and isinstance(cup, Pile | Piece) and _find_piece_name(cup) == kind.name:
                yield try_simplify(step.verb.count, context.voice)


def _find_piece_name(value_type: Pile | Piece) -> str:
    """Return the name of the kind of piece."""
    return _find_piece_name(value_type.piece) if isinstance(value_type, Pile) else value_type.of


def _is_plain(kind: PieceKind, context: RulebookContext) -> bool:
    """Return whether the faces are the numbers from 1 on."""
    tables = [context.rules.tables[k.table] for k in kind.attributes.values() if isinstance(k, Row)]
    return all(list(table.signs or ()) == [str(n + 1) for n in range(len(table.rows))] for table in tables)


def _write_attributes(kind: PieceKind, context: RulebookContext) -> Iterator[Block]:
    for name, of in kind.attributes.items():
        if isinstance(of, Row):
            there = {piece[name] for piece in kind.classes}
            table = context.rules.tables[of.table]
            yield _write_attribute(table, [row for n, row in enumerate(table.rows) if n in there], of, context)


def _write_attribute(table: Table, rows: list[str], of: ValueType, context: RulebookContext) -> Block:
    """List the rows of an attribute; as a table if rules look at other columns of it."""
    key = "pieces.ordered" if len(rows) > LONGEST_UNORDERED else "pieces.rows"
    title = capitalize(context.say(key, nouns=pluralize(find_noun(of, context.voice), context.lang)))
    columns = [column for column in table.columns.values() if _is_relevant(table, column, rows, context)]
    names = [_name_row(table, row, context) for row in rows]
    if not columns:
        return Paragraph(context.say("pieces.listed", title=title, rows=join_list(names, context.lang)))
    heads = (capitalize(find_noun(of, context.voice)), *list_headings(table, columns, context))
    cells = [
        (name, *(describe_cell(table, c, table.rows.index(row), context) for c in columns))
        for name, row in zip(names, rows, strict=True)
    ]
    return Grid(title, heads, tuple(cells))


def _is_relevant(table: Table, column: Column, rows: list[str], context: RulebookContext) -> bool:
    """Return whether a column is constant, differs between rows, is used by a rule, and is no link to a row."""
    points_there = isinstance(column.type, Row) and column.type.table == table.name
    if column.constants is None or column.name == "sign" or points_there:
        return False
    found = {column.constants[table.rows.index(row)] for row in rows}
    return len(found) > 1 and f"{table.name}.{column.name}" in context.columns


def _name_row(table: Table, row: str, context: RulebookContext) -> str:
    """Return the name of a row with its sign: `jack (J)`, `spades ♠`; a number alone."""
    n = table.rows.index(row)
    sign = in_language(table.symbols.get(row, {}), context.lang, (table.signs or [""] * len(table.rows))[n])
    label = context.voice.label(f"tables/{table.name}", row)
    if not sign or sign == label:
        return label
    return sign if sign.isdigit() else f"{label} ({sign})" if sign.isalpha() else f"{label} {sign}"


# ---- values ----------------------------------------------------------------------------------------------------------


def write_starting_amounts(context: RulebookContext) -> Iterator[Block]:
    """Yield the amounts that players start with, unless they are zero."""
    items = tuple(
        Entry(_describe_starting_amount(entry, context))
        for entry in context.rules.state.values()
        if _is_starting_amount(entry)
    )
    if items:
        yield Entries(items)


def _is_starting_amount(entry: StateFamily) -> bool:
    """Return whether the cell is a visible number above zero at the start; single counters may start at 1."""
    shown = entry.type.name == "number" and entry.layout != "hidden"
    return shown and entry.starts > (1 if entry.each is None else 0)


def _describe_starting_amount(entry: StateFamily, context: RulebookContext) -> str:
    """Return a sentence about a starting amount: `Chips of each player: 100 at the start.`"""
    value, label = format_integer(entry.starts, context.lang), capitalize(context.voice.label("state", entry.name))
    key = "alone" if entry.each is None else "each"
    each = find_noun(entry.each, context.voice) if entry.each is not None else ""
    anew = next((name for name in entry.renewed if name in context.force.phases and name != "game"), "")
    phase = context.voice.label("phases", anew) if anew else ""
    return context.say(f"starts.{'anew_' if anew else ''}{key}", what=label, each=each, phase=phase, value=value)


# ---- places ----------------------------------------------------------------------------------------------------------


def _iter_places(context: RulebookContext) -> Iterator[Family]:
    """Yield the visible families of piles that some sentence mentions."""
    for family in context.rules.piles.values():
        if family.layout != "hidden" and context.mentions(context.voice.label("piles", family.name)):
            yield family


def _list_place_headings(context: RulebookContext) -> tuple[str, ...]:
    return context.say("places.place"), context.say("places.many"), context.say("places.face")


def _describe_place(family: Family, context: RulebookContext) -> tuple[str, ...]:
    """Return a row of the table of places: name, number, and who sees the pieces."""
    label = context.voice.label("piles", family.name)
    face = context.say(f"places.{family.face.replace(' ', '_')}")
    return capitalize(label), _count_places(family, context), face


def _count_places(family: Family, context: RulebookContext) -> str:
    """Return the number of places as the rules fix it, without the spare room for what players lay down."""
    each = family.each
    if each is None:
        return context.say("places.columns", count=family.columns) if family.has_columns else context.say("places.one")
    if each.name == "number" or (isinstance(each, Row) and family.members > LONGEST_UNORDERED):
        return context.say("places.columns", count=family.members)
    return context.say("places.several" if family.has_columns else "places.each", noun=find_noun(each, context.voice))
