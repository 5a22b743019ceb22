"""A view as one SVG: a pure function of what the seat sees, the words, the colours and the width. The same view gives the same text."""

from __future__ import annotations

import re

from interpreter.pictures.names import Names
from interpreter.pictures.shapes import defined
from interpreter.pictures.svg import at, element, escape, number
from interpreter.pictures.table import Table, View, drawn, ground, most_columns
from interpreter.pictures.theme import LIGHT, Theme

WIDTH = 800
NARROWEST, WIDEST = 240, 10_000
MARGIN = 10.0
_USED = re.compile(r'href="#hoyle-(\w+)"')


def picture(view: View, names: Names, theme: Theme = LIGHT, width: int = WIDTH, height: int | None = None) -> str:
    """The table as a seat sees it, so many pixels wide; columns are no longer than so high, if that is asked."""
    wide = max(NARROWEST, min(WIDEST, width)) - 2 * MARGIN
    card = _card(view, wide)
    table = Table(view, names, theme, wide, card, float(height or max(4.2 * card * 1.4, 330)))
    block = drawn(table)
    parts = "\n".join(part.drawn() for part in block.parts)
    full, high = block.width + 2 * MARGIN, block.height + 2 * MARGIN
    return element(
        "svg",
        element("title", escape(names.title or names.say("title"))),
        element("desc", escape(_described(view, names))),
        defined(_USED.findall(parts)),
        ground(block, theme, MARGIN),
        element("g", "\n" + parts + "\n", transform=at(MARGIN, MARGIN)),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(full)} {number(high)}",
        width=full,
        height=high,
        role="img",
        lang=names.lang,
    )


def _card(view: View, wide: float) -> float:
    """How wide cards are: a comfortable size, or what lets the columns stand side by side."""
    most = max(46.0, min(84.0, wide / 10), min(104.0, wide / 15))
    columns = most_columns(view)
    fits = min((wide - 3 * columns) / columns, wide / columns / 1.08) if 0 < columns <= 10 else most
    return max(28.0, min(most, fits))


def _described(view: View, names: Names) -> str:
    """Who looks, and who is to act."""
    seen = names.say("seen_by", seat=names.seat(view.seat)) if view.seat is not None else names.say("seen_by_all")
    acts = names.say("to_act", seat=names.seat(view.to_act)) if view.to_act is not None else names.say("over")
    return f"{seen} {acts}"
