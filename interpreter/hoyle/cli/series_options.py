"""What commands that play a series have in common: options, its progress, what Ctrl-C leaves, where its outcome goes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from hoyle.cli import output
from hoyle.cli.files import can_be_written, write
from hoyle.cli.options import (
    File,
    OneOf,
    Whole,
    Word,
    engine_option,
    json_option,
    lang_option,
    seed_option,
    set_option,
    some_seed,
    telling_of_engines,
)
from hoyle.cli.output import note, progress
from hoyle.cli.shell import INTERRUPTED, option
from hoyle.diagnostics import told
from hoyle.presentation.catalogue import UserError, lang, t
from hoyle.presentation.players import make_workers
from hoyle.presentation.series.results import SeriesReport

if TYPE_CHECKING:
    from hoyle.series.plots import Plot
    from hoyle.series.result_file import Form, Head, Kept
    from hoyle.series.workers import Tick


_FORMS = ("text", "json", "csv", "parquet")
_TABLES = ("csv", "parquet")
_PLOTS = ("svg", "png")
_OPTIONS = (
    option("--format", "series_form", type=OneOf(*_FORMS)),
    json_option,
    option("--rows", type=OneOf("figures", "games"), default="figures"),
    option("--out", type=File()),
    option("--plot", type=File()),
)


class Outlet(Struct, frozen=True):
    """`rows`: what there is a row for in a table, figures or games; `out` and `plot`: files."""

    form: str
    rows: str
    out: str | None
    plot: str | None

    def tell(self, found: SeriesReport, code: int) -> None:
        """Files are for a whole series: where it was stopped, what was played goes to standard output, as text if it cannot be read otherwise."""
        form = "text" if code and self.form == "parquet" else self.form
        write("-" if code or self.out is None else self.out, self._told(found, form))
        if self.plot is not None and not code:
            write(self.plot, _plotted(found.plot(), _ending(self.plot)))
        if code:
            for name in filter(None, (self.out, self.plot)):
                note(t("outlet.not_written", name=name))

    def _told(self, found: SeriesReport, form: str) -> str | bytes:
        if form not in _TABLES:
            return f"{found.json() if form == 'json' else found.text()}\n"
        from hoyle.series.tables import as_csv, parquet

        table = found.games() if self.rows == "games" else found.figures()
        return parquet(table) if form == "parquet" else as_csv(table)


def outlet_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The command gets an `outlet` that has what it needs, before anything is played."""

    @wraps(function)
    def call(
        *given: Any, series_form: str | None, as_json: bool, rows: str, out: str | None, plot: str | None, **more: Any
    ) -> Any:
        form = "json" if as_json else series_form or _form_of(out)
        return function(*given, outlet=_ready(Outlet(form, rows, out, plot)), **more)

    found: Callable[..., Any] = call
    for one in reversed(_OPTIONS):
        found = one(found)
    return found


def _form_of(out: str | None) -> str:
    """What the end of a file's name says, else text."""
    ending = _ending(out or "")
    return ending if ending in _FORMS else "text"


def _ending(name: str) -> str:
    return os.path.splitext(name)[1][1:].lower()


def _ready(outlet: Outlet) -> Outlet:
    """Raises UserError if something is not there, or does not go together."""
    if outlet.rows == "games" and outlet.form not in _TABLES:
        raise UserError(t("outlet.rows_of_tables"), code=2)
    if outlet.plot is not None and _ending(outlet.plot) not in _PLOTS:
        raise UserError(t("outlet.no_plot", name=outlet.plot), code=2)
    if outlet.form == "parquet":
        _there("pyarrow.parquet", "parquet")
        if outlet.out in (None, "-") and sys.stdout is not None and sys.stdout.isatty():
            raise UserError(t("file.no_text"), code=2)
    if outlet.plot is not None:
        _there("matplotlib.figure", "plot")
    for name in filter(None, (outlet.out, outlet.plot)):
        can_be_written(name)
    return outlet


def _there(module: str, extra: str) -> None:
    from hoyle.series.tables import Missing, needed

    try:
        needed(module, f"hoyle[{extra}]")
    except Missing as missing:
        raise UserError(told(missing.said, lang()), code=2) from None


def _plotted(plot: Plot, ending: str) -> bytes:
    from hoyle.series.plots import drawn

    return drawn(plot, "png" if ending == "png" else "svg")


jobs_option = option("--jobs", "-j", type=Whole(1), default=1)
cluster_option = option("--cluster", type=Word("address"))
keep_option = option("--keep", type=File())


def series_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """What is played, by how many processes, where what is done is kept, and where the outcome goes."""
    return set_option(run_options(function))


def run_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same, where it is said otherwise what is played."""
    return seed_option(workers_options(engine_option(outlet_options(lang_option(function)))))


def workers_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Who does the work, given to the command as `workers`, and where it is kept."""

    @wraps(function)
    def with_workers(*, jobs: int, cluster: str | None, **others: Any) -> Any:
        return function(workers=make_workers(jobs, cluster), **others)

    return jobs_option(cluster_option(keep_option(with_workers)))


def seed_for(given: int | None, keep: str | None) -> int:
    """The seed given, or that of the series which goes on, or a new one."""
    from hoyle.series.result_file import seed_of

    return some_seed(seed_of(keep) if given is None and keep is not None else given)


@contextmanager
def keeping(keep: str | None, head: Callable[[], Head], form: Form[Any]) -> Iterator[Kept[Any] | None]:
    """The file in which what is done is kept, if one is wanted. Raises Refused."""
    if keep is None:
        yield None
        return
    from hoyle.series.result_file import Kept

    with telling_of_engines():
        found = head()
    with Kept(keep, found, form) as kept:
        if kept.found:
            output.note(t("keep.goes_on_with", file=keep))
        yield kept


def play_through(
    wanted: int,
    done: Sequence[object],
    work: Callable[[Tick], object],
    kept: Kept[Any] | None = None,
    size: Callable[[Any], int] = lambda result: 1,
) -> int:
    """Plays all, with a bar on a terminal, and adds what is played to `done`; the exit code. Ctrl-C ends it, and everything if nothing was done. `size`: how many
    of those wanted a result that is kept is of."""
    before = sum(map(size, kept.found)) if kept is not None else 0
    with telling_of_engines(), progress(t("simulate.working"), wanted, before) as tick:
        try:
            work(tick)
            return 0
        except KeyboardInterrupt:
            if not done:
                raise
    stopped(kept)
    return INTERRUPTED


def stopped(kept: Kept[Any] | None) -> None:
    """Says that it was stopped, and how it goes on."""
    output.stopped()
    if kept is not None:
        output.note(t("keep.goes_on", file=kept.name))
