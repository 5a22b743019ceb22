"""Shapes that are drawn again and again, in a square of 100 around the middle: the suits, and the halves of court cards."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.pictures.figures import FIGURES
from interpreter.pictures.svg import element, lines

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


def defined(used: Iterable[str]) -> str:
    """The definitions of these shapes. They have no colours of their own, so that several pictures on a page agree about them."""
    return element("defs", lines(_shape(name) for name in sorted(set(used))))


def _shape(name: str) -> str:
    if name in FIGURES:
        return element("g", FIGURES[name](), id=f"hoyle-{name}")
    return element("path", id=f"hoyle-{name}", d=PATHS[name], fill_rule="evenodd")
