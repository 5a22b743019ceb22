"""Print the tables of a ruleset: constant columns as grids, formulas in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from hoyle.language import ir
from hoyle.language.ir import NO_NUMBER, Const, Expr, Instance
from hoyle.language.model import Column, Table
from hoyle.language.value_types import SIDES, List, Row
from hoyle.prose.conditions import describe_formula
from hoyle.prose.grammar import capitalize, join_list, pluralize
from hoyle.prose.values import describe_constant
from hoyle.prose.voice import find_heading, find_noun
from hoyle.rulebook.context import RulebookContext
from hoyle.rulebook.document import Block, Entries, Entry, Grid, Paragraph

LONGEST_CELL = 40
"""Most characters of a cell."""
NOTHING = "–"


def write_scoring_tables(context: RulebookContext) -> Iterator[Block]:
    for table in find_used_tables(context):
        yield from write_table(table, context)


def find_used_tables(context: RulebookContext) -> list[Table]:
    """Return the tables that rules in force use, without those that are attributes of pieces."""
    made_of = {
        k.table for piece in context.rules.pieces.values() for k in piece.attributes.values() if isinstance(k, Row)
    }
    named = set(_iter_used_tables(context)) - made_of - {SIDES}
    return [table for table in context.rules.tables.values() if table.name in named]


def _iter_used_tables(context: RulebookContext) -> Iterator[str]:
    for part in context.reach.parts:
        value_type = part.type
        while isinstance(value_type, List):
            value_type = value_type.item
        if isinstance(value_type, Row):
            yield value_type.table
        if isinstance(part, ir.Attr):
            yield part.table.partition(".")[0]


def write_table(table: Table, context: RulebookContext) -> Iterator[Block]:
    """Yield a grid of the columns of a table, then clauses of its rows and texts too long for a cell."""
    shown = context.rows(table)
    cells = {
        name: {n: describe_cell(table, column, n, context) for n in shown}
        for name, column in _find_columns(table, context)
    }
    columns = [column for name, column in _find_columns(table, context) if _is_informative(table, cells[name], context)]
    fixed = [column for column in columns if column.constants is not None or not context.clauses]
    narrow = [column for column in fixed if max(map(len, cells[column.name].values())) <= LONGEST_CELL]
    if context.clauses and not any(column.type.name == "number" for column in narrow):
        narrow = []
    wide = [column for column in columns if column not in narrow]
    if narrow:
        heads = (capitalize(find_noun(Row(table.name), context.voice)), *list_headings(table, narrow, context))
        rows = [(_name_row(table, n, context), *(cells[column.name][n] for column in narrow)) for n in shown]
        yield Grid(capitalize(_make_title(table, context)), heads, tuple(rows))
    clauses = tuple(_list_clauses(table, shown, context))
    words = tuple(_describe_formulas(table, wide, cells, context))
    plain = words if not context.clauses else clauses
    if not narrow and plain:
        yield Paragraph(capitalize(_make_title(table, context)) + context.say("tables.colon"))
    if plain or words:
        yield Entries(plain, exact=words if context.clauses else ())


def _find_columns(table: Table, context: RulebookContext) -> list[tuple[str, Column]]:
    """Return the columns that rules use, and those made of formulas."""
    looked = context.columns
    return [
        (name, column)
        for name, column in table.columns.items()
        if name != "sign" and (column.constants is None or f"{table.name}.{name}" in looked)
    ]


def _is_informative(table: Table, cells: Mapping[int, str], context: RulebookContext) -> bool:
    """Return whether any cell differs from the name of its row."""
    return any(cell not in ("", NOTHING, _name_row(table, n, context)) for n, cell in cells.items())


def _name_row(table: Table, row: int, context: RulebookContext) -> str:
    return context.voice.label(f"tables/{table.name}", table.rows[row])


def list_references(table: Table, context: RulebookContext) -> list[str]:
    """Return the references to the source of each row."""
    rows = context.game.compiled.merged.root["tables"][table.name]["rows"]
    named = {name.replace(" ", "_"): node.raw_of("at") for name, _, node in rows.entries() if node.kind == "map"}
    return [named.get(row, "") for row in table.rows]


def _list_clauses(table: Table, shown: Sequence[int], context: RulebookContext) -> Iterator[Entry]:
    """Yield the clauses of rows; rows with the same references share an entry."""
    places = list_references(table, context)
    named = {n: " ".join(name for name in places[n].split() if name in context.clauses) for n in shown}
    for at in dict.fromkeys(filter(None, named.values())):
        cites, clauses = context.cites(at), context.tell(at)
        rows = [_name_row(table, n, context) for n, place in named.items() if place == at]
        first, *rest = clauses or (Entry(),)
        inside = {entry.anchor for entry in rest}
        cites = tuple(cite for cite in cites if cite.link not in inside)
        if clauses:
            yield replace(first, head=capitalize(join_list(rows, context.lang)), cites=cites, inside=tuple(rest))


def _describe_formulas(
    table: Table, wide: list[Column], cells: Mapping[str, Mapping[int, str]], context: RulebookContext
) -> Iterator[Entry]:
    """Yield formulas of cells in words, column by column."""
    for column, head in zip(wide, list_headings(table, wide, context), strict=True):
        for n, words in cells[column.name].items():
            if words not in ("", NOTHING, context.voice.say("truth.always")):
                yield Entry(capitalize(words) + ".", f"{capitalize(_name_row(table, n, context))} ({head})")


def _make_title(table: Table, context: RulebookContext) -> str:
    own = context.voice.tables.get(table.name, {}).get(context.lang)
    return own or pluralize(find_noun(Row(table.name), context.voice), context.lang)


def list_headings(table: Table, columns: Sequence[Column], context: RulebookContext) -> tuple[str, ...]:
    return tuple(capitalize(find_heading(table.name, column.name, context.voice)) for column in columns)


def describe_cell(table: Table, column: Column, row: int, context: RulebookContext) -> str:
    """Return the content of a cell in words; empty if it would be too long."""
    if column.constants is not None:
        value = column.constants[row]
        if value == NO_NUMBER or (column.type.name not in ("number", "bool") and value < 0):
            return NOTHING
        span = next(iter(column.forms.values())).span if column.forms else table.span
        return describe_constant(Const(column.type, span, value), context.voice)
    body = _find_formula(table, column, row, context)
    if body is None:
        return ""
    return (
        NOTHING
        if isinstance(body, Const) and body.value in (0, NO_NUMBER)
        else describe_formula(body, context.voice, 500) or ""
    )


def _find_formula(table: Table, column: Column, row: int, context: RulebookContext) -> Expr | None:
    """Return the formula of a cell; None if nothing in force uses the column."""
    for part in context.reach.parts:
        if isinstance(part, ir.ColumnCall) and _is_column(part, table, column):
            found: Instance = part.instances[row]
            return found.body
    return None


def _is_column(part: ir.ColumnCall, table: Table, column: Column) -> bool:
    value_type = part.operands[0].type
    name = part.instances[0].name.rpartition(".")[2]
    return isinstance(value_type, Row) and value_type.table == table.name and name == column.name
