"""Draw the figures of a series as plots, with matplotlib if it is installed.

The content of a plot is plain data with its texts. Colour is never the only distinction. With one version of
matplotlib, equal plots give equal SVG.
"""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Iterable, Sequence
from functools import partial
from itertools import cycle, islice
from typing import Any, Literal

from msgspec import Struct

from hoyle.language import sentences
from hoyle.language.sentences import FALLBACK
from hoyle.series.tables import import_package

Form = Literal["svg", "png"]
FORMS: tuple[Form, ...] = ("svg", "png")
EXTRA = "hoyle[plot]"
"""The package extra that installs matplotlib."""
WIDE = 8.0
"""Width of a plot in inches."""
_ROW, _FRAME, _HISTOGRAM, _TITLE = 0.3, 1.05, 2.4, 0.35  # inches that each is high
_LONG, _LABEL = 84, 34  # characters in a line of a title, and of the name of a row
_FEW_BINS, _BINS = 12, 40
_FAR = 8  # times the least that the greatest is, where a scale of ratios has few numbers
_NEAR = (
    2  # times the least that the greatest is, where numbers stand as far apart as on any scale: there it is nearly one
)
_DOTS = 144  # of PNG, to an inch
# Okabe and Ito's colours, which all eyes tell apart, the dark ones first; lines and marks differ besides.
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00")
_DASHES = ("solid", (0, (5, 2)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)), (0, (9, 2)), (0, (3, 1.5, 1, 1.5, 1, 1.5)))
_MARKS = ("o", "s", "^", "D", "v", "P")


class Line(Struct, frozen=True):
    """A figure with its 95 % interval. `group` is the number of its group.

    `sure` means that it differs by more than chance; its mark is then filled.
    """

    name: str
    mean: float
    low: float
    high: float
    sure: bool = True
    group: int = 0


class Intervals(Struct, frozen=True):
    """Figures below each other, with their intervals.

    even      where a line marks "no difference"
    is_ratio  True for a logarithmic axis, on which half and double are equally far from 1
    groups    the names of the groups, if there are several
    """

    title: str
    lines: tuple[Line, ...]
    unit: str = ""
    even: float | None = None
    is_ratio: bool = False
    groups: tuple[str, ...] = ()


class Spreads(Struct, frozen=True):
    """Values below each other as box plots.

    The box holds the middle half, the whiskers nine tenths. A line marks the median, a diamond the mean.
    """

    title: str
    heaps: tuple[tuple[str, tuple[float, ...]], ...]
    unit: str = ""


class Heights(Struct, frozen=True):
    """Histograms of several groups of values, each in percent of its group."""

    title: str
    heaps: tuple[tuple[str, tuple[float, ...]], ...]
    often: str
    unit: str = ""


Panel = Intervals | Spreads | Heights


class Plot(Struct, frozen=True):
    """A title and the panels below it. Numbers are written as in the language `lang`."""

    title: str
    panels: tuple[Panel, ...]
    lang: str = FALLBACK


def draw_plot(plot: Plot, form: Form = "svg") -> bytes:
    """Return the plot as the content of a file. Raises Missing."""
    matplotlib, out = import_package("matplotlib", EXTRA), io.BytesIO()
    settings = {"svg.hashsalt": "hoyle", "svg.fonttype": "none", "font.family": ["DejaVu Sans", "sans-serif"]}
    said = (
        {"Title": plot.title.replace("\n", " "), "Date": None, "Creator": None} if form == "svg" else {"Software": None}
    )
    with matplotlib.rc_context(settings):
        make_figure(plot).savefig(out, format=form, dpi=_DOTS, metadata=said)
    return out.getvalue()


