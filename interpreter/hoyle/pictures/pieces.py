"""Single pieces: cards, dice, discs and cubes; and which of them have moved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct

from hoyle.pictures import cards
from hoyle.pictures.cards import Card
from hoyle.pictures.names import Names, PieceLook
from hoyle.pictures.svg import circle, element, escape, rectangle, text_element
from hoyle.pictures.theme import Theme
from hoyle.view_data import PieceView, PileView

PLACE = -1
"""Stands for the pile itself, in place of a height."""
Lit = frozenset[tuple[str, int]]
"""Highlighted pieces and piles: key of the pile, and height or PLACE."""


def find_moved(before: Iterable[PileView], after: Iterable[PileView]) -> Lit:
    """Return the pieces that have visibly moved between two views; nothing if most have, because they were dealt."""
    then, now = list(before), list(after)
    found = [mark for one, other in zip(then, now, strict=True) for mark in _moved_in_pile(one, other)]
    pieces = sum(height != PLACE for _, height in found)
    return frozenset(found) if pieces * 2 <= sum(pile.count for pile in now) else frozenset()


def _moved_in_pile(before: PileView, after: PileView) -> Iterator[tuple[str, int]]:
    """Yield the pile if it has fewer pieces, else pieces that are new or have changed."""
    if after.count < before.count:
        yield after.key, PLACE
    same = min(before.count, after.count)
    yield from ((after.key, height) for height in range(same, after.count))
    if after.count < before.count:
        return
    for height, (one, other) in enumerate(zip(before.pieces, after.pieces, strict=False)):
        if None not in (one.sign, other.sign) and one.sign != other.sign:
            yield after.key, height


_SPOTS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


class Pen(Struct, frozen=True):
    """Draws pieces: names, card size, highlights. `blind`: lay out without drawing."""

    names: Names
    card: Card
    lit: Lit = frozenset()
    blind: bool = False

    @property
    def theme(self) -> Theme:
        return self.card.theme

    @property
    def count(self) -> float:
        """Font size of numbers on cards."""
        return max(10.0, self.card.width * 0.19)

    def shape(self, piece: PieceView) -> str:
        """Return the shape of a piece; `card` if it is unknown."""
        face = self.face(piece)
        return face.shape if face is not None else "card"

    def face(self, piece: PieceView) -> PieceLook | None:
        return self.names.faces.get(piece.sign) if piece.sign is not None else None

    def size(self, shape: str) -> tuple[float, float]:
        """Return width and height of pieces of a shape."""
        if shape == "card":
            return self.card.width, self.card.height
        side = self.card.width * (0.66 if shape == "disc" else 0.72)
        return side, side

    def light(self, key: str, height: int, wide: float, high: float) -> str:
        """Draw a highlight behind a piece, or behind a pile (PLACE)."""
        if (key, height) not in self.lit:
            return ""
        edge, strength = (3.0, 0.5) if height == PLACE else (2.5, 1.0)
        box = rectangle(-edge, -edge, wide + 2 * edge, high + 2 * edge, 0.07 * wide + edge)
        return element("g", box, class_="lit", fill=self.theme.lit, fill_opacity=strength)

    def draw(self, piece: PieceView) -> str:
        """Draw a piece from its upper left corner, with its name."""
        if self.blind:
            return ""
        face = self.face(piece)
        if face is None:
            return _title(self.names.say("back") if piece.sign is None else piece.sign) + self._draw_unknown(piece)
        match face.shape:
            case "card":
                drawn = cards.draw_card(face, self.card)
            case "die":
                drawn = self._draw_die(face)
            case "disc":
                drawn = draw_disc(self.names, face.colour, self.size("disc")[0], self.theme)
            case _:
                drawn = draw_cube(face.text, self.size("cube")[0], self.theme)
        return _title(face.name) + drawn

    def _draw_unknown(self, piece: PieceView) -> str:
        return (
            cards.draw_back(self.card)
            if piece.sign is None
            else cards.draw_place(self.card.width, self.card.height, self.theme)
        )

    def _draw_die(self, face: PieceLook) -> str:
        side, look = self.size("die")[0], self.theme
        box = rectangle(0.5, 0.5, side - 1, side - 1, side * 0.18, fill=look.paper, stroke=look.edge)
        count = int(face.figure) if face.figure.isdecimal() else 0
        if count not in _SPOTS:
            return box + _centred_text(face.text, side, look.print, 0.5)
        spots = [circle(side * (0.5 + 0.27 * x), side * (0.5 + 0.27 * y), side * 0.095) for x, y in _SPOTS[count]]
        return box + element("g", *spots, fill=look.print)


def draw_disc(names: Names, owner: str, side: float, look: Theme) -> str:
    """Draw a man in the colour of its seat."""
    number = names.seats.index(owner) if owner in names.seats else len(look.men) - 1
    light, dark = look.men[number % len(look.men)]
    middle = side / 2
    outer = circle(middle, middle, middle - 0.75, fill=light, stroke=dark, stroke_width=1.5)
    return outer + circle(middle, middle, middle * 0.62, fill="none", stroke=dark, stroke_width=side * 0.05)


def draw_cube(content: str, side: float, look: Theme) -> str:
    box = rectangle(0.5, 0.5, side - 1, side - 1, side * 0.12, fill=look.paper, stroke=look.print, stroke_width=1.5)
    return box + _centred_text(content, side, look.print, 0.6 if len(content) < 2 else 0.46)


def _centred_text(content: str, side: float, colour: str, size: float) -> str:
    y = side / 2 + side * size * 0.36
    return text_element(side / 2, y, content, side * size, text_anchor="middle", font_weight="bold", fill=colour)


def _title(name: str) -> str:
    return element("title", escape(name))
