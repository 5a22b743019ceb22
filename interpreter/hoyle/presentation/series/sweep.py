"""All combinations of some options of a game, a row each: figures with their intervals, and what is beyond chance."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Diagnostic
from hoyle.game.game import Game
from hoyle.presentation.catalogue import figure, lang, t
from hoyle.presentation.files import as_json
from hoyle.presentation.players import warned
from hoyle.presentation.series import plots
from hoyle.presentation.series.comparison import PlayedEditions, as_data, cut_off, interrupted, players, shown, words_of
from hoyle.presentation.series.results import SeriesReport
from hoyle.presentation.terminal import WIDTH, columns
from hoyle.printable import printable_lines
from hoyle.running.outcomes import Tallies
from hoyle.series import tables as series_tables
from hoyle.series.comparison import SHARED, Comparison, Figure
from hoyle.series.plots import Plot
from hoyle.series.tables import Part, html
from hoyle.series.variants import Edition, Grid, Plan

SECTIONS = (*SHARED, "score", "length")
"""Of which sections figures have a column, in this order."""
LENGTHS = ("decisions", "branching")
"""Figures of how long games are that have a column."""
COLUMN = 12
"""How wide the head of a column may be."""


def report_sweep(plan: Plan, done: PlayedEditions, grid: Grid) -> SeriesReport:
    told = SweepReport(plan, done.games, grid, done.comparison)
    return SeriesReport(
        text=lambda: "\n".join(lines(told)),
        json=lambda: as_json("sweep", told.data()),
        figures=lambda: series_tables.of_comparison(done.games, plan, done.comparison),
        games=lambda: series_tables.of_games(done.games, plan.seed, done.played),
        plot=lambda: plot(told, done.played),
        page=lambda: page(told),
    )


class SweepReport(Struct, frozen=True):
    """What was played, the editions as they were opened, the combinations, and what came out."""

    plan: Plan
    games: tuple[Game, ...]
    grid: Grid
    found: Comparison

    def data(self) -> dict[str, Any]:
        axes = {name: [*values] for name, values in self.grid.axes}
        excluded = [{"options": dict(one.options), "why": _why(reason)} for one, reason in self.grid.excluded]
        return {**as_data(self.plan, self.games, self.found), "grid": axes, "excluded": excluded}


def lines(told: SweepReport) -> Iterator[str]:
    plan = told.plan
    yield _title(told)
    yield from interrupted(plan, told.found)
    yield from warned([*plan.kinds, plan.usual])
    for block in _blocks(told):
        yield from ["", *block]
    yield ""
    for sentence in _notes(told):
        yield from textwrap.wrap(sentence, WIDTH, break_on_hyphens=False, subsequent_indent="  ")


def _title(told: SweepReport) -> str:
    counts = {"count": len(told.games), "games": told.found.games, "seed": told.plan.seed}
    return t("sweep.title", game=told.games[0].title(lang()), seats=players(told.plan), **counts)


def plot(told: SweepReport, played: Sequence[Sequence[Tallies]]) -> Plot:
    """The figures of the table, a row for each combination; see `plots`."""
    names = [_called(one) for one in told.grid.editions]
    return plots.means(_title(told), names, words_of(told.games), _figures(told), told.found.beyond)


def page(told: SweepReport) -> str:
    """As HTML: one table of all figures that have a column."""
    figures, words = _figures(told), words_of(told.games)
    heads = ("", *(words[one.name] for one in figures))
    names = (_called(one) for one in told.grid.editions)
    rows = tuple((name, *map(str.strip, cells)) for name, cells in zip(names, _cells(told, figures), strict=True))
    return html(_title(told), [Part("", heads, rows, tuple(_notes(told)))])


def _notes(told: SweepReport) -> Iterator[str]:
    yield t("sweep.intervals")
    if any(told.found.beyond):
        yield t("sweep.star", first=_called(told.grid.editions[0]))
    for number, edition in enumerate(told.grid.editions):
        yield from cut_off(told.found, number, _called(edition))
    for edition, reason in told.grid.excluded:
        yield t("sweep.excluded", options=_called(edition), why=_why(reason))


def _why(reason: Diagnostic) -> str:
    return printable_lines(reason.in_language(lang()).message)


def _called(edition: Edition) -> str:
    return ", ".join(f"{name}={_value(value)}" for name, value in edition.options)


def _value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# ---- the table -------------------------------------------------------------------------------------------------------


def _blocks(told: SweepReport) -> Iterator[list[str]]:
    """The table, as many figures beside each other as there is room for."""
    axes = [[name for name, _ in told.grid.axes], *([_value(v) for _, v in one.options] for one in told.grid.editions)]
    figures, words = _figures(told), words_of(told.games)
    heads = [textwrap.wrap(words[one.name], COLUMN) for one in figures]
    rows = _cells(told, figures)
    wide = [max(map(len, [*head, *(row[n] for row in rows)])) for n, head in enumerate(heads)]
    for some in _fitting(wide, WIDTH - sum(max(map(len, column)) + 2 for column in zip(*axes, strict=True)) - 2):
        yield _block(axes, [heads[n] for n in some], [[row[n] for n in some] for row in rows])


def _fitting(wide: Sequence[int], room: int) -> list[list[int]]:
    """Which columns stand beside each other."""
    found: list[list[int]] = [[]]
    for number, own in enumerate(wide):
        if found[-1] and sum(wide[n] + 2 for n in found[-1]) + own > room:
            found.append([])
        found[-1].append(number)
    return found


def _block(axes: Sequence[Sequence[str]], heads: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]) -> list[str]:
    """Heads of several lines end where the figures begin."""
    high, (names, *values) = max(map(len, heads)), axes
    above = [[""] * (high - len(head)) + [*head] for head in heads]
    lines = [
        [*(names if n == high - 1 else [""] * len(names)), *(f"{head[n]} " for head in above)] for n in range(high)
    ]
    lines += [[*own, *row] for own, row in zip(values, rows, strict=True)]
    return columns(lines, [0] * len(lines[0]), "<" * len(names) + ">" * len(heads))


def _figures(told: SweepReport) -> list[Figure]:
    """Those that a table of all is about: who wins, what is scored, how long it takes."""
    found = [one for one in told.found.figures if _is_told(one)]
    return sorted(found, key=lambda one: SECTIONS.index(one.name[0]))


def _is_told(one: Figure) -> bool:
    section, name = one.name
    if section == "length":
        return name in LENGTHS
    return section in SECTIONS and any(mean is not None and mean.max > 0 for mean in one.means)


def _cells(told: SweepReport, figures: Sequence[Figure]) -> list[list[str]]:
    return [[_cell(told, one, number) for one in figures] for number in range(len(told.games))]


def _cell(told: SweepReport, one: Figure, number: int) -> str:
    """A mean, its interval (of a share from end to end, since it need not lie evenly about it), and a star where it is not that of the first row."""
    mean = one.means[number]
    if mean is None:
        return "– "
    ends = f"[{figure(100 * mean.low, 1)}–{figure(100 * mean.high, 1)}]"
    within = ends if one.name[0] in SHARED else f"±{figure(max(mean.high - mean.mean, mean.mean - mean.low))}"
    is_beyond = number > 0 and one.name in told.found.beyond[number - 1]
    return f"{shown(one.name)(mean.mean)} {within}{'*' if is_beyond else ' '}"
