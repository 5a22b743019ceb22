"""Shapes that are drawn again and again, by the names they have in the definitions: suits in a square of 100 around the middle, the halves of court
cards, and what stands on cards that are 100 wide. They have no colours of their own, so that several pictures on a page agree about them."""

from __future__ import annotations

import re

from hoyle.pictures.figures import FIGURES, GOLD
from hoyle.pictures.letters import PEN, outline
from hoyle.pictures.svg import at, element, lines, number, rectangle, use

SUITS = {"♠": "spade", "♥": "heart", "♦": "diamond", "♣": "club"}
PATHS = {
    "spade": "M0-48C12-30 44-12 44 14C44 38 14 40 5 24C6 36 10 44 18 48H-18C-10 44-6 36-5 24C-14 40-44 38-44 14C-44-12-12-30 0-48Z",
    "heart": "M0 48C-10 28-46 8-46-18C-46-50-8-52 0-24C8-52 46-50 46-18C46 8 10 28 0 48Z",
    "diamond": "M0-50C8-32 24-12 38 0C24 12 8 32 0 50C-8 32-24 12-38 0C-24-12-8-32 0-50Z",
    "club": "M0-48A22 22 0 0 1 18-13A22 22 0 1 1 5 19C6 34 10 43 18 48H-18C-10 43-6 34-5 19A22 22 0 1 1-18-13A22 22 0 0 1 0-48Z",
    "cup": "M-36-46H36C36-14 24 2 7 7V28C14 30 24 34 26 46H-26C-24 34-14 30-7 28V7C-24 2-36-14-36-46ZM-27-38C-26-20-18-8-6-2C-16-12-20-24-20-38Z",
    "coin": "M0-46A46 46 0 1 1 0 46A46 46 0 1 1 0-46ZM0-37A37 37 0 1 0 0 37A37 37 0 1 0 0-37ZM0-30L8-8L30 0L8 8L0 30L-8 8L-30 0L-8-8Z",
    "sword": "M0-50L13-34V8H34V20H13V34C17 42 12 50 0 50C-12 50-17 42-13 34V20H-34V8H-13V-34Z",
    "baton": "M-44 38L-34 48L-8 24C0 30 11 25 10 13L27 4C43-1 52-18 46-33C40-49 20-52 8-38L-5-17C-16-22-25-13-19-3Z",
}
"""Those of suits."""
TALL = 1.4
"""How high a card is, where it is 1 wide."""
SIGN, SIGN_WIDE = 82.0, 88.0
"""How high an index is in its corner of 100, and how wide at most."""
_SIX = (0.24, 0.5, 0.76)
_EIGHT = (0.22, 0.407, 0.593, 0.78)
_SIDES: dict[int, tuple[float, ...]] = {
    4: (0.24, 0.76),
    5: (0.24, 0.76),
    6: _SIX,
    7: _SIX,
    8: _SIX,
    9: _EIGHT,
    10: _EIGHT,
}
"""How high the pips of the two outer columns stand."""
_MIDDLE: dict[int, tuple[float, ...]] = {
    1: (0.5,),
    2: (0.24, 0.76),
    3: _SIX,
    5: (0.5,),
    7: (0.37,),
    8: (0.37, 0.63),
    9: (0.5,),
    10: (0.313, 0.687),
}
"""And those of the middle one."""
_PART = {3: 2, 5: 4, 6: 4, 7: 6, 8: 6}
"""These are so many pips, and some more."""
_USED = re.compile(r'href="#hoyle-([\w-]+)"')
_DRAWABLE = re.compile(r"[A-Z0-9]{1,2}")


def pips(count: int) -> list[tuple[float, float]]:
    """Where so many pips stand on a card, in parts of its width and of its height."""
    return [(x, y) for y in _SIDES.get(count, ()) for x in (0.34, 0.66)] + [(0.5, y) for y in _MIDDLE.get(count, ())]


def is_drawable(index: str) -> bool:
    """Is there a shape for this index?"""
    return _DRAWABLE.fullmatch(index) is not None


