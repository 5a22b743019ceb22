"""Tables: rows, columns and cells; which columns are constant."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from hoyle.checking.reader import Reader, words_of
from hoyle.checking.world import Scope, unknown
from hoyle.diagnostics import Problems, Refused
from hoyle.language.evaluate import evaluate, everything, static
from hoyle.language.ir import ABSENT, NO_NUMBER, Expr, Var, absent_of
from hoyle.language.kinds import TEXT, UNKNOWN, Kind, Row, number
from hoyle.language.model import Column, Table, Words
from hoyle.language.sentences import said
from hoyle.language.syntax import Form, is_identifier, usable
from hoyle.reading import parse
from hoyle.reading.tree import Node, is_text_key, text_nodes, texts_of

_Written = tuple[str, str, Node]
"""A row, how it is written, and where that stands."""


MOST_CELLS = 20_000
"""How many cells a table may have: each row has one in each column, even where `defaults` fill them."""


class TableReader(Reader):
    """Reads the section `tables`."""

    def tables(self) -> None:
        for name, key, node in self.entries("tables"):
            self.declare(name, key)
            self.a_kind(name, key)
            self.world.tables[name] = self._table(name, key, node)
            if not self.world.tables[name].rows:
                self.world.problems.add(
                    "R103",
                    said("tables.no_rows", name=name),
                    key.span,
                    help=said("tables.none_inherited"),
                )
                self.world.doubtful.add(name)
        for name, key, node in self.entries("tables"):
            columns = node.get("columns")
            cells = len(self.world.tables[name].rows) * len(columns.pairs) if columns is not None else 0
            if not self.within(cells, MOST_CELLS, "cells", key.span):
                self.world.doubtful.add(name)
            elif node.get("rows") is not None:
                self._columns(self.world.tables[name], node)

    def _table(self, name: str, key: Node, node: Node) -> Table:
        rows = node.get("rows")
        known = list(rows.pairs) if rows is not None and rows.kind == "map" else []
        order = node.items_of("order")
        for item in order:
            if known and item.raw not in known:
                unknown(self.world, "R305", "row_of", item.raw, known, item.span, of=name)
        names = [i.raw for i in order if i.raw in known] or known
        words = {r: words_of(rows[r], r) for r in names} if rows is not None else {}
        for r in names:
            if rows is not None and not is_identifier(r.replace(" ", "_")):
                help = usable(r)
                self.world.problems.add("R310", said("tables.no_row_name", name=r), rows.key(r).span, help=help)
        one = node.get("one")
        table = Table(
            name,
            one.raw if one else name.removesuffix("s"),
            tuple(r.replace(" ", "_") for r in names),
            {},
            {r.replace(" ", "_"): w for r, w in words.items()},
            key.span,
            symbols=_said(rows, names, "symbol") if rows is not None else {},
            letters=_said(rows, names, "letter") if rows is not None else {},
        )
        self.world.attributes.by_name[f"{name}.order"] = (*range(1, len(names) + 1), NO_NUMBER)
        return table

    def _columns(self, table: Table, node: Node) -> None:
        columns, seen = node.get("columns"), dict[str, Node]()
        for text, key, spec in columns.entries() if columns is not None and columns.kind == "map" else ():
            try:
                signature = parse.signature(key)
            except Refused as refused:
                self.world.problems.extend(refused.diagnostics)
                continue
            first = seen.setdefault(signature.name, key)
            if first is not key:
                self.twice(signature.name, key, first, said("tables.own_name", name=table.name))
                continue
            derived, kind = self._column_kind(spec)
            column = Column(signature.name, kind, signature.parameters)
            table.columns[column.name] = column
            self._cells(table, column, node, derived, text)
        for place in (node.get("defaults"), *(own for _, _, own in node["rows"].entries())):
            self._known_columns(table, place)

    def _known_columns(self, table: Table, place: Node | None) -> None:
        """A row, or the defaults, may say words and what the columns ask for."""
        for name, key, _ in place.entries() if place is not None and place.kind == "map" else ():
            if (
                not (is_text_key(name) or name in ("symbol", "letter", "at", "before", "after"))
                and name.split("(")[0].strip() not in table.columns
            ):
                unknown(self.world, "R301", "column_of", name, list(table.columns), key.span, of=table.name)

    def _column_kind(self, spec: Node) -> tuple[Node | None, Kind]:
        """A column's kind; or, if it is a formula over the row's other columns, that formula and any kind."""
        if (
            spec.kind == "scalar"
            and ("(" in spec.raw or " " in spec.raw.replace("..", "").strip())
            and ".." not in spec.raw
        ):
            return spec, UNKNOWN
        return None, self.kind(spec)

    def _cells(self, table: Table, column: Column, node: Node, derived: Node | None, text: str) -> None:
        rows, defaults = node["rows"], node.get("defaults")
        spaced = {r.replace(" ", "_"): r for r in rows.pairs}
        plain: list[Any] = []
        missing: list[Node] = []
        for r in table.rows:
            own = rows[spaced[r]]
            cell = (
                derived
                or (own.get(column.name) or own.get(text) if own.kind == "map" else None)
                or (defaults.get(column.name) if defaults else None)
            )
            if cell is None:
                if column.kind.optional:
                    column.forms[r] = Form("none", rows.key(spaced[r]).span)
                elif column.kind != TEXT:
                    missing.append(rows.key(spaced[r]))
                    column.forms[r] = Form("broken", rows.key(spaced[r]).span)
                else:
                    plain.append("")
                continue
            self._cell(table, column, r, cell, plain)
        self._missing(table, column, missing)
        if column.kind == TEXT:
            texts = self.world.attributes.texts
            first = len(texts)
            texts.extend(plain)
            column.constants = list(range(first, len(texts)))
            self.world.attributes.by_name[f"{table.name}.{column.name}"] = (*column.constants, ABSENT)
            if column.name == "sign":
                table.signs = tuple(plain)
                self._signs_differ(table, rows)

    def _signs_differ(self, table: Table, rows: Node) -> None:
        """Signs tell pieces apart wherever they are written, and so do the symbols that a language has for them."""
        nodes = {name.replace(" ", "_"): (key, node) for name, key, node in rows.entries()}
        signs = dict(zip(table.rows, table.signs or (), strict=False))
        written = [(r, sign, nodes[r][1].get("sign") or nodes[r][0]) for r, sign in signs.items()]
        self._differ(written, "sign")
        for key, others in (("symbol", written), ("letter", [])):
            said = {r: text_nodes(nodes[r][1][key]) for r in signs if nodes[r][1].get(key) is not None}
            for lang in dict.fromkeys(lang for texts in said.values() for lang in texts):
                own = [(r, texts[lang].raw, texts[lang]) for r, texts in said.items() if lang in texts]
                self._differ(own, key, others)

    def _differ(self, written: Iterable[_Written], what: str, before: Iterable[_Written] = ()) -> None:
        first = {sign: (r, place) for r, sign, place in before}
        for r, sign, place in written:
            other, there = first.setdefault(sign, (r, place))
            if sign and other != r:
                message = said(f"same.{what}", one=other, other=r, sign=sign)
                self.world.problems.add("R424", message, place.span, related=[(there.span, said("also_here"))])

    def _missing(self, table: Table, column: Column, rows: list[Node]) -> None:
        if rows:
            shown = ", ".join(f"`{key.raw}`" for key in rows[:8])
            which = "row_lacks" if len(rows) == 1 else "rows_lack" if len(rows) <= 8 else "many_lack"
            self.world.problems.add(
                "R415",
                said(f"tables.{which}", rows=shown, column=column.name),
                rows[0].span,
                help=said("tables.give_each", name=table.name),
            )

    def _cell(self, table: Table, column: Column, r: str, cell: Node, plain: list[Any]) -> None:
        if column.kind == TEXT:
            plain.append(cell.raw)
            return
        column.forms[r] = self.formula(cell) or Form("broken", cell.span)

    def constant_columns(self, early: bool = False) -> None:
        """Columns that depend on nothing but tables and options become tables of constants. `early`: piles and state are not
        declared yet, so what looks wrong now is tried again later."""
        for table in self.world.tables.values():
            for column in table.columns.values():
                open_ = column.constants is None and not column.parameters and len(column.forms) == len(table.rows)
                if open_ and table.rows and (not early or self._no_problem(table, column)):
                    self._constant_column(table, column)

    def _no_problem(self, table: Table, column: Column) -> bool:
        kept, self.world.problems = self.world.problems, Problems()
        kind = column.kind
        self._constant_column(table, column)
        fine = not self.world.problems.errors and column.constants is not None
        column.constants, column.kind = None, kind
        self.world.problems = kept
        self.world.instances.clear()
        return fine

    def _constant_column(self, table: Table, column: Column) -> None:
        var = Var("row", Row(table.name))
        # without a kind, one of its cells says it; where something has been left out, that may have been it
        expected = column.kind if column.kind.name != "unknown" or self.world.doubtful else None
        bodies = [self.checker.check(column.forms[r], Scope(row=var), expected) for r in table.rows]
        fine = all(static(b) and all(e.kind.name != "unknown" for e in everything(b)) for b in bodies)
        if not fine or self.world.problems.errors:
            return
        values = [evaluate(b, self.setting(), {var: i}) for i, b in enumerate(bodies)]
        if column.kind.name == "unknown":
            first = bodies[0].kind
            column.kind = number(min(values), max(values)) if first.name == "number" else first
        fitted = [
            self.checker.fit(body, column.kind, what=partial(said, "tables.column", name=column.name))
            for body in bodies
        ]
        self._within(column, fitted, values)
        if any(body.kind.name == "unknown" for body in fitted):
            return
        column.constants = values
        self.world.attributes.by_name[f"{table.name}.{column.name}"] = (*values, absent_of(column.kind))

    def _within(self, column: Column, bodies: list[Expr], values: list[Any]) -> None:
        if column.kind.name == "number":
            for body, value in zip(bodies, values, strict=True):
                if (
                    body.kind.name == "number"
                    and value != NO_NUMBER
                    and not column.kind.low <= value <= column.kind.high
                ):
                    message = said(
                        "tables.outside", value=value, low=column.kind.low, high=column.kind.high, name=column.name
                    )
                    self.world.problems.add("R410", message, body.span)


def _said(rows: Node, names: list[str], key: str) -> dict[str, Words]:
    """What people read or may type instead of the signs of these rows, by language."""
    said = {name: rows[name].get(key) for name in names}
    return {name.replace(" ", "_"): texts_of(words) for name, words in said.items() if words is not None}
