"""Results of series: words, plain data, tables, plots and data frames, for programs and notebooks."""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from hoyle.cli.catalogue import speaking
from hoyle.cli.files import put
from hoyle.cli.outlet import Found
from hoyle.series import plots
from hoyle.series.tables import Table


class Result:
    """Result of a series, in one language."""

    def __init__(self, found: Found, lang: str) -> None:
        self._found, self.lang = found, lang

    def __repr__(self) -> str:
        return f"<Result {self.text.partition(chr(10))[0]}>"

    def __str__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        with speaking(self.lang):
            return self._found.page()

    @cached_property
    def text(self) -> str:
        """The text that the command prints."""
        with speaking(self.lang):
            return self._found.text()

    @cached_property
    def data(self) -> dict[str, Any]:
        """The data that the command writes with `--json`."""
        with speaking(self.lang):
            found: dict[str, Any] = json.loads(self._found.json())
        return found

    @cached_property
    def figures(self) -> Table:
        """Table with a row for each figure of each edition."""
        return self._found.figures()

    @cached_property
    def games(self) -> Table:
        """Table with a row for each game."""
        return self._found.games()

    def frame(self, library: str = "pandas", rows: Literal["figures", "games"] = "figures") -> Any:
        """Return a table as a data frame of pandas, polars or pyarrow. Raises Missing if the package is not installed, ValueError for other names."""
        if rows not in ("figures", "games"):
            raise ValueError(f"there are rows of figures or of games, not of {rows!r}")
        return (self.games if rows == "games" else self.figures).frame(library)

    def plot(self, lang: str = "") -> Drawing:
        """Return a plot by matplotlib. Raises Missing if it is not installed."""
        with speaking(lang or self.lang):
            return Drawing(self._found.plot())


class Drawing:
    """A plot. Notebooks show it; equal plots give equal SVG."""

    def __init__(self, plot: plots.Plot) -> None:
        self._plot, self._svg = plot, plots.drawn(plot)

    def __repr__(self) -> str:
        return f"<Drawing {self._plot.title.partition(chr(10))[0]}>"

    def _repr_svg_(self) -> str:
        return self._svg.decode()

    @property
    def figure(self) -> Any:
        """Return a new `matplotlib.figure.Figure`, which you may change."""
        return plots.figure(self._plot)

    def save(self, file: str | Path) -> None:
        """Write the plot to a .svg or .png file. Raises ValueError for other endings; OSError leaves an existing file unchanged."""
        form = Path(file).suffix.lower()
        if form not in (".svg", ".png"):
            raise ValueError(f"plots are SVG or PNG, and the name of the file ends so: {str(file)!r}")
        put(str(file), plots.drawn(self._plot, "png") if form == ".png" else self._svg)