def make_figure(plot: Plot) -> Any:
    """Return the plot as a `matplotlib.figure.Figure`, to be changed or shown. Raises Missing."""
    made = import_package("matplotlib.figure", EXTRA).Figure
    heights = [_height(panel) for panel in plot.panels]
    title = _folded(plot.title, _LONG)
    found = made(
        figsize=(WIDE, sum(heights) + _TITLE * (1 + title.count("\n"))), layout="constrained", facecolor="white"
    )
    found.suptitle(title, fontsize=11, fontweight="bold")
    all_axes = found.subplots(len(heights), 1, squeeze=False, height_ratios=heights)
    for axes, panel in zip(all_axes[:, 0], plot.panels, strict=True):
        _panel(axes, panel, plot.lang)
    return found


def _height(panel: Panel) -> float:
    match panel:
        case Intervals():
            return _FRAME + _ROW * len(panel.lines)
        case Spreads():
            return _FRAME + _ROW * 1.5 * len(panel.heaps)
        case Heights():
            return _HISTOGRAM


def _panel(axes: Any, panel: Panel, lang: str) -> None:
    axes.set_title(_folded(panel.title, _LONG), fontsize=10, loc="left")
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(labelsize=9)
    axes.set_xlabel(panel.unit, fontsize=9)
    match panel:
        case Intervals():
            _intervals(axes, panel)
        case Spreads():
            _spreads(axes, panel)
        case Heights():
            _heights(axes, panel)
    _in_figures(axes, lang, isinstance(panel, Heights))


def _in_figures(axes: Any, lang: str, has_heights: bool) -> None:
    """Format the numbers of the axes in the language. An axis of rows has names instead."""
    ticker = import_package("matplotlib.ticker", EXTRA)
    if axes.get_xscale() == "log":
        low, high = axes.get_xlim()
        some = (1, 2, 5) if high > _FAR * low else (1, 1.2, 1.5, 2, 3, 5, 7)
        is_near = high < _NEAR * low
        axes.xaxis.set_major_locator(ticker.MaxNLocator(6) if is_near else ticker.LogLocator(subs=some))
        axes.xaxis.set_minor_formatter(ticker.NullFormatter())
    for axis in (axes.xaxis, axes.yaxis) if has_heights else (axes.xaxis,):
        axis.set_major_formatter(ticker.FuncFormatter(partial(_figure, axis, lang)))


def _figure(axis: Any, lang: str, value: float, place: int | None = None) -> str:
    """Format a tick's value with just enough decimals that every tick is exact; on a log axis, only this tick."""
    is_log = axis.get_scale() == "log"
    ticks = [value] if is_log else axis.get_major_locator()()
    return sentences.format_figure(
        value, lang, next(n for n in range(10) if all(math.isclose(round(x, n), x, abs_tol=1e-9) for x in ticks))
    )


# ---- kinds of panels -------------------------------------------------------------------------------------------------


