"""Print the tables of a ruleset: constant columns as grids, formulas in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from hoyle.language import ir
from hoyle.language.ir import NO_NUMBER, Const, Expr, Instance
from hoyle.language.kinds import SIDES, List, Row
from hoyle.language.model import Column, Table
from hoyle.prose.speech import listed, plural, sentence
from hoyle.prose.truths import said
from hoyle.prose.values import constant
from hoyle.prose.voice import heading, noun_of
from hoyle.rulebook.document import Block, Entries, Entry, Grid, Paragraph
from hoyle.rulebook.telling import Telling

LONGEST_CELL = 40
"""Most characters of a cell."""
NOTHING = "–"


def scoring_tables(told: Telling) -> Iterator[Block]:
    for table in looked_at(told):
        yield from grid(table, told)


def looked_at(told: Telling) -> list[Table]:
    """Return the tables that rules in force use, without those that are attributes of pieces."""
    made_of = {k.table for piece in told.rules.pieces.values() for k in piece.attributes.values() if isinstance(k, Row)}
    named = set(_looked_at(told)) - made_of - {SIDES}
    return [table for table in told.rules.tables.values() if table.name in named]


def _looked_at(told: Telling) -> Iterator[str]:
    for part in told.reach.parts:
        kind = part.kind
        while isinstance(kind, List):
            kind = kind.item
        if isinstance(kind, Row):
            yield kind.table
        if isinstance(part, ir.Attr):
            yield part.table.partition(".")[0]


def grid(table: Table, told: Telling) -> Iterator[Block]:
    """Yield a grid of the columns of a table, then clauses of its rows and texts too long for a cell."""
    shown = told.rows(table)
    cells = {name: {n: cell_words(table, column, n, told) for n in shown} for name, column in _columns(table, told)}
    columns = [column for name, column in _columns(table, told) if _says_something(table, cells[name], told)]
    fixed = [column for column in columns if column.constants is not None or not told.clauses]
    narrow = [column for column in fixed if max(map(len, cells[column.name].values())) <= LONGEST_CELL]
    if told.clauses and not any(column.kind.name == "number" for column in narrow):
        narrow = []
    wide = [column for column in columns if column not in narrow]
    if narrow:
        heads = (sentence(noun_of(Row(table.name), told.voice)), *heads_of(table, narrow, told))
        rows = [(_row(table, n, told), *(cells[column.name][n] for column in narrow)) for n in shown]
        yield Grid(sentence(_title(table, told)), heads, tuple(rows))
    clauses = tuple(_clauses(table, shown, told))
    words = tuple(_words(table, wide, cells, told))
    plain = words if not told.clauses else clauses
    if not narrow and plain:
        yield Paragraph(sentence(_title(table, told)) + told.say("tables.colon"))
    if plain or words:
        yield Entries(plain, exact=words if told.clauses else ())


def _columns(table: Table, told: Telling) -> list[tuple[str, Column]]:
    """Return the columns that rules use, and those made of formulas."""
    looked = told.columns
    return [
        (name, column)
        for name, column in table.columns.items()
        if name != "sign" and (column.constants is None or f"{table.name}.{name}" in looked)
    ]


def _says_something(table: Table, cells: Mapping[int, str], told: Telling) -> bool:
    """Return whether any cell differs from the name of its row."""
    return any(cell not in ("", NOTHING, _row(table, n, told)) for n, cell in cells.items())


def _row(table: Table, row: int, told: Telling) -> str:
    return told.voice.label(f"tables/{table.name}", table.rows[row])


def places_of(table: Table, told: Telling) -> list[str]:
    """Return the references to the source of each row."""
    rows = told.game.compiled.merged.root["tables"][table.name]["rows"]
    named = {name.replace(" ", "_"): node.raw_of("at") for name, _, node in rows.entries() if node.kind == "map"}
    return [named.get(row, "") for row in table.rows]


def _clauses(table: Table, shown: Sequence[int], told: Telling) -> Iterator[Entry]:
    """Yield the clauses of rows; rows with the same references share an entry."""
    places = places_of(table, told)
    named = {n: " ".join(name for name in places[n].split() if name in told.clauses) for n in shown}
    for at in dict.fromkeys(filter(None, named.values())):
        cites, clauses = told.cites(at), told.tell(at)
        rows = [_row(table, n, told) for n, place in named.items() if place == at]
        first, *rest = clauses or (Entry(),)
        inside = {entry.anchor for entry in rest}
        cites = tuple(cite for cite in cites if cite.link not in inside)
        if clauses:
            yield replace(first, head=sentence(listed(rows, told.lang)), cites=cites, inside=tuple(rest))


def _words(table: Table, wide: list[Column], cells: Mapping[str, Mapping[int, str]], told: Telling) -> Iterator[Entry]:
    """Yield formulas of cells in words, column by column."""
    for column, head in zip(wide, heads_of(table, wide, told), strict=True):
        for n, words in cells[column.name].items():
            if words not in ("", NOTHING, told.voice.say("truth.always")):
                yield Entry(sentence(words) + ".", f"{sentence(_row(table, n, told))} ({head})")


def _title(table: Table, told: Telling) -> str:
    own = told.voice.tables.get(table.name, {}).get(told.lang)
    return own or plural(noun_of(Row(table.name), told.voice), told.lang)


def heads_of(table: Table, columns: Sequence[Column], told: Telling) -> tuple[str, ...]:
    return tuple(sentence(heading(table.name, column.name, told.voice)) for column in columns)


def cell_words(table: Table, column: Column, row: int, told: Telling) -> str:
    """Return the content of a cell in words; empty if it would be too long."""
    if column.constants is not None:
        value = column.constants[row]
        if value == NO_NUMBER or (column.kind.name not in ("number", "bool") and value < 0):
            return NOTHING
        span = next(iter(column.forms.values())).span if column.forms else table.span
        return constant(Const(column.kind, span, value), told.voice)
    body = _body(table, column, row, told)
    if body is None:
        return ""
    return NOTHING if isinstance(body, Const) and body.value in (0, NO_NUMBER) else said(body, told.voice, 500) or ""


def _body(table: Table, column: Column, row: int, told: Telling) -> Expr | None:
    """Return the formula of a cell; None if nothing in force uses the column."""
    for part in told.reach.parts:
        if isinstance(part, ir.ColumnCall) and _is_of(part, table, column):
            found: Instance = part.instances[row]
            return found.body
    return None


def _is_of(part: ir.ColumnCall, table: Table, column: Column) -> bool:
    kind = part.operands[0].kind
    name = part.instances[0].name.rpartition(".")[2]
    return isinstance(kind, Row) and kind.table == table.name and name == column.name
