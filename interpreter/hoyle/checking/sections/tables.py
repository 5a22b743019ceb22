"""Read the section `tables`: rows, columns and cells. A column that depends on options only is evaluated once."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from hoyle.checking.formulas.symbols import Scope, report_unknown
from hoyle.checking.sections.reader import SectionReader, list_pairs, parse_optional, read_words
from hoyle.diagnostics import Refused
from hoyle.language.evaluate import evaluate, is_static, walk_all
from hoyle.language.ir import ABSENT, NO_NUMBER, Var, absent_of
from hoyle.language.model import Column, Table
from hoyle.language.sentences import make_message
from hoyle.language.syntax import Form, describe_valid_name, is_identifier
from hoyle.language.value_types import TEXT, UNKNOWN, Row, get_bounds, make_number_type
from hoyle.reading import parse
from hoyle.reading.tree import Node, is_text_key, text_nodes, texts_of

MOST_CELLS = 20_000
"""Maximum number of cells in a table. Cells that `defaults` fill count too."""
_ROW_KEYS = ("symbol", "letter", "at", "before", "after")
"""Keys of a row that are not columns."""


class TableReader(SectionReader):
    """Reads all tables into the symbol table."""

    def read(self) -> None:
        for name, key, node in self.entries("tables"):
            self.declare(name, key)
            self.declare_type(name, key)
            self.symbols.tables[name] = self._read_table(name, key, node)
            if not self.symbols.tables[name].rows:
                self.symbols.report("R103", "tables.no_rows", key.span, name=name, help="tables.none_inherited")
                self.symbols.doubtful.add(name)
        for name, key, node in self.entries("tables"):
            columns = node.get("columns")
            cells = len(self.symbols.tables[name].rows) * len(columns.pairs) if columns is not None else 0
            if not self.is_within(cells, MOST_CELLS, "cells", key.span):
                self.symbols.doubtful.add(name)
            elif node.get("rows") is not None:
                self._read_columns(self.symbols.tables[name], node)

    def _read_table(self, name: str, key: Node, node: Node) -> Table:
        rows = {row: (place, value) for row, place, value in list_pairs(node.get("rows"))}
        order = node.items_of("order")
        for item in order:
            if rows and item.raw not in rows:
                report_unknown(self.symbols, "R305", "row_of", item.raw, list(rows), item.span, of=name)
        names = {row: row.replace(" ", "_") for row in [item.raw for item in order if item.raw in rows] or rows}
        for row, identifier in names.items():
            if not is_identifier(identifier):
                place = rows[row][0].span
                self.symbols.report("R310", "tables.no_row_name", place, name=row, help=describe_valid_name(row))
        table = Table(
            name,
            node.raw_of("one", name.removesuffix("s")),
            tuple(names.values()),
            {},
            {identifier: read_words(rows[row][1], row) for row, identifier in names.items()},
            key.span,
        )
        for row, identifier in names.items():
            for texts, text_key in ((table.symbols, "symbol"), (table.letters, "letter")):
                value = rows[row][1].get(text_key)
                if value is not None:
                    texts[identifier] = texts_of(value)
        self.symbols.attributes.by_name[f"{name}.order"] = (*range(1, len(names) + 1), NO_NUMBER)
        return table

    # ---- columns -----------------------------------------------------------------------------------------------------

    def _read_columns(self, table: Table, node: Node) -> None:
        seen = dict[str, Node]()
        for text, key, spec in list_pairs(node.get("columns")):
            try:
                signature = parse.signature(key)
            except Refused as refused:
                self.symbols.problems.extend(refused.diagnostics)
                continue
            first = seen.setdefault(signature.name, key)
            if first is not key:
                self.report_twice(signature.name, key, first, make_message("tables.own_name", name=table.name))
                continue
            derived = _is_derived(spec)
            column = Column(signature.name, UNKNOWN if derived else self.read_type(spec), signature.parameters)
            table.columns[column.name] = column
            self._read_cells(table, column, node, spec if derived else None, text)
        for place in (node.get("defaults"), *(own for _, _, own in node["rows"].entries())):
            for name, key, _ in list_pairs(place):
                is_other = is_text_key(name) or name in _ROW_KEYS or name.split("(")[0].strip() in table.columns
                if not is_other:
                    known = list(table.columns)
                    report_unknown(self.symbols, "R301", "column_of", name, known, key.span, of=table.name)

    def _read_cells(self, table: Table, column: Column, node: Node, derived: Node | None, text: str) -> None:
        """Read the cells of a column.

        derived: its formula, if it is computed
        text: its key as written
        """
        rows, defaults = node["rows"], node.get("defaults")
        written = {row.replace(" ", "_"): row for row in rows.pairs}
        texts: list[str] = []
        missing: list[Node] = []
        for row in table.rows:
            key, own = rows.pairs[written[row]]
            cell = derived or (own.get(column.name) or own.get(text) if own.kind == "map" else None)
            cell = cell or (defaults.get(column.name) if defaults else None)
            if cell is None and column.type.optional:
                column.forms[row] = Form("none", key.span)
            elif column.type == TEXT:
                texts.append(cell.raw if cell is not None else "")
            elif cell is None:
                missing.append(key)
                column.forms[row] = Form("broken", key.span)
            else:
                column.forms[row] = parse_optional(self.symbols, cell) or Form("broken", cell.span)
        if missing:
            shown = ", ".join(f"`{key.raw}`" for key in missing[:8])
            which = "row_lacks" if len(missing) == 1 else "rows_lack" if len(missing) <= 8 else "many_lack"
            help = make_message("tables.give_each", name=table.name)
            self.symbols.report("R415", f"tables.{which}", missing[0].span, rows=shown, column=column.name, help=help)
        if column.type == TEXT:
            known = self.symbols.attributes.texts
            column.constants = list(range(len(known), len(known) + len(texts)))
            known.extend(texts)
            self.symbols.attributes.by_name[f"{table.name}.{column.name}"] = (*column.constants, ABSENT)
            if column.name == "sign":
                table.signs = tuple(texts)
                self._check_signs(table, rows)

    def _check_signs(self, table: Table, rows: Node) -> None:
        """Report rows with the same sign, or with the same symbol or letter in one language."""
        nodes = {name.replace(" ", "_"): (key, node) for name, key, node in rows.entries()}
        signs = dict(zip(table.rows, table.signs or (), strict=False))
        written = [(row, sign, nodes[row][1].get("sign") or nodes[row][0]) for row, sign in signs.items()]
        self._report_equal(written, "sign")
        for key, others in (("symbol", written), ("letter", [])):
            texts = {row: text_nodes(nodes[row][1][key]) for row in signs if nodes[row][1].get(key) is not None}
            for lang in dict.fromkeys(lang for by_lang in texts.values() for lang in by_lang):
                own = [(row, by_lang[lang].raw, by_lang[lang]) for row, by_lang in texts.items() if lang in by_lang]
                self._report_equal(own, key, others)

    def _report_equal(
        self, signs: Iterable[tuple[str, str, Node]], what: str, before: Iterable[tuple[str, str, Node]] = ()
    ) -> None:
        """Report each sign that an earlier row has already. Signs are given as (row, sign, node)."""
        first = {sign: (row, place) for row, sign, place in before}
        for row, sign, place in signs:
            other, there = first.setdefault(sign, (row, place))
            if sign and other != row:
                related = [(there.span, make_message("also_here"))]
                self.symbols.report(
                    "R424", f"same.{what}", place.span, one=other, other=row, sign=sign, related=related
                )

    # ---- constant columns --------------------------------------------------------------------------------------------

    def read_constant_columns(self, early: bool = False) -> None:
        """Evaluate the columns that depend on tables and options only.

        `early`: piles and state are not declared yet, so a column with problems is tried again later.
        """
        for table in self.symbols.tables.values():
            for column in table.columns.values():
                is_open = column.constants is None and not column.parameters and len(column.forms) == len(table.rows)
                if is_open and table.rows and (not early or self._has_no_problem(table, column)):
                    self._evaluate_column(table, column)

    def _has_no_problem(self, table: Table, column: Column) -> bool:
        value_type = column.type
        with self.symbols.collecting() as problems:
            self._evaluate_column(table, column)
        is_fine = not problems.errors and column.constants is not None
        column.constants, column.type = None, value_type
        self.symbols.instances.clear()
        return is_fine

    def _evaluate_column(self, table: Table, column: Column) -> None:
        var = Var("row", Row(table.name))
        # Without a type, the first cell tells it, unless what was dropped from the tree may have told it.
        expected = column.type if column.type.name != "unknown" or self.symbols.doubtful else None
        bodies = [self.checker.check(column.forms[row], Scope(row=var), expected) for row in table.rows]
        is_constant = all(is_static(body) and all(e.type.name != "unknown" for e in walk_all(body)) for body in bodies)
        if not is_constant or self.symbols.problems.errors:
            return
        values: list[Any] = [evaluate(body, self.setting(), {var: i}) for i, body in enumerate(bodies)]
        if column.type.name == "unknown":
            value_type = bodies[0].type
            column.type = make_number_type(min(values), max(values)) if value_type.name == "number" else value_type
        value_type, subject = column.type, partial(make_message, "tables.column", name=column.name)
        fitted = [self.checker.convert(body, value_type, what=subject) for body in bodies]
        for body, value in zip(fitted, values, strict=True) if value_type.name == "number" else ():
            low, high = get_bounds(value_type)
            if body.type.name == "number" and value != NO_NUMBER and not low <= value <= high:
                self.symbols.report(
                    "R410", "tables.outside", body.span, value=value, low=low, high=high, name=column.name
                )
        if any(body.type.name == "unknown" for body in fitted):
            return
        column.constants = values
        self.symbols.attributes.by_name[f"{table.name}.{column.name}"] = (*values, absent_of(value_type))


def _is_derived(spec: Node) -> bool:
    """Return whether the value of a column's key is a formula over the row's other columns, not a type."""
    is_formula = "(" in spec.raw or " " in spec.raw.replace("..", "").strip()
    return spec.kind == "scalar" and is_formula and ".." not in spec.raw
