"""The tables of a ruleset as one prints them: what is the same whatever happens, and formulas in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.language import ir
from interpreter.language.evaluate import everything
from interpreter.language.ir import NO_NUMBER, Const, Expr, Instance
from interpreter.language.kinds import SIDES, List, Row
from interpreter.language.model import Column, Table
from interpreter.prose.speech import plural, sentence
from interpreter.prose.values import constant
from interpreter.prose.voice import heading, noun_of
from interpreter.prose.words import said
from interpreter.rulebook.document import Grid
from interpreter.rulebook.telling import Telling


def scoring_tables(told: Telling) -> Iterator[Grid]:
    """The tables that rules in force look at, without those of which pieces are made."""
    made_of = {k.table for piece in told.rules.pieces.values() for k in piece.attributes.values() if isinstance(k, Row)}
    looked_at = set(_looked_at(told))
    for table in told.rules.tables.values():
        if table.name in looked_at and table.name not in made_of and table.name != SIDES:
            yield from grid(table, told)


def _looked_at(told: Telling) -> Iterator[str]:
    for formula in told.force.formulas:
        for part in everything(formula):
            kind = part.kind
            while isinstance(kind, List):
                kind = kind.item
            if isinstance(kind, Row):
                yield kind.table
            if isinstance(part, ir.Attr):
                yield part.table.partition(".")[0]


def grid(table: Table, told: Telling) -> Iterator[Grid]:
    """A table with columns; nothing of one without."""
    columns = [column for column in table.columns.values() if column.name != "sign"]
    cells = {column.name: [cell_words(table, column, n, told) for n in range(len(table.rows))] for column in columns}
    columns = [column for column in columns if any(cells[column.name])]
    rules = _rules_of(table, told)
    if not columns and not any(rules):
        return
    title = sentence(_title(table, told))
    heads = (sentence(noun_of(Row(table.name), told.voice)), *heads_of(table, columns, told))
    if any(rules):
        heads = (*heads, told.say("tables.rule"))
    rows = [
        (
            told.voice.label(f"tables/{table.name}", row),
            *(cells[column.name][n] for column in columns),
            *([rules[n]] if any(rules) else []),
        )
        for n, row in enumerate(table.rows)
    ]
    yield Grid(title, heads, tuple(rows))


def _rules_of(table: Table, told: Telling) -> list[str]:
    """Of each row the clauses that it names."""
    rows = told.game.compiled.merged.root["tables"][table.name]["rows"]
    places = {name.replace(" ", "_"): node.raw_of("at") for name, _, node in rows.entries() if node.kind == "map"}
    return [" ".join(dict.fromkeys(told.told(places.get(row, "")))) for row in table.rows]


def _title(table: Table, told: Telling) -> str:
    own = told.voice.tables.get(table.name, {}).get(told.lang)
    return own or plural(noun_of(Row(table.name), told.voice), told.lang)


def heads_of(table: Table, columns: Sequence[Column], told: Telling) -> tuple[str, ...]:
    return tuple(sentence(heading(table.name, column.name, told.voice)) for column in columns)


def cell_words(table: Table, column: Column, row: int, told: Telling) -> str:
    """What a column says of a row; empty where it cannot be said in a few words."""
    if column.constants is not None:
        value = column.constants[row]
        if value == NO_NUMBER or (column.kind.name not in ("number", "bool") and value < 0):
            return "–"
        span = next(iter(column.forms.values())).span if column.forms else table.span
        return constant(Const(column.kind, span, value), told.voice)
    body = _body(table, column, row, told)
    if body is None:
        return ""
    return "–" if isinstance(body, Const) and body.value in (0, NO_NUMBER) else said(body, told.voice, 500) or ""


def _body(table: Table, column: Column, row: int, told: Telling) -> Expr | None:
    """The formula of a cell, as far as something looks at it."""
    for formula in told.force.formulas:
        for part in everything(formula):
            if isinstance(part, ir.ColumnCall) and _is_of(part, table, column):
                found: Instance = part.instances[row]
                return found.body
    return None


def _is_of(part: ir.ColumnCall, table: Table, column: Column) -> bool:
    kind = part.operands[0].kind
    name = part.instances[0].name.rpartition(".")[2]
    return isinstance(kind, Row) and kind.table == table.name and name == column.name
