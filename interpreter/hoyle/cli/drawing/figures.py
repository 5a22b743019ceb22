"""Figures with their intervals, in columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hoyle.cli.catalogue import lang, t
from hoyle.language import sentences

if TYPE_CHECKING:
    from hoyle.series.measures import Measure


def percent(m: Measure) -> tuple[str, str]:
    return of_hundred(m.mean), f" [{figure(100 * m.low, 1)} – {figure(100 * m.high, 1)}]"


def in_figures(m: Measure) -> tuple[str, str]:
    return figure(m.mean), f" [{figure(m.low)} – {figure(m.high)}]"


def columns(rows: Sequence[Sequence[str]], widths: Sequence[int], sides: str) -> list[str]:
    """Rows as lines: each column at least as wide as it is wont to be, and wider if something in it is, so that nothing touches."""
    wide = [max(least, *(len(row[n]) for row in rows)) for n, least in enumerate(widths)]
    cells = ([f"{text:{side}{width}}" for text, side, width in zip(row, sides, wide, strict=True)] for row in rows)
    return ["  " + "  ".join(row).rstrip() for row in cells]


def of_hundred(share: float, digits: int = 1) -> str:
    return t("figure.percent", percent=figure(100 * share, digits))


def figure(value: float, digits: int = 2, signed: bool = False) -> str:
    """As it is written in the user's language; what is nothing then has no minus."""
    return sentences.figure(value, lang(), digits, signed)


def within(error: float) -> str:
    """How far a figure may be off: never said to be nothing where it was found by trying."""
    return figure(max(0.1, error), 1)
