"""The report of `hoyle sweep`: a row for each combination of options."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Diagnostic
from hoyle.game.game import Game
from hoyle.presentation.catalogue import format_number, lang, t
from hoyle.presentation.files import as_json
from hoyle.presentation.players import warn_of_clock
from hoyle.presentation.series import plots
from hoyle.presentation.series.comparison import (
    PlayedEditions,
    get_format,
    make_figures_data,
    name_figures,
    name_players,
    note_interruption,
    note_unfinished,
)
from hoyle.presentation.series.results import SeriesReport
from hoyle.presentation.terminal import WIDTH, format_columns
from hoyle.printable import printable_lines
from hoyle.running.outcomes import Tallies
from hoyle.series import tables as series_tables
from hoyle.series.comparison import PROPORTIONS, Comparison, Figure
from hoyle.series.plots import Plot
from hoyle.series.tables import Part, render_html
from hoyle.series.variants import Grid, Plan, Variant

SECTIONS = (*PROPORTIONS, "score", "length")
"""Sections whose figures have a column, in this order."""
LENGTHS = ("decisions", "branching")
"""Measures of length that have a column."""
COLUMN = 12
"""Maximum width of a column's heading."""


def report_sweep(plan: Plan, done: PlayedEditions, grid: Grid) -> SeriesReport:
    report = SweepReport(plan, done.games, grid, done.comparison)
    return SeriesReport(
        text=lambda: "\n".join(format_lines(report)),
        json=lambda: as_json("sweep", report.data()),
        figures=lambda: series_tables.tabulate_comparison(done.games, plan, done.comparison),
        games=lambda: series_tables.tabulate_games(done.games, plan.seed, done.played),
        plot=lambda: make_plot(report, done.played),
        page=lambda: render_page(report),
    )


class SweepReport(Struct, frozen=True):
    """Opened editions, the combinations, and the figures."""

    plan: Plan
    games: tuple[Game, ...]
    grid: Grid
    found: Comparison

    def data(self) -> dict[str, Any]:
        axes = {name: [*values] for name, values in self.grid.axes}
        excluded = [
            {"options": dict(one.options), "why": _explain_exclusion(reason)} for one, reason in self.grid.excluded
        ]
        return {**make_figures_data(self.plan, self.games, self.found), "grid": axes, "excluded": excluded}


def format_lines(report: SweepReport) -> Iterator[str]:
    plan = report.plan
    yield _make_title(report)
    yield from note_interruption(plan, report.found)
    yield from warn_of_clock([*plan.kinds, plan.usual])
    for block in _make_blocks(report):
        yield from ["", *block]
    yield ""
    for sentence in _list_notes(report):
        yield from textwrap.wrap(sentence, WIDTH, break_on_hyphens=False, subsequent_indent="  ")


def _make_title(report: SweepReport) -> str:
    counts = {"count": len(report.games), "games": report.found.games, "seed": report.plan.seed}
    return t("sweep.title", game=report.games[0].title(lang()), seats=name_players(report.plan), **counts)


def make_plot(report: SweepReport, played: Sequence[Sequence[Tallies]]) -> Plot:
    names = [_name_edition(one) for one in report.grid.editions]
    return plots.plot_means(
        _make_title(report), names, name_figures(report.games), _choose_figures(report), report.found.beyond
    )


def render_page(report: SweepReport) -> str:
    figures, words = _choose_figures(report), name_figures(report.games)
    heads = ("", *(words[one.name] for one in figures))
    names = (_name_edition(one) for one in report.grid.editions)
    rows = tuple(
        (name, *map(str.strip, cells)) for name, cells in zip(names, _make_cells(report, figures), strict=True)
    )
    return render_html(_make_title(report), [Part("", heads, rows, tuple(_list_notes(report)))])


def _list_notes(report: SweepReport) -> Iterator[str]:
    yield t("sweep.intervals")
    if any(report.found.beyond):
        yield t("sweep.star", first=_name_edition(report.grid.editions[0]))
    for number, edition in enumerate(report.grid.editions):
        yield from note_unfinished(report.found, number, _name_edition(edition))
    for edition, reason in report.grid.excluded:
        yield t("sweep.excluded", options=_name_edition(edition), why=_explain_exclusion(reason))


def _explain_exclusion(reason: Diagnostic) -> str:
    return printable_lines(reason.in_language(lang()).message)


def _name_edition(edition: Variant) -> str:
    return ", ".join(f"{name}={_format_value(value)}" for name, value in edition.options)


def _format_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# ---- the table -------------------------------------------------------------------------------------------------------


def _make_blocks(report: SweepReport) -> Iterator[list[str]]:
    """Yield blocks of columns that fit the width."""
    axes = [
        [name for name, _ in report.grid.axes],
        *([_format_value(v) for _, v in one.options] for one in report.grid.editions),
    ]
    figures, words = _choose_figures(report), name_figures(report.games)
    heads = [textwrap.wrap(words[one.name], COLUMN) for one in figures]
    rows = _make_cells(report, figures)
    wide = [max(map(len, [*head, *(row[n] for row in rows)])) for n, head in enumerate(heads)]
    for some in _split_columns(wide, WIDTH - sum(max(map(len, column)) + 2 for column in zip(*axes, strict=True)) - 2):
        yield _format_block(axes, [heads[n] for n in some], [[row[n] for n in some] for row in rows])


def _split_columns(wide: Sequence[int], room: int) -> list[list[int]]:
    found: list[list[int]] = [[]]
    for number, own in enumerate(wide):
        if found[-1] and sum(wide[n] + 2 for n in found[-1]) + own > room:
            found.append([])
        found[-1].append(number)
    return found


def _format_block(
    axes: Sequence[Sequence[str]], heads: Sequence[Sequence[str]], rows: Sequence[Sequence[str]]
) -> list[str]:
    """Headings of several lines are aligned at the bottom."""
    high, (names, *values) = max(map(len, heads)), axes
    above = [[""] * (high - len(head)) + [*head] for head in heads]
    lines = [
        [*(names if n == high - 1 else [""] * len(names)), *(f"{head[n]} " for head in above)] for n in range(high)
    ]
    lines += [[*own, *row] for own, row in zip(values, rows, strict=True)]
    return format_columns(lines, [0] * len(lines[0]), "<" * len(names) + ">" * len(heads))


def _choose_figures(report: SweepReport) -> list[Figure]:
    found = [one for one in report.found.figures if _is_shown(one)]
    return sorted(found, key=lambda one: SECTIONS.index(one.name[0]))


def _is_shown(figure: Figure) -> bool:
    section, name = figure.name
    if section == "length":
        return name in LENGTHS
    return section in SECTIONS and any(mean is not None and mean.max > 0 for mean in figure.means)


def _make_cells(report: SweepReport, figures: Sequence[Figure]) -> list[list[str]]:
    return [[_make_cell(report, one, number) for one in figures] for number in range(len(report.games))]


def _make_cell(report: SweepReport, figure: Figure, number: int) -> str:
    """Return a mean, its interval, and a star if it differs from the first row. Shares have asymmetric intervals."""
    mean = figure.means[number]
    if mean is None:
        return "– "
    ends = f"[{format_number(100 * mean.low, 1)}–{format_number(100 * mean.high, 1)}]"
    within = (
        ends if figure.name[0] in PROPORTIONS else f"±{format_number(max(mean.high - mean.mean, mean.mean - mean.low))}"
    )
    is_beyond = number > 0 and figure.name in report.found.beyond[number - 1]
    return f"{get_format(figure.name)(mean.mean)} {within}{'*' if is_beyond else ' '}"
