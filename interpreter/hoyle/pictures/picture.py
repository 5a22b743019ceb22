"""A view as one SVG: a pure function of what the seat sees, the words, the colours and the width. The same view gives the same text."""

from __future__ import annotations

from hoyle.pictures.fitting import Fit, comfortable, fitted
from hoyle.pictures.lit import Lit
from hoyle.pictures.names import Names
from hoyle.pictures.room import Table
from hoyle.pictures.shapes import defined
from hoyle.pictures.sharing import shared
from hoyle.pictures.svg import FONT, at, element, escape, number
from hoyle.pictures.table import ground
from hoyle.pictures.theme import LIGHT, Theme
from hoyle.views import TableView

WIDTH = 800
NARROWEST, WIDEST = 240, 10_000
MARGIN = 10.0


def picture(
    view: TableView,
    names: Names,
    theme: Theme = LIGHT,
    width: int = WIDTH,
    height: int | None = None,
    lit: Lit = frozenset(),
    before: Fit | None = None,
) -> str:
    """The table as a seat sees it, so many pixels wide, and if it can be no higher than the room; in the sizes of the picture `before`, if they fit."""
    wide = max(NARROWEST, min(WIDEST, width)) - 2 * MARGIN
    table = Table(view, names, theme, wide, comfortable(view, wide), lit=lit)
    block = fitted(table, height - 2 * MARGIN if height else None, before)
    parts, faces = shared("\n".join(part.drawn() for part in block.parts))
    full, high = block.width + 2 * MARGIN, block.height + 2 * MARGIN
    return element(
        "svg",
        element("title", escape(names.title or names.say("title"))),
        element("desc", escape(_described(view, names))),
        defined(parts, faces),
        ground(block, theme, MARGIN),
        element("g", "\n" + parts + "\n", transform=at(MARGIN, MARGIN)),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(full)} {number(high)}",
        width=full,
        height=high,
        role="img",
        lang=names.lang,
        font_family=FONT,
    )


def _described(view: TableView, names: Names) -> str:
    """Who looks, and who is to act."""
    seen = names.say("seen_by", seat=names.seat(view.seat)) if view.seat is not None else names.say("seen_by_all")
    acts = names.say("to_act", seat=names.seat(view.to_act)) if view.to_act is not None else names.say("over")
    return f"{seen} {acts}"
