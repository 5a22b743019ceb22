"""Where what a series came to goes: as text, JSON, CSV or Parquet, to standard output or into a file, with a plot beside it if one is wanted."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from hoyle.cli.catalogue import lang, t
from hoyle.cli.files import can_be_written, write
from hoyle.cli.options import File, OneOf, json_option
from hoyle.cli.output import Trouble, note
from hoyle.cli.shell import option
from hoyle.diagnostics import told

if TYPE_CHECKING:
    from hoyle.series.plots import Plot
    from hoyle.series.tables import Table

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


class Found(Struct, frozen=True):
    """What a series came to, in every form, each made when it is asked for; `page`: as HTML."""

    text: Callable[[], str]
    json: Callable[[], str]
    figures: Callable[[], Table]
    games: Callable[[], Table]
    plot: Callable[[], Plot]
    page: Callable[[], str]


class Outlet(Struct, frozen=True):
    """`rows`: what there is a row for in a table, figures or games; `out` and `plot`: files."""

    form: str
    rows: str
    out: str | None
    plot: str | None

    def tell(self, found: Found, code: int) -> None:
        """Files are for a whole series: where it was stopped, what was played goes to standard output, as text if it cannot be read otherwise."""
        form = "text" if code and self.form == "parquet" else self.form
        write("-" if code or self.out is None else self.out, self._told(found, form))
        if self.plot is not None and not code:
            write(self.plot, _plotted(found.plot(), _ending(self.plot)))
        if code:
            for name in filter(None, (self.out, self.plot)):
                note(t("outlet.not_written", name=name))

    def _told(self, found: Found, form: str) -> str | bytes:
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
    """Raises Trouble if something is not there, or does not go together."""
    if outlet.rows == "games" and outlet.form not in _TABLES:
        raise Trouble(t("outlet.rows_of_tables"), code=2)
    if outlet.plot is not None and _ending(outlet.plot) not in _PLOTS:
        raise Trouble(t("outlet.no_plot", name=outlet.plot), code=2)
    if outlet.form == "parquet":
        _there("pyarrow.parquet", "parquet")
        if outlet.out in (None, "-") and sys.stdout is not None and sys.stdout.isatty():
            raise Trouble(t("file.no_text"), code=2)
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
        raise Trouble(told(missing.said, lang()), code=2) from None


def _plotted(plot: Plot, ending: str) -> bytes:
    from hoyle.series.plots import drawn

    return drawn(plot, "png" if ending == "png" else "svg")
