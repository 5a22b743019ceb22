"""Options of commands that play series: processes, kept results, progress, and the form of the report."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from hoyle.cli import output
from hoyle.cli.files import check_writable, write
from hoyle.cli.options import (
    FileName,
    OneOf,
    Text,
    WholeNumber,
    choose_seed,
    engine_option,
    json_option,
    lang_option,
    report_engine_warnings,
    seed_option,
    set_option,
)
from hoyle.cli.output import note, progress
from hoyle.cli.shell import INTERRUPTED, option
from hoyle.diagnostics import localize
from hoyle.presentation.catalogue import UserError, lang, t
from hoyle.presentation.players import make_workers

if TYPE_CHECKING:
    from hoyle.presentation.series.results import SeriesReport
    from hoyle.series.plots import Plot
    from hoyle.series.result_file import Header, ResultFile, ResultFormat
    from hoyle.series.workers import Tick


_FORMS = ("text", "json", "csv", "parquet")
_TABLES = ("csv", "parquet")
_PLOTS = ("svg", "png")
_OPTIONS = (
    option("--format", "series_form", type=OneOf(*_FORMS)),
    json_option,
    option("--rows", type=OneOf("figures", "games"), default="figures"),
    option("--out", type=FileName()),
    option("--plot", type=FileName()),
)


class ReportOutput(Struct, frozen=True):
    """Format and destination of a report. `rows` chooses the table, figures or games; `out` and `plot` are files."""

    form: str
    rows: str
    out: str | None
    plot: str | None

    def write(self, report: SeriesReport, code: int) -> None:
        """Write the report. An interrupted series goes to standard output, as text if the form is binary."""
        form = "text" if code and self.form == "parquet" else self.form
        write("-" if code or self.out is None else self.out, self._format(report, form))
        if self.plot is not None and not code:
            write(self.plot, _draw_plot(report.plot(), _get_extension(self.plot)))
        if code:
            for name in filter(None, (self.out, self.plot)):
                note(t("outlet.not_written", name=name))

    def _format(self, report: SeriesReport, form: str) -> str | bytes:
        if form not in _TABLES:
            return f"{report.json() if form == 'json' else report.text()}\n"
        from hoyle.series.tables import write_csv, write_parquet

        table = report.games() if self.rows == "games" else report.figures()
        return write_parquet(table) if form == "parquet" else write_csv(table)


def output_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the output options. The command gets an `outlet`, which is checked before games are played."""

    @wraps(function)
    def call(
        *given: Any, series_form: str | None, as_json: bool, rows: str, out: str | None, plot: str | None, **more: Any
    ) -> Any:
        form = "json" if as_json else series_form or _find_form(out)
        return function(*given, outlet=_check_output(ReportOutput(form, rows, out, plot)), **more)

    found: Callable[..., Any] = call
    for one in reversed(_OPTIONS):
        found = one(found)
    return found


def _find_form(out: str | None) -> str:
    """Return the form that a file name implies, else text."""
    ending = _get_extension(out or "")
    return ending if ending in _FORMS else "text"


def _get_extension(name: str) -> str:
    return os.path.splitext(name)[1][1:].lower()


def _check_output(outlet: ReportOutput) -> ReportOutput:
    """Raises UserError if options conflict or a package is missing."""
    if outlet.rows == "games" and outlet.form not in _TABLES:
        raise UserError(t("outlet.rows_of_tables"), code=2)
    if outlet.plot is not None and _get_extension(outlet.plot) not in _PLOTS:
        raise UserError(t("outlet.no_plot", name=outlet.plot), code=2)
    if outlet.form == "parquet":
        _require("pyarrow.parquet", "parquet")
        if outlet.out in (None, "-") and sys.stdout is not None and sys.stdout.isatty():
            raise UserError(t("file.no_text"), code=2)
    if outlet.plot is not None:
        _require("matplotlib.figure", "plot")
    for name in filter(None, (outlet.out, outlet.plot)):
        check_writable(name)
    return outlet


def _require(module: str, extra: str) -> None:
    from hoyle.series.tables import Missing, import_package

    try:
        import_package(module, f"hoyle[{extra}]")
    except Missing as missing:
        raise UserError(localize(missing.message, lang()), code=2) from None


def _draw_plot(plot: Plot, ending: str) -> bytes:
    from hoyle.series.plots import draw_plot

    return draw_plot(plot, "png" if ending == "png" else "svg")


jobs_option = option("--jobs", "-j", type=WholeNumber(1), default=1)
cluster_option = option("--cluster", type=Text("address"))
keep_option = option("--keep", type=FileName())


def series_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for what is played, with how many processes, and where results go."""
    return set_option(run_options(function))


def run_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options of `series_options` except `--set`."""
    return seed_option(workers_options(engine_option(output_options(lang_option(function)))))


def workers_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add `--jobs`, `--cluster` and `--keep`; the command gets `workers` and `keep`."""

    @wraps(function)
    def with_workers(*, jobs: int, cluster: str | None, **others: Any) -> Any:
        return function(workers=make_workers(jobs, cluster), **others)

    return jobs_option(cluster_option(keep_option(with_workers)))


def choose_series_seed(given: int | None, keep: str | None) -> int:
    """Return the given seed, else the seed of the kept series, else a random seed."""
    from hoyle.series.result_file import read_seed

    return choose_seed(read_seed(keep) if given is None and keep is not None else given)


@contextmanager
def open_kept(
    keep: str | None, head: Callable[[], Header], form: ResultFormat[Any]
) -> Iterator[ResultFile[Any] | None]:
    """Open the file of kept results; None if no file is given. Raises Refused."""
    if keep is None:
        yield None
        return
    from hoyle.series.result_file import ResultFile

    with report_engine_warnings():
        found = head()
    with ResultFile(keep, found, form) as kept:
        if kept.found:
            output.note(t("keep.goes_on_with", file=keep))
        yield kept


def play_through(
    wanted: int,
    done: Sequence[object],
    work: Callable[[Tick], object],
    kept: ResultFile[Any] | None = None,
    size: Callable[[Any], int] = lambda result: 1,
) -> int:
    """Play all with a progress bar and return the exit code.

    Ctrl-C ends the series, or the command if nothing is done. `size` counts the games of a kept result.

    """
    before = sum(map(size, kept.found)) if kept is not None else 0
    with report_engine_warnings(), progress(t("simulate.working"), wanted, before) as tick:
        try:
            work(tick)
            return 0
        except KeyboardInterrupt:
            if not done:
                raise
    note_stop(kept)
    return INTERRUPTED


def note_stop(kept: ResultFile[Any] | None) -> None:
    """Print that the series was stopped and how to continue it."""
    output.note_stop()
    if kept is not None:
        output.note(t("keep.goes_on", file=kept.name))
