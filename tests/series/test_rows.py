"""Tables of series: their figures are those of the games, and every form has the same."""

import csv
import io
import math
import statistics
from collections import Counter
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from rules import gathering_at

from hoyle.game.game import Game
from hoyle.running.outcomes import Tallies
from hoyle.series import tables as series_tables
from hoyle.series.comparison import Comparison, compare_series
from hoyle.series.match import Deal, Match, play_match, summarize_match
from hoyle.series.simulate import SECTIONS, Account, Chunk, Order, join_chunks, load_traced, play_series, summarize
from hoyle.series.tables import Cell, Column, Table, write_csv, write_parquet
from hoyle.series.variants import Plan, Variant, load_games, play_plan

GAMES = 20
OTHER = {"game: gathering": "game: spending", "options: {gain: {range: 1..3, default: 2, en: gain}, ": "options: {"}
OTHER |= {"gain * rounds": "rounds", "score: gain": "score: 2", "take much": "spend", "Take much": "Spend"}


@cache
def simulated(name: str) -> tuple[Game, Order, Chunk, Account]:
    order = Order(name, (), 3, (), "python")
    game = load_traced(order)
    chunk = play_series(game, order, GAMES)
    return game, order, chunk, summarize(game, chunk)


@cache
def editions() -> tuple[list[Game], Plan, list[list[Tallies]], Comparison]:
    with TemporaryDirectory() as one, TemporaryDirectory() as other:
        name = gathering_at(Path(one))
        first = Variant(gathering_at(Path(other), OTHER), (("players", 4),))
        plan = Plan((first, Variant(name), Variant(name, (("gain", 3),))), 6, 3, engine="python")
        chunks, games = play_plan(plan), [game for game, _ in load_games(plan)]
    return games, plan, [join_chunks(some)[0] for some in chunks], compare_series(games, chunks)


@cache
def met() -> tuple[Game, Match, list[Deal]]:
    with TemporaryDirectory() as folder:
        name = gathering_at(Path(folder))
        game, match = load_traced(Order(name, (), 3)), Match(name, (), 3, ("first", "random"), "python")
    return game, match, play_match(game, match, 4)


def tables() -> dict[str, Table]:
    game, order, (played, _), found = simulated("grabuge")
    games, plan, each, comparison = editions()
    of_match, match, deals = met()
    return {
        "account": series_tables.tabulate_account(game, order, found),
        "games": series_tables.tabulate_games([game], order.seed, [played]),
        "comparison": series_tables.tabulate_comparison(games, plan, comparison),
        "games of editions": series_tables.tabulate_games(games, plan.seed, each),
        "match": series_tables.tabulate_match(of_match, match, summarize_match(deals)),
        "games of a match": series_tables.tabulate_deals(of_match, match, deals),
    }


def column(table: Table, name: str) -> Column:
    return next(one for one in table.columns if one.name == name)


@pytest.mark.whole
@pytest.mark.parametrize(
    "name", ["grabuge", *(pytest.param(n, marks=pytest.mark.slow) for n in ("klondike", "spades"))]
)
def test_figures_are_the_means_of_the_games(name: str) -> None:
    game, order, (played, _), found = simulated(name)
    figures, games = (
        series_tables.tabulate_account(game, order, found),
        series_tables.tabulate_games([game], order.seed, [played]),
    )
    data, counted = found.data(), Counter[str]()
    for one in figures.records():
        section, name = str(one["section"]), str(one["name"])
        own = ".".join(filter(None, (section, name)))
        counted[section] += 1
        if own in [column.name for column in games.columns] and section != "wins":
            assert one["mean"] == pytest.approx(statistics.fmean(map(_number, column(games, own).values))), own
        if section in SECTIONS:
            assert one["count"] == data["uses"][section].get(name, 0)
            assert _number(one["mean"]) * GAMES == pytest.approx(_number(one["count"]))
        elif section in ("draws", "lost"):
            assert one["count"] == data[section]["games"]
        elif section in ("wins", "score", "length"):
            told = data[name] if section == "length" else data["scores" if section == "score" else section][name]
            assert [one[k] for k in ("mean", "low", "high")] == pytest.approx(
                [told[k] for k in ("mean", "low", "high")], abs=1e-6
            )
    assert all(counted[s] == len(data["uses"][s]) + len(data["unused"][s]) for s in SECTIONS)
    assert (counted["wins"], counted["score"], counted["length"]) == (len(game.sides), len(game.sides), 6)
    won = [record["winners"] for record in games.records()]
    assert won == [",".join(s for s, w in zip(game.sides, one.wins, strict=True) if w) for one in played]
    assert column(games, "index").values == tuple(range(GAMES))


