"""Shapes that are drawn again and again, in a square of 100 around the middle: the suits, and the halves of court cards."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.pictures.figures import FIGURES
from interpreter.pictures.svg import element, lines

SUITS = {"♠": "spade", "♥": "heart", "♦": "diamond", "♣": "club"}
_PATHS = {
    "spade": "M0-48C12-30 44-12 44 14C44 38 14 40 5 24C6 36 10 44 18 48H-18C-10 44-6 36-5 24C-14 40-44 38-44 14C-44-12-12-30 0-48Z",
    "heart": "M0 48C-10 28-46 8-46-18C-46-50-8-52 0-24C8-52 46-50 46-18C46 8 10 28 0 48Z",
    "diamond": "M0-50C8-32 24-12 38 0C24 12 8 32 0 50C-8 32-24 12-38 0C-24-12-8-32 0-50Z",
    "club": "M0-48A22 22 0 0 1 18-13A22 22 0 1 1 5 19C6 34 10 43 18 48H-18C-10 43-6 34-5 19A22 22 0 1 1-18-13A22 22 0 0 1 0-48Z",
}


def defined(used: Iterable[str]) -> str:
    """The definitions of these shapes. They have no colours of their own, so that several pictures on a page agree about them."""
    return element("defs", lines(_shape(name) for name in sorted(set(used))))


def _shape(name: str) -> str:
    if name in FIGURES:
        return element("g", FIGURES[name](), id=f"hoyle-{name}")
    return element("path", id=f"hoyle-{name}", d=_PATHS[name])