def _intervals(axes: Any, panel: Intervals) -> None:
    names = list(dict.fromkeys(line.name for line in panel.lines))
    if panel.is_ratio:
        axes.set_xscale("log")
    if panel.even is not None:
        axes.axvline(panel.even, color="#555555", linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    for group in sorted({line.group for line in panel.lines}):
        _group(axes, [line for line in panel.lines if line.group == group], panel, names)
    _rows(axes, names)
    if len(panel.groups) > 1:
        _legend(axes)


def _group(axes: Any, lines: Sequence[Line], panel: Intervals, names: Sequence[str]) -> None:
    """Draw the marks of one group. Marks of several groups are shifted slightly down."""
    group, count = lines[0].group, max(1, len(panel.groups))
    colour, mark = _nth(_COLOURS, group), _nth(_MARKS, group)
    for line in lines:
        y = names.index(line.name) + (group - (count - 1) / 2) * 0.6 / count
        axes.plot([line.low, line.high], [y, y], color=colour, linewidth=1.6, solid_capstyle="butt")
        full = colour if line.sure else "white"
        axes.plot([line.mean], [y], marker=mark, color=colour, markerfacecolor=full, markersize=6, linestyle="none")
    if len(panel.groups) > 1:
        axes.plot([], [], marker=mark, color=colour, linewidth=1.6, label=_folded(panel.groups[group], _LABEL))


def _spreads(axes: Any, panel: Spreads) -> None:
    stats = [_box(values) for _, values in panel.heaps]
    mean = {"marker": "D", "markerfacecolor": _COLOURS[1], "markeredgecolor": _COLOURS[1], "markersize": 5}
    axes.bxp(
        stats,
        positions=range(len(stats)),
        widths=0.5,
        orientation="horizontal",
        showfliers=False,
        showmeans=True,
        patch_artist=True,
        boxprops={"facecolor": "#dce9f2", "edgecolor": _COLOURS[0]},
        medianprops={"color": "black", "linewidth": 1.8},
        meanprops=mean,
    )
    _rows(axes, [name for name, _ in panel.heaps])


def _box(values: Sequence[float]) -> dict[str, Any]:
    from statistics import fmean

    ordered = sorted(values)
    low, q1, middle, q3, high = (_part(ordered, part) for part in (0.05, 0.25, 0.5, 0.75, 0.95))
    return {"whislo": low, "q1": q1, "med": middle, "q3": q3, "whishi": high, "mean": fmean(ordered)}


def _part(ordered: Sequence[float], part: float) -> float:
    """Return the quantile of sorted values for this part."""
    place = part * (len(ordered) - 1)
    before = math.floor(place)
    after = min(before + 1, len(ordered) - 1)
    return ordered[before] + (place - before) * (ordered[after] - ordered[before])


def _heights(axes: Any, panel: Heights) -> None:
    edges = _edges([value for _, values in panel.heaps for value in values])
    for number, (name, values) in enumerate(panel.heaps):
        shares = _counted(values, edges)
        fill = len(panel.heaps) == 1
        colour, dashes = _nth(_COLOURS, number), _nth(_DASHES, number)
        style = {"linewidth": 1.6, "linestyle": dashes, "edgecolor": colour, "label": _folded(name, _LABEL)}
        axes.stairs(shares, edges, fill=fill, **{**style, **({"facecolor": "#dce9f2"} if fill else {})})
    axes.set_ylim(bottom=0)
    axes.set_ylabel(panel.often, fontsize=9)
    if len(panel.heaps) > 1:
        _legend(axes)


def _edges(values: Sequence[float]) -> list[float]:
    """Return the edges of histogram bars of equal width: 1, 2 or 5 times a power of ten.

    Bars of width 1 are centred on whole numbers.
    """
    low, high = min(values), max(values)
    bins = max(_FEW_BINS, min(_BINS, 3 * len(values) ** (1 / 3)))  # more with more values, as by Rice's rule
    width = _round_width((high - low) / bins, all(value == int(value) for value in values))
    first = math.floor(low / width) * width - (0.5 if width == 1 else 0)
    count = max(1, math.floor((high - first) / width) + 1)
    return [first + width * number for number in range(count + 1)]


def _round_width(least: float, is_whole: bool) -> float:
    if least <= 0 or (is_whole and least <= 1):
        return 1
    power: float = 10 ** math.floor(math.log10(least))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least * (1 - 1e-9))


def _counted(values: Sequence[float], edges: Sequence[float]) -> list[float]:
    width, counts = edges[1] - edges[0], [0] * (len(edges) - 1)
    for value in values:
        counts[min(len(counts) - 1, int((value - edges[0]) // width))] += 1
    return [100 * count / len(values) for count in counts]


# ---- what panels share -----------------------------------------------------------------------------------------------


def _rows(axes: Any, names: Sequence[str]) -> None:
    """Write names beside the rows, the first at the top."""
    axes.set_yticks(range(len(names)), [_folded(name, _LABEL) for name in names])
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x", color="#dddddd", linewidth=0.7)
    axes.set_axisbelow(True)


def _legend(axes: Any) -> None:
    """Place the legend beside the plot, so that it hides nothing."""
    axes.legend(fontsize=8, loc="upper left", bbox_to_anchor=(1, 1), frameon=False)


def _folded(text: str, most: int) -> str:
    return "\n".join(part for line in text.split("\n") for part in (textwrap.wrap(line, most) or [""]))


def _nth(some: Iterable[Any], number: int) -> Any:
    return next(islice(cycle(some), number, None))