def _number(cell: Cell) -> float:
    assert isinstance(cell, int | float)
    return cell


@pytest.mark.whole
def test_editions_are_told_apart_and_missing_values_are_empty() -> None:
    games, plan, each, found = editions()
    figures, by_game = (
        series_tables.tabulate_comparison(games, plan, found),
        series_tables.tabulate_games(games, plan.seed, each),
    )
    first, *others = ([one for one in figures.records() if one["edition"] == n] for n in (1, 2, 3))
    assert [one["option.gain"] for one in (first[0], others[0][0], others[1][0])] == [None, 2, 3]
    assert all(one["difference"] is None and one["beyond_chance"] is None for one in first)
    assert {one["name"] for one in first if one["section"] == "wins"} == {"A", "B", "C", "D"}
    missing = set()
    for number, some in enumerate(others, 1):
        for one in some:
            figure = found.figure((str(one["section"]), str(one["name"])))
            paired = figure.paired[number - 1]
            assert (one["difference"] is None) == (paired is None)
            assert paired is None or one["difference"] == paired.difference.mean
            assert one["beyond_chance"] in (None, figure.name in found.beyond[number - 1])
            missing.add(paired is None)
    assert missing == {True, False}
    assert column(by_game, "score.D").values[6:] == (None,) * 12 and None not in column(by_game, "score.D").values[:6]
    assert column(by_game, "edition").values == (1,) * 6 + (2,) * 6 + (3,) * 6
    assert column(by_game, "index").values == (*range(6),) * 3


def test_match_has_a_row_for_each_of_its_games() -> None:
    game, match, deals = met()
    table, found = series_tables.tabulate_deals(game, match, deals), summarize_match(deals)
    records = table.records()
    assert [(one["index"], one["a_plays"]) for one in records] == [(n, side) for n in range(4) for side in "AB"]
    assert statistics.fmean(_number(one[f"wins.{one['a_plays']}"]) for one in records) == found.wins.mean
    wins, lead, *_ = series_tables.tabulate_match(game, match, found).records()
    assert (wins["section"], wins["mean"], wins["even"]) == ("wins", found.wins.mean, 0.5)
    assert (lead["section"], lead["low"], lead["a"], lead["b"]) == ("lead", found.lead.low, "first", "random")


# ---- forms -----------------------------------------------------------------------------------------------------------


@pytest.mark.whole
@pytest.mark.parametrize(
    "form", ["csv", "pyarrow", "parquet", *(pytest.param(one, marks=pytest.mark.slow) for one in ("pandas", "polars"))]
)
def test_every_form_has_the_same(form: str) -> None:
    for name, table in tables().items():
        heads, cells = read(table, form)
        assert heads == [column.name for column in table.columns], name
        for number, column in enumerate(table.columns):
            assert [row[number] for row in cells] == [*column.values], (name, column.name)


def read(table: Table, form: str) -> tuple[list[str], list[list[Any]]]:
    """Read a table from that form; missing values are None."""
    if form == "csv":
        heads, *lines = csv.reader(io.StringIO(write_csv(table)))
        kinds = [column.kind for column in table.columns]
        return heads, [[_read(cell, kind) for cell, kind in zip(line, kinds, strict=True)] for line in lines]
    if form == "parquet":
        import pyarrow.parquet

        written = write_parquet(table)
        assert written == write_parquet(table)
        found = pyarrow.parquet.read_table(io.BytesIO(written))
    else:
        found = table.frame(form)
    if form == "pandas":
        return [*found.columns], [
            [None if _lacks(cell) else cell for cell in row] for row in found.itertuples(index=False)
        ]
    if form == "polars":
        return found.columns, [[*row] for row in found.rows()]
    return found.column_names, [[*row.values()] for row in found.to_pylist()]


def _read(cell: str, kind: type) -> Any:
    if kind is bool:
        return {"true": True, "false": False, "": None}[cell]
    return cell if kind is str else kind(cell) if cell else None


def _lacks(cell: Any) -> bool:
    import pandas

    return cell is pandas.NA or (isinstance(cell, float) and math.isnan(cell))


def test_unknown_library_is_refused() -> None:
    with pytest.raises(ValueError, match="`excel` makes no frames here; pandas, polars, pyarrow do"):
        series_tables.tabulate_match(*met()[:2], summarize_match(met()[2])).frame("excel")
