"""Figures with their intervals, in columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.series.measures import Measure


def percent(m: Measure) -> tuple[str, str]:
    return f"{100 * m.mean:.1f} %", f" [{100 * m.low:.1f} – {100 * m.high:.1f}]"


def in_figures(m: Measure) -> tuple[str, str]:
    return figure(m.mean), f" [{figure(m.low)} – {figure(m.high)}]"


def columns(rows: Sequence[Sequence[str]], widths: Sequence[int], sides: str) -> list[str]:
    """Rows as lines: each column at least as wide as it is wont to be, and wider if something in it is, so that nothing touches."""
    wide = [max(least, *(len(row[n]) for row in rows)) for n, least in enumerate(widths)]
    cells = ([f"{text:{side}{width}}" for text, side, width in zip(row, sides, wide, strict=True)] for row in rows)
    return ["  " + "  ".join(row).rstrip() for row in cells]


def figure(value: float) -> str:
    """With two digits; what is nothing then has no sign."""
    return f"{round(value, 2) + 0.0:.2f}"
