"""What a game is played with: its pieces, the places they lie in, who plays."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.language.kinds import Kind, Row
from interpreter.language.model import Family, PieceKind, Table
from interpreter.language.sentences import integer
from interpreter.prose.speech import listed, plural, sentence
from interpreter.prose.voice import noun_of
from interpreter.rulebook.document import Block, Entries, Grid, Paragraph
from interpreter.rulebook.tables import cell_words, heads_of
from interpreter.rulebook.telling import Telling, cited_in
from interpreter.running.naming import in_language


def players(told: Telling) -> Iterator[Block]:
    """How many play, who they are, and who plays with whom."""
    rules, low, high = told.rules, told.rules.may_play[0], told.rules.may_play[-1]
    names = [told.voice.label("seats", seat) for seat in rules.seats]
    count = len(names)
    yield Paragraph(
        told.say("players.alone" if count == 1 else "players.are", count=count, names=listed(names, told.lang))
    )
    if low < high:
        yield Paragraph(told.say("players.range", low=low, high=high))
    if any(len(side) > 1 for side in rules.sides):
        sides = [listed([names[p] for p in side], told.lang) for side in rules.sides]
        yield Paragraph(told.say("players.sides", sides=" — ".join(sides)))
    yield from _clauses(told, "players")


def _clauses(told: Telling, *sections: str) -> Iterator[Block]:
    """The clauses that these sections name, or `section/entry`, or that are at home there."""
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
    """The tables that pieces are made of."""
    kinds = (kind for piece in told.rules.pieces.values() for kind in piece.attributes.values())
    return list(dict.fromkeys(kind.table for kind in kinds if isinstance(kind, Row)))


def pieces(told: Telling) -> Iterator[Block]:
    """The pieces, counted, and what is on them from the lowest to the highest; then the places."""
    for kind in told.rules.pieces.values():
        yield Paragraph(_counted(kind, told))
        yield from _attributes(kind, told)
    yield from _clauses(told, "pieces", *(f"tables/{name}" for name in _made_of(told)))
    yield Grid(told.say("places.title"), _place_heads(told), tuple(_place(family, told) for family in _places(told)))
    yield from _clauses(told, "piles")


def _counted(kind: PieceKind, told: Telling) -> str:
    noun = plural(told.voice.label("pieces", kind.name), told.lang)
    tables = [k for k in kind.attributes.values() if isinstance(k, Row)]
    of = [plural(noun_of(k, told.voice), told.lang) for k in tables]
    sizes = [len({piece[name] for piece in kind.classes}) for name, k in kind.attributes.items() if isinstance(k, Row)]
    made = listed([f"{integer(n, told.lang)} {word}" for n, word in zip(sizes, of, strict=True)], told.lang)
    key = "pieces.plain" if not tables else "pieces.copies" if kind.copies > 1 else "pieces.once"
    return sentence(told.say(key, total=kind.total, pieces=noun, made=made, copies=kind.copies))


def _attributes(kind: PieceKind, told: Telling) -> Iterator[Block]:
    for name, of in kind.attributes.items():
        if isinstance(of, Row):
            there = {piece[name] for piece in kind.classes}
            table = told.rules.tables[of.table]
            yield _attribute_grid(table, [row for n, row in enumerate(table.rows) if n in there], of, told)


def _attribute_grid(table: Table, rows: list[str], of: Kind, told: Telling) -> Grid:
    """The rows that are there, with their signs and what else is said of each, the same whatever happens."""
    columns = [c for c in table.columns.values() if c.constants is not None and c.name != "sign"]
    heads = (sentence(noun_of(of, told.voice)), told.say("pieces.sign"), *heads_of(table, columns, told))
    cells = []
    for row in rows:
        n = table.rows.index(row)
        sign = (table.signs or [""] * len(table.rows))[n]
        shown = in_language(table.symbols.get(row, {}), told.lang, sign)
        label = told.voice.label(f"tables/{table.name}", row)
        cells.append((label, shown, *(cell_words(table, column, n, told) for column in columns)))
    ordered = len(rows) > 4
    title = told.say("pieces.ordered" if ordered else "pieces.rows", nouns=plural(noun_of(of, told.voice), told.lang))
    return Grid(sentence(title), heads, tuple(cells))


# ---- places ----------------------------------------------------------------------------------------------------------


def _places(told: Telling) -> Iterator[Family]:
    return (family for family in told.rules.piles.values() if family.layout != "hidden")


def _place_heads(told: Telling) -> tuple[str, ...]:
    return told.say("places.place"), told.say("places.many"), told.say("places.face")


def _place(family: Family, told: Telling) -> tuple[str, ...]:
    """What it is called, how many there are, and who sees what lies there."""
    label = told.voice.label("piles", family.name)
    face = told.say(f"places.{family.face.replace(' ', '_')}")
    return sentence(label), _how_many(family, told), face


def _how_many(family: Family, told: Telling) -> str:
    each = family.each
    if family.has_columns:
        return told.say("places.columns", count=family.columns)
    if each is None:
        return told.say("places.one")
    if each.name == "number":
        return told.say("places.columns", count=family.members)
    return told.say("places.each", noun=noun_of(each, told.voice))
