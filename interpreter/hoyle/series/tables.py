"""Flat tables, and what is made of them: CSV, Parquet, and the data frames of pandas, polars and pyarrow, by these packages, where they are installed."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from hoyle.series.extras import needed
from hoyle.series.pages import Part, html

Cell = str | int | float | bool | None
Kind = type[str] | type[int] | type[float] | type[bool]


class Column(Struct, frozen=True):
    """Values of one kind, or None."""

    name: str
    kind: Kind
    values: tuple[Cell, ...]


class Table(Struct, frozen=True):
    """Columns of one length."""

    columns: tuple[Column, ...]

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        return zip(*(column.values for column in self.columns), strict=True)

    def records(self) -> list[dict[str, Cell]]:
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows()]

    def _repr_html_(self) -> str:
        """For notebooks: the beginning, and how many rows there are."""
        rows = tuple(tuple(map(_shown, row)) for row, _ in zip(self.rows(), range(SHOWN), strict=False))
        count = len(self.columns[0].values) if self.columns else 0
        more = (f"{len(rows)} / {count}",) if count > len(rows) else ()
        words = tuple(number for number, column in enumerate(self.columns) if column.kind is str)
        heads = tuple(column.name for column in self.columns)
        return html("", [Part(heads=heads, rows=rows, notes=more, words=words)])

    def frame(self, library: str = "pandas") -> Any:
        """The table as a frame of pandas, polars or pyarrow. Raises Missing; ValueError for another library."""
        if library not in LIBRARIES:
            raise ValueError(f"`{library}` makes no frames here; {', '.join(LIBRARIES)} do")
        return LIBRARIES[library](self)


def as_csv(table: Table) -> str:
    """With a line of heads; numbers as they are written in programs, truths as `true` and `false`, nothing where there is no value."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    writer.writerows([_written(cell) for cell in row] for row in table.rows())
    return text.getvalue()


SHOWN = 20
"""Rows that a notebook shows of a table."""


def _shown(cell: Cell) -> str:
    return "" if cell is None else f"{cell:.4g}" if isinstance(cell, float) else str(_written(cell))


def _written(cell: Cell) -> Any:
    return str(cell).lower() if isinstance(cell, bool) else cell


PARQUET = "hoyle[parquet]"
"""What installs the package that writes Parquet."""


def parquet(table: Table) -> bytes:
    """The same table always gives the same bytes, with one version of the package. Raises Missing."""
    written = io.BytesIO()
    needed("pyarrow.parquet", PARQUET).write_table(arrow(table), written)
    return written.getvalue()


def arrow(table: Table) -> Any:
    """A table of pyarrow. Raises Missing."""
    pyarrow = needed("pyarrow", PARQUET)
    kinds = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    arrays = {column.name: pyarrow.array(column.values, kinds[column.kind]) for column in table.columns}
    return pyarrow.table(arrays)


def _pandas(table: Table) -> Any:
    pandas = needed("pandas")
    return pandas.DataFrame({one.name: pandas.Series(one.values, dtype=_dtype(one)) for one in table.columns})


def _dtype(column: Column) -> str:
    """Plain where all values are there, so that numpy takes it; else the one that knows what is missing."""
    with_gaps = {str: "string", int: "Int64", float: "float64", bool: "boolean"}
    whole = {str: "string", int: "int64", float: "float64", bool: "bool"}
    return (with_gaps if None in column.values else whole)[column.kind]


def _polars(table: Table) -> Any:
    polars = needed("polars")
    kinds = {str: polars.String, int: polars.Int64, float: polars.Float64, bool: polars.Boolean}
    return polars.DataFrame([polars.Series(one.name, one.values, kinds[one.kind]) for one in table.columns])


LIBRARIES: Mapping[str, Callable[[Table], Any]] = {"pandas": _pandas, "polars": _polars, "pyarrow": arrow}
"""The libraries that have frames, by name."""
