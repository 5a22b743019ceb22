"""Flat tables of results, and their export to CSV, Parquet and data frames of pandas, polars and pyarrow.

The packages for Parquet and data frames are optional.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import jinja2
from msgspec import Struct

from hoyle.diagnostics import LocalizedText
from hoyle.game.game import Game
from hoyle.language.sentences import make_sentence
from hoyle.running.outcomes import Tallies
from hoyle.series.comparison import Comparison, Figure, list_figures
from hoyle.series.match import Deal, Match, Outcome
from hoyle.series.measures import LENGTHS, Measure, measure_share
from hoyle.series.simulate import SECTIONS, Account, Order
from hoyle.series.variants import Plan

Rows = tuple[tuple[str, ...], ...]


class Part(Struct, frozen=True):
    """A table with a title above it and notes below it. Empty parts are omitted.

    The first column has names. A row whose name begins with a star is highlighted.
    """

    title: str = ""
    heads: tuple[str, ...] = ()
    rows: Rows = ()
    notes: tuple[str, ...] = ()
    words: tuple[int, ...] = (0,)
    """Numbers of the columns with text, which are left-aligned."""


def render_html(title: str, parts: Sequence[Part]) -> str:
    return _template().render(title=title, parts=parts)


@cache
def _template() -> jinja2.Template:
    loader = jinja2.FileSystemLoader(Path(__file__).parent / "templates")
    return jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    ).get_template("result.html.j2")


class Missing(ImportError):
    """Raised if an optional package is not installed. `message` names it and the command that installs it."""

    def __init__(self, package: str, install: str) -> None:
        self.message: LocalizedText = make_sentence("missing", package=package, install=install)
        super().__init__(self.message)


def import_package(module: str, install: str = "") -> Any:
    """Import a module of an optional package. Raises Missing.

    `install` is the name to install in the message; if empty, the name of the package.
    """
    package = module.partition(".")[0]
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != package:
            raise  # the package is installed, but a dependency is missing
        raise Missing(package, install or package) from None


Cell = str | int | float | bool | None
Kind = type[str] | type[int] | type[float] | type[bool]


class Column(Struct, frozen=True):
    """Values of one type; None is a missing value."""

    name: str
    kind: Kind
    values: tuple[Cell, ...]


class Table(Struct, frozen=True):
    """Columns of equal length."""

    columns: tuple[Column, ...]

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        return zip(*(column.values for column in self.columns), strict=True)

    def records(self) -> list[dict[str, Cell]]:
        names = [column.name for column in self.columns]
        return [dict(zip(names, row, strict=True)) for row in self.rows()]

    def _repr_html_(self) -> str:
        """Return the first rows and the number of rows as HTML for notebooks."""
        rows = tuple(tuple(map(_shown, row)) for row, _ in zip(self.rows(), range(SHOWN), strict=False))
        count = len(self.columns[0].values) if self.columns else 0
        more = (f"{len(rows)} / {count}",) if count > len(rows) else ()
        words = tuple(number for number, column in enumerate(self.columns) if column.kind is str)
        heads = tuple(column.name for column in self.columns)
        return render_html("", [Part(heads=heads, rows=rows, notes=more, words=words)])

    def frame(self, library: str = "pandas") -> Any:
        """Return the table as a data frame of pandas, polars or pyarrow.

        Raises Missing if the library is not installed, and ValueError for another library.
        """
        if library not in LIBRARIES:
            raise ValueError(f"`{library}` makes no frames here; {', '.join(LIBRARIES)} do")
        return LIBRARIES[library](self)


def write_csv(table: Table) -> str:
    """Return the table as CSV with a header row.

    Numbers have full precision, booleans are `true` and `false`, missing values are empty.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    writer.writerows([_written(cell) for cell in row] for row in table.rows())
    return text.getvalue()


SHOWN = 20
"""Maximum number of rows of a table in a notebook."""


def _shown(cell: Cell) -> str:
    return "" if cell is None else f"{cell:.4g}" if isinstance(cell, float) else str(_written(cell))


def _written(cell: Cell) -> Any:
    return str(cell).lower() if isinstance(cell, bool) else cell


PARQUET = "hoyle[parquet]"
"""Extra that installs the package for Parquet."""


def write_parquet(table: Table) -> bytes:
    """Return the table as Parquet. Raises Missing.

    With one version of pyarrow, equal tables give equal bytes.
    """
    written = io.BytesIO()
    import_package("pyarrow.parquet", PARQUET).write_table(arrow(table), written)
    return written.getvalue()