def defined(drawn: str, faces: str = "") -> str:
    """The definitions of all shapes that are used in what is drawn, of those that they use, and of the faces of cards that are there already."""
    found: dict[str, str] = {}
    wanted = {name for name in _USED.findall(drawn + faces) if not name.startswith("face-")}
    while wanted:
        found |= {name: _shape(name) for name in wanted}
        wanted = {name for shape in found.values() for name in _USED.findall(shape)} - found.keys()
    return element("defs", lines([*(found[name] for name in sorted(found)), faces]))


def _shape(name: str) -> str:
    """By its name: `heart`, `king`, `heart-7`, `king-heart`, `sign-10`, `back`."""
    kind, *rest = name.split("-")
    named = {"id": f"hoyle-{name}"}
    if kind == "back":
        return element("g", _back(), **named)
    if kind == "sign":
        return _sign(rest[0], named)
    if kind in FIGURES:
        return element("g", _court(kind, rest[0] if rest[0] in PATHS else "") if rest else FIGURES[kind](), **named)
    if rest:
        return element("g", _pips(kind, int(rest[0])), **named)
    return element("path", d=PATHS[kind], fill_rule="evenodd", **named)


def _sign(text: str, named: dict[str, str]) -> str:
    """An index as lines, around its middle and above its foot."""
    drawn = outline(text)
    assert drawn is not None, text
    across = min(1.0, SIGN_WIDE / (drawn.width * SIGN / 100))
    place = f"{at(-drawn.width * across * SIGN / 200, -SIGN * 0.94)} scale({number(across * SIGN / 100)} {number(SIGN / 100)})"
    pen = {
        "fill": "none",
        "stroke": "currentColor",
        "stroke_width": PEN,
        "stroke_linecap": "round",
        "stroke_linejoin": "round",
    }
    return element("path", d=drawn.lines, transform=place, **pen, **named)


def _pips(suit: str, count: int) -> str:
    """So many pips on a card; those below the middle stand on their heads, if the suit is one that does."""
    turns, below = suit in SUITS.values(), _PART.get(count)
    size, fewer = 40 if count == 1 else 20, pips(below) if below else []
    more = [place for place in pips(count) if place not in fewer]
    part = element("use", href=f"#hoyle-{suit}-{below}") if below else ""
    return part + "".join(
        use(suit, x * 100, y * 100 * TALL, size, turned=turns and y > 0.51 and count > 1) for x, y in more
    )


def _court(figure: str, suit: str) -> str:
    """The half figure above, and once more below, turned, in a frame with the suit in two corners."""
    high = 100 * TALL
    across, down = 56.0, 0.82 * high
    left, top = (100 - across) / 2, (high - down) / 2
    frame = rectangle(left, top, across, down, 3, fill="none", stroke="currentColor", stroke_width=1.2)
    halves = "".join(use(figure, 50, high / 2, 100, turned) for turned in (False, True))
    belt = element(
        "path", d=f"M{number(left + 1.2)} {number(high / 2)}h{number(across - 2.4)}", stroke=GOLD, stroke_width=2.5
    )
    corners = ((30, 0.155, False), (70, 0.845, True))
    signs = "".join(use(suit, x, y * high, 12, turned) for x, y, turned in corners) if suit else ""
    return halves + belt + frame + signs


def _back() -> str:
    """A lattice within a border: filled and drawn in the colours of who uses it."""
    high = 100 * TALL
    return rectangle(5, 5, 90, high - 10, 5, stroke="none") + element(
        "path", d=_lattice(high), fill="none", stroke_width=2
    )


def _lattice(high: float) -> str:
    """Lines that cross, within the border."""
    left, top, right, bottom = 10.0, 10.0, 90.0, high - 10
    columns, rows = 4, 6
    dx, dy = (right - left) / columns, (bottom - top) / rows
    found = []
    for n in range(1 - rows, columns):
        for sign in (1, -1):
            first, last = max(0, -n), min(rows, columns - n)
            xs = [left + (n + k) * dx if sign > 0 else right - (n + k) * dx for k in (first, last)]
            found.append(f"M{number(xs[0])} {number(top + first * dy)}L{number(xs[1])} {number(top + last * dy)}")
    return "".join(found)
