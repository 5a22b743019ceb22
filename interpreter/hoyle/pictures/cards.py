"""Cards: faces with indices and pips, court cards, backs, and empty places. All start at their upper left corner."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from hoyle.pictures.blocks import text_width
from hoyle.pictures.shapes import FIGURES, SUITS, TALL, is_drawable, pip_positions
from hoyle.pictures.svg import element, place_shape, rectangle, text_element, use_shape
from hoyle.printable import width as columns_of

if TYPE_CHECKING:
    from hoyle.pictures.names import PieceLook
    from hoyle.pictures.theme import Theme

SHORT = 2
"""An index of more letters is a word."""
PIPPED = 56
"""Narrower cards show one large suit in the place of their pips."""


class Card(Struct, frozen=True):
    """Card sizes and colours. `beside`: put the suit beside the index, as in columns, not below it."""

    width: float
    theme: Theme
    beside: bool = False

    @property
    def height(self) -> float:
        return self.width * TALL

    @property
    def index(self) -> float:
        """The size of an index: never too small to be read."""
        return max((0.22 if self.beside else 0.24) * self.width, min(0.5 * self.width, 17))

    @property
    def strip(self) -> float:
        """Visible part of a covered card, from its side or (in a column) from above."""
        return self.index * (1.2 if self.beside else 1.0) + 0.06 * self.width


def draw_card(face: PieceLook, how: Card) -> str:
    ink = how.theme.ink_of(face.colour, face.suit)
    inside = _draw_figure(face, how) if face.figure in FIGURES else _draw_pips(face, how)
    return _draw_paper(how) + element("g", inside, _draw_corners(face, how), fill=ink, color=ink)


def _draw_paper(how: Card) -> str:
    look = how.theme
    return rectangle(0.5, 0.5, how.width - 1, how.height - 1, 0.07 * how.width, fill=look.paper, stroke=look.edge)


def _draw_corners(face: PieceLook, how: Card) -> str:
    """The index at the upper left with its suit; and turned at the lower right where the card is large."""
    text = face.parts[0] if face.parts else face.text
    if not is_drawable(text):
        return _draw_word_index(text, face, how)
    corner = _draw_corner(text, face, how, False)
    return corner + _draw_corner(text, face, how, True) if how.width >= PIPPED else corner


def _draw_corner(text: str, face: PieceLook, how: Card, turned: bool) -> str:
    """Draw an index with its suit from the upper left corner, or turned from the lower right one."""
    edge, index = 0.03 * how.width, how.index
    x, y = edge + 0.48 * index, edge + 0.97 * index
    sx, sy = (x + 0.98 * index, y - 0.38 * index) if how.beside else (x, y + 0.54 * index)
    if turned:
        x, sx, y, sy = how.width - x, how.width - sx, how.height - y, how.height - sy
    sign = place_shape(f"sign-{text}", x, y, (-index if turned else index) / 100)
    if face.suit:
        return sign + use_shape(face.suit, sx, sy, 0.78 * index, turned)
    return sign if turned else sign + _draw_rest(face, how)


def _draw_word_index(text: str, face: PieceLook, how: Card) -> str:
    """Draw an index that is a word, as large as fits."""
    size = _fit_size(text, how.index, how.width)
    index = text_element(0.07 * how.width, 0.05 * how.width + size, text, size, font_weight="bold")
    sign = use_shape(face.suit, 0.2 * how.width, 0.05 * how.width + 1.6 * size, how.index * 0.78) if face.suit else ""
    return index + (sign or _draw_rest(face, how))


def _fit_size(text: str, size: float, width: float) -> float:
    """Return the size at which a text is not wider than a card."""
    return min(size, 0.84 * width / text_width(text, 1.1))


def _draw_rest(face: PieceLook, how: Card) -> str:
    """Draw the other parts of a card without a suit below its index, or beside it."""
    rest, size = " ".join(face.parts[1:]), how.index * 0.78
    x, y = (1.44, 0.85) if how.beside else (0.47, 1.78)
    short = 0 < columns_of(rest) <= SHORT
    edge = 0.03 * how.width
    return text_element(edge + x * how.index, edge + y * how.index, rest, size, text_anchor="middle") if short else ""


def _draw_pips(face: PieceLook, how: Card) -> str:
    count = int(face.figure) if face.figure.isdecimal() else 0
    full = how.width >= PIPPED and 0 < count <= 10
    if face.suit and full:
        return place_shape(f"{face.suit}-{count}", 0, 0, how.width / 100)
    if face.suit:
        return use_shape(face.suit, 0.56 * how.width, 0.66 * how.height, 0.5 * how.width)
    sign = " ".join(face.parts[1:]) or face.text
    if not (full and face.parts[1:]):
        return _draw_word_pip(sign, 0.5, 0.66, 0.5, how)
    return "".join(_draw_word_pip(sign, x, y, 0.4 if count == 1 else 0.2, how) for x, y in pip_positions(count))


def _draw_word_pip(sign: str, x: float, y: float, size: float, how: Card) -> str:
    """A pip that is a word."""
    tall = _fit_size(sign, size * how.width, how.width)
    return text_element(x * how.width, y * how.height + tall * 0.36, sign, tall, text_anchor="middle")


def _draw_figure(face: PieceLook, how: Card) -> str:
    """Draw a court card; on a narrow card only the half figure."""
    wide, high = how.width, how.height
    if wide < PIPPED:
        large = use_shape(face.suit, 0.76 * wide, 0.3 * high, 0.3 * wide) if face.suit and not how.beside else ""
        return large + use_shape(face.figure, 0.54 * wide, 0.97 * high, wide * 1.28)
    size = wide * (0.84 if how.beside else 1.0) / 100  # below an index that has its suit beside it
    return place_shape(f"{face.figure}-{face.suit or 'plain'}", wide / 2 - 50 * size, high / 2 - 50 * TALL * size, size)


def draw_back(how: Card) -> str:
    look = how.theme
    return _draw_paper(how) + place_shape("back", 0, 0, how.width / 100, fill=look.back, stroke=look.weave)


def draw_place(wide: float, high: float, look: Theme, label: str = "") -> str:
    """Draw an empty place; with the suit that belongs there, if the label is one."""
    line = {"stroke": look.faint, "stroke_opacity": 0.55, "stroke_dasharray": "4 3"}
    edge = rectangle(1, 1, wide - 2, high - 2, 0.07 * wide, fill=look.well, **line)
    if label not in SUITS:
        return edge
    return edge + use_shape(SUITS[label], wide / 2, high / 2, wide * 0.45, fill=look.faint, fill_opacity=0.5)