def arrow(table: Table) -> Any:
    """Return the table as a table of pyarrow. Raises Missing."""
    pyarrow = import_package("pyarrow", PARQUET)
    kinds = {str: pyarrow.string(), int: pyarrow.int64(), float: pyarrow.float64(), bool: pyarrow.bool_()}
    arrays = {column.name: pyarrow.array(column.values, kinds[column.kind]) for column in table.columns}
    return pyarrow.table(arrays)


def _pandas(table: Table) -> Any:
    pandas = import_package("pandas")
    return pandas.DataFrame({one.name: pandas.Series(one.values, dtype=_dtype(one)) for one in table.columns})


def _dtype(column: Column) -> str:
    """Return the pandas type of a column: the nullable type if values are missing, else the plain type."""
    with_gaps = {str: "string", int: "Int64", float: "float64", bool: "boolean"}
    whole = {str: "string", int: "int64", float: "float64", bool: "bool"}
    return (with_gaps if None in column.values else whole)[column.kind]


def _polars(table: Table) -> Any:
    polars = import_package("polars")
    kinds = {str: polars.String, int: polars.Int64, float: polars.Float64, bool: polars.Boolean}
    return polars.DataFrame([polars.Series(one.name, one.values, kinds[one.kind]) for one in table.columns])


LIBRARIES: Mapping[str, Callable[[Table], Any]] = {"pandas": _pandas, "polars": _polars, "pyarrow": arrow}
"""Libraries of data frames by name."""


Record = Mapping[str, Cell]

_MEASURE: Mapping[str, Kind] = dict.fromkeys(("mean", "low", "high", "sd", "min", "max"), float)
_NAMED: Mapping[str, Kind] = {"section": str, "name": str}
_DIFFERENCE: Mapping[str, Kind] = {
    **dict.fromkeys(("difference", "difference_low", "difference_high"), float),
    **dict.fromkeys(("times", "times_low", "times_high", "chance", "detectable", "worth"), float),
    "beyond_chance": bool,
}


def _table(schema: Mapping[str, Kind], records: Sequence[Record]) -> Table:
    columns = (Column(name, kind, tuple(one.get(name) for one in records)) for name, kind in schema.items())
    return Table(tuple(columns))


# ---- figures ---------------------------------------------------------------------------------------------------------


def tabulate_account(game: Game, order: Order, found: Account) -> Table:
    """Return the figures of a series of one game."""
    edition, editions = _editions([game], order.seed)
    records = [{**editions[0], "games": found.games, **one} for one in _accounted(found)]
    return _table({**edition, "games": int, **_NAMED, "count": int, **_MEASURE}, records)


def _accounted(found: Account) -> Iterator[Record]:
    for side, won in found.wins.items():
        yield _shared("wins", side, won, found.games)
    for section in ("draws", "lost", "unfinished"):
        yield _shared(section, "", getattr(found, section), found.games)
    for side, measure in found.scores.items():
        yield {"section": "score", "name": side, **_measured(measure)}
    for name, measure in found.measures.items():
        yield {"section": "length", "name": name, **_measured(measure)}
    for section in SECTIONS:
        uses = {**found.uses[section], **dict.fromkeys(found.unused[section], 0)}
        for name, count in uses.items():
            yield {"section": section, "name": name, "count": count, "mean": count / found.games}


def _shared(section: str, name: str, count: int, games: int) -> Record:
    return {"section": section, "name": name, "count": count, **_measured(measure_share(count, games))}


def _measured(measure: Measure | None) -> dict[str, Cell]:
    return {name: getattr(measure, name, None) for name in _MEASURE}


def tabulate_match(game: Game, match: Match, found: Outcome) -> Table:
    """Return the figures of a match."""
    edition, editions = _editions([game], match.seed)
    a, b = match.kinds
    head = {**editions[0], "deals": found.deals, "games": found.games, "a": a, "b": b}
    records: list[Record] = [
        {"section": "wins", "name": "A", **_measured(found.wins), "even": found.even},
        {"section": "lead", "name": "A", **_measured(found.lead), "even": 0.0},
        *(_shared(section, "", getattr(found, section), found.games) for section in ("lost", "unfinished")),
    ]
    schema = {**edition, "deals": int, "games": int, "a": str, "b": str, **_NAMED, "count": int, **_MEASURE}
    return _table({**schema, "even": float}, [{**head, **one} for one in records])


def tabulate_comparison(games: Sequence[Game], plan: Plan, found: Comparison) -> Table:
    """Return the figures of several variants, variant by variant."""
    edition, editions = _editions(games, plan.seed)
    records = [
        {**editions[number], "games": found.games, **_compared(found, one, number)}
        for number in range(len(games))
        for one in found.figures
        if one.means[number] is not None
    ]
    return _table({**edition, "games": int, **_NAMED, **_MEASURE, **_DIFFERENCE}, records)


