"""Cards: faces with indices and pips, court cards, backs, and places where none lies. All are drawn from their upper left corner."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from interpreter.pictures.blocks import text_width
from interpreter.pictures.figures import FIGURES, GOLD
from interpreter.pictures.shapes import SUITS
from interpreter.pictures.svg import FONT, element, number, rectangle, use, words
from interpreter.printable import width as columns_of

if TYPE_CHECKING:
    from interpreter.pictures.names import Face
    from interpreter.pictures.theme import Theme

TALL = 1.4
"""How high a card is, where it is 1 wide."""
SHORT = 2
"""An index of more letters is a word."""
PIPPED = 56
"""Narrower cards show one large suit in the place of their pips."""
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


class Card(Struct, frozen=True):
    """How cards are drawn in one place: how wide, in which colours, and with the suit beside the index where they lie in columns (else below it)."""

    width: float
    theme: Theme
    beside: bool = False

    @property
    def height(self) -> float:
        return self.width * TALL

    @property
    def index(self) -> float:
        """The size of an index: never too small to be read."""
        return max((0.19 if self.beside else 0.22) * self.width, min(0.42 * self.width, 16))

    @property
    def strip(self) -> float:
        """How much of a card must be seen of one that another covers, from its side or (in a column) from above."""
        return self.index * (1.2 if self.beside else 1.0) + 0.06 * self.width


def card(face: Face, how: Card) -> str:
    ink = how.theme.ink_of(face.colour, face.suit)
    inside = _figure(face, how) if face.figure in FIGURES else _pips(face, how)
    corners = _corners(face, how)
    return _paper(how) + element("g", inside, corners, fill=ink, color=ink)


def _paper(how: Card) -> str:
    look = how.theme
    return rectangle(0.5, 0.5, how.width - 1, how.height - 1, 0.07 * how.width, fill=look.paper, stroke=look.edge)


def _corners(face: Face, how: Card) -> str:
    """The index at the upper left with its suit; and turned at the lower right where the card is large."""
    corner = _corner(face, how)
    if how.width < PIPPED:
        return corner
    middle = f"{number(how.width / 2)} {number(how.height / 2)}"
    return corner + element("g", corner, transform=f"rotate(180 {middle})")


def _corner(face: Face, how: Card) -> str:
    text = face.parts[0] if face.parts else face.text
    if columns_of(text) > SHORT:
        return _worded(text, how)
    size = how.index * (1 if columns_of(text) < 2 else 0.86)
    x = 0.05 * how.width + how.index * (0.4 if columns_of(text) < 2 else 0.47)
    y = 0.03 * how.width + how.index * 0.93
    tight = number(-0.09 * size) if columns_of(text) > 1 else None
    index = words(x, y, text, size, text_anchor="middle", font_weight="bold", font_family=FONT, letter_spacing=tight)
    return index + _sign(face, x, y, how)


def _worded(text: str, how: Card) -> str:
    """An index that is a word: from the left, as large as it can be."""
    size = _fitting(text, how.index, how.width)
    return words(0.07 * how.width, 0.05 * how.width + size, text, size, font_weight="bold", font_family=FONT)


def _fitting(text: str, size: float, width: float) -> float:
    """The size at which a text is not wider than a card."""
    return min(size, 0.84 * width / text_width(text, 1.1))


def _sign(face: Face, x: float, y: float, how: Card) -> str:
    """The suit below the index, or beside it."""
    size = how.index * 0.78
    sx, sy = (x + how.index * 0.95, y - how.index * 0.36) if how.beside else (x, y + how.index * 0.58)
    if face.suit:
        return use(face.suit, sx, sy, size)
    rest = " ".join(face.parts[1:])
    short = 0 < columns_of(rest) <= SHORT
    return words(sx, sy + size * 0.35, rest, size, text_anchor="middle", font_family=FONT) if short else ""


def _pips(face: Face, how: Card) -> str:
    draw = _pip(face, how)
    count = int(face.figure) if face.figure.isdecimal() else 0
    if how.width < PIPPED or not 0 < count <= 10 or not (face.suit or face.parts[1:]):
        return draw(0.56 if face.suit else 0.5, 0.66, 0.5)
    if count == 1:
        return draw(0.5, 0.5, 0.4)
    sides = [draw(x, y, 0.2) for y in _SIDES.get(count, ()) for x in (0.34, 0.66)]
    return "".join(sides + [draw(0.5, y, 0.2) for y in _MIDDLE.get(count, ())])


def _pip(face: Face, how: Card) -> Callable[[float, float, float], str]:
    """What draws a pip at a place of the card, so large: those below the middle stand on their heads."""
    wide, high = how.width, how.height
    turns = face.suit in SUITS.values()  # others always stand upright

    def draw(x: float, y: float, size: float) -> str:
        if face.suit:
            return use(face.suit, x * wide, y * high, size * wide, turned=turns and y > 0.51 and size < 0.3)
        sign = " ".join(face.parts[1:]) or face.text
        tall = _fitting(sign, size * wide, wide)
        return words(x * wide, y * high + tall * 0.36, sign, tall, text_anchor="middle", font_family=FONT)

    return draw


def _figure(face: Face, how: Card) -> str:
    """A court card: the half figure above, and once more below, turned; on a narrow card above alone."""
    wide, high = how.width, how.height
    if wide < PIPPED:
        large = use(face.suit, 0.76 * wide, 0.3 * high, 0.3 * wide) if face.suit and not how.beside else ""
        return large + use(face.figure, 0.54 * wide, 0.97 * high, wide * 1.28)
    size = 0.84 if how.beside else 1.0  # below an index that has its suit beside it
    across, down = 0.56 * wide * size, 0.82 * high * size
    left, top, line = (wide - across) / 2, (high - down) / 2, 0.012 * wide
    frame = rectangle(left, top, across, down, 0.03 * wide, fill="none", stroke="currentColor", stroke_width=line)
    halves = [use(face.figure, wide / 2, high / 2, wide * size, turned) for turned in (False, True)]
    belt = f"M{number(left + line)} {number(high / 2)}h{number(across - 2 * line)}"
    middle = element("path", d=belt, stroke=GOLD, stroke_width=0.025 * wide)
    signs = "" if how.beside or not face.suit else _signs(face.suit, wide, high)
    return "".join((*halves, middle, frame, signs))


def _signs(suit: str, wide: float, high: float) -> str:
    """The suit in two corners of the frame."""
    corners = ((0.3, 0.155, False), (0.7, 0.845, True))
    return "".join(use(suit, x * wide, y * high, 0.12 * wide, turned) for x, y, turned in corners)


def back(how: Card) -> str:
    """A back: a lattice within a border."""
    look, wide, high = how.theme, how.width, how.height
    inner = rectangle(0.09 * wide, 0.09 * wide, 0.82 * wide, high - 0.18 * wide, 0.04 * wide, fill=look.back)
    weave = element("path", d=_lattice(wide, high), fill="none", stroke=look.weave, stroke_width=0.02 * wide)
    return _paper(how) + inner + weave


@lru_cache(maxsize=64)
def _lattice(wide: float, high: float) -> str:
    """Lines that cross, within the border."""
    left, top, right, bottom = 0.13 * wide, 0.13 * wide, 0.87 * wide, high - 0.13 * wide
    columns, rows = 4, 6
    dx, dy = (right - left) / columns, (bottom - top) / rows
    found = []
    for n in range(1 - rows, columns):
        for sign in (1, -1):
            first, last = max(0, -n), min(rows, columns - n)
            xs = [left + (n + k) * dx if sign > 0 else right - (n + k) * dx for k in (first, last)]
            found.append(f"M{number(xs[0])} {number(top + first * dy)}L{number(xs[1])} {number(top + last * dy)}")
    return "".join(found)


def place(wide: float, high: float, look: Theme, label: str = "") -> str:
    """Where something may lie; with the suit that is wanted there, if the label is one."""
    line = {"stroke": look.faint, "stroke_opacity": 0.55, "stroke_dasharray": "4 3"}
    edge = rectangle(1, 1, wide - 2, high - 2, 0.07 * wide, fill=look.well, **line)
    if label not in SUITS:
        return edge
    return edge + use(SUITS[label], wide / 2, high / 2, wide * 0.45, fill=look.faint, fill_opacity=0.5)
