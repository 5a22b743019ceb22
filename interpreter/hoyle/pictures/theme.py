"""Colours of a picture: light or dark, with two colours of suits or four."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

Tone = Literal["light", "dark"]


class Theme(Struct, frozen=True):
    """Colours.

    felt   background; `ink` is written on it, `faint` less visibly
    lit    highlight of what has moved
    paper  face of a card; `edge` is its border
    inks   colours of rows by name; `suits` are those of single suits
    men    two tones of each seat's men, in the order of seats"""

    felt: str
    well: str
    ink: str
    faint: str
    mark: str
    lit: str
    paper: str
    edge: str
    print: str
    back: str
    weave: str
    wood: str
    points: tuple[str, str]
    inks: Mapping[str, str]
    gold: str
    men: tuple[tuple[str, str], ...]
    suits: Mapping[str, str] = {}

    def ink_of(self, colour: str, suit: str = "") -> str:
        return self.suits.get(suit) or self.inks.get(colour, self.print)


_MEN = (
    ("#f4ead2", "#a58f63"),
    ("#2f2a2a", "#0d0b0b"),
    ("#b23a30", "#741f18"),
    ("#2f6db0", "#184470"),
    ("#3f8a4c", "#215129"),
    ("#8a5aa6", "#54316b"),
)
LIGHT = Theme(
    felt="#e9efe6",
    well="#d7e1d3",
    ink="#1d2a22",
    faint="#56665b",
    mark="#0b7a4b",
    lit="#f2b52c",
    paper="#fffefa",
    edge="#9aa39b",
    print="#1a1a1e",
    back="#2d5a8c",
    weave="#a9c5e2",
    wood="#e6d3ae",
    points=("#b98a55", "#7e9a86"),
    inks={"red": "#c3151f", "black": "#1a1a1e", "green": "#1b7f3b", "blue": "#1d5fb4", "yellow": "#b07d00"},
    gold="#e0a92e",
    men=_MEN,
)
DARK = replace(
    LIGHT,
    felt="#14241d",
    well="#1d3329",
    ink="#e8efe9",
    faint="#9db0a4",
    mark="#5fd39a",
    lit="#ffc94d",
    paper="#f3f0e6",
    edge="#0a120e",
    back="#274a73",
    weave="#7ea3cb",
    wood="#4a3b28",
    points=("#8a6238", "#5d7666"),
    men=(_MEN[0], ("#2f2a2a", "#8d857d"), *_MEN[2:]),
)
_BLACK, _RED, _BLUE, _GREEN = "#1a1a1e", "#c3151f", "#1d5fb4", "#1b7f3b"
_FOUR = {
    "spade": _BLACK,
    "heart": _RED,
    "diamond": _BLUE,
    "club": _GREEN,
    "sword": _BLUE,
    "cup": _RED,
    "coin": "#b07d00",
    "baton": _GREEN,
}


def find_theme(tone: Tone = "light", four_colours: bool = False) -> Theme:
    found = DARK if tone == "dark" else LIGHT
    return replace(found, suits=_FOUR) if four_colours else found