def _compared(found: Comparison, one: Figure, number: int) -> Record:
    section, name = one.name
    record = {"section": section, "name": name, **_measured(one.means[number])}
    paired = one.paired[number - 1] if number else None
    if paired is None:
        return record
    difference = {
        "difference": paired.difference.mean,
        "chance": paired.chance,
        "detectable": paired.seen,
        "worth": paired.worth,
    }
    ends = {"difference_low": paired.difference.low, "difference_high": paired.difference.high}
    ratio = paired.ratio
    times = {"times": ratio.times, "times_low": ratio.low, "times_high": ratio.high} if ratio is not None else {}
    return {**record, **difference, **ends, **times, "beyond_chance": one.name in found.beyond[number - 1]}


# ---- games -----------------------------------------------------------------------------------------------------------


def tabulate_games(games: Sequence[Game], seed: int, played: Sequence[Sequence[Tallies]]) -> Table:
    """Return a row for each game of each variant, by index."""
    heads = {"index": [[*range(len(some))] for some in played]}
    return _by_game(games, seed, played, heads)


def tabulate_deals(game: Game, match: Match, played: Sequence[Deal]) -> Table:
    """Return a row for each game of a match, by deal."""
    heads = {"index": [[index for index, deal in enumerate(played) for _ in deal]]}
    table = _by_game([game], match.seed, [[one for deal in played for one in deal]], heads)
    sides = Column("a_plays", str, tuple(side for deal in played for side, _ in zip(game.sides, deal, strict=True)))
    place = 1 + [column.name for column in table.columns].index("index")
    return Table((*table.columns[:place], sides, *table.columns[place:]))


def _by_game(
    games: Sequence[Game], seed: int, played: Sequence[Sequence[Tallies]], heads: Mapping[str, Sequence[Sequence[int]]]
) -> Table:
    schema, editions = _editions(games, seed)
    counts = [len(some) for some in played]
    columns = [_repeated(name, kind, [one.get(name) for one in editions], counts) for name, kind in schema.items()]
    columns += [Column(name, int, tuple(_row(values))) for name, values in heads.items()]
    columns.append(Column("over", bool, tuple(one.over for some in played for one in some)))
    won = (_winners(game, one) for game, some in zip(games, played, strict=True) for one in some)
    columns.append(Column("winners", str, tuple(won)))
    return Table((*columns, *_figures_by_game(games, played, counts)))


def _figures_by_game(
    games: Sequence[Game], played: Sequence[Sequence[Tallies]], counts: Sequence[int]
) -> Iterator[Column]:
    """Yield a column for each figure of a game; None where a variant lacks it."""
    each = [dict(list_figures(game)) for game in games]
    for name in dict.fromkeys(name for found in each for name in found):
        kind, values = _kind_of(*name), list[Cell]()
        for found, some, count in zip(each, played, counts, strict=True):
            values += [kind(found[name](one)) for one in some] if name in found else [None] * count
        yield Column(".".join(filter(None, name)), kind, tuple(values))


def _kind_of(section: str, name: str) -> Kind:
    is_mean = section == "wins" or (section == "length" and LENGTHS[name].is_ratio)
    return float if is_mean else int


def _winners(game: Game, one: Tallies) -> str:
    return ",".join(side for side, won in zip(game.sides, one.wins, strict=True) if won)


# ---- variants --------------------------------------------------------------------------------------------------------


def _editions(games: Sequence[Game], seed: int) -> tuple[dict[str, Kind], list[dict[str, Cell]]]:
    """Return the columns that identify a variant, and their values for each."""
    names = list(dict.fromkeys(name for game in games for name in game.compiled.set_options))
    options = {name: [game.options.get(name) for game in games] for name in names}
    kinds = {name: _common(values) for name, values in options.items()}
    schema: dict[str, Kind] = {"edition": int, "game": str, **{f"option.{n}": k for n, k in kinds.items()}, "seed": int}
    records: list[dict[str, Cell]] = []
    for number, game in enumerate(games):
        values = {f"option.{n}": _as(options[n][number], kinds[n]) for n in names}
        records.append({"edition": number + 1, "game": game.name, **values, "seed": seed})
    return schema, records


def _common(values: Sequence[Any]) -> Kind:
    """Return the type of the values other than None, or str if they have several types."""
    kinds = {type(value) for value in values if value is not None}
    return kinds.pop() if len(kinds) == 1 else str


def _as(value: Any, kind: Kind) -> Cell:
    return value if value is None or type(value) is kind else str(value)


def _repeated(name: str, kind: Kind, values: Sequence[Cell], counts: Sequence[int]) -> Column:
    return Column(name, kind, tuple(_row([value] * count for value, count in zip(values, counts, strict=True))))


def _row(parts: Any) -> Iterator[Any]:
    return (value for part in parts for value in part)
