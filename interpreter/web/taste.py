"""How somebody wants to be shown a game."""

from __future__ import annotations

from msgspec import Struct


class Taste(Struct, frozen=True):
    """`width`: how wide the picture is meant to be; 0: as it likes."""

    lang: str = "en"
    tone: str = "light"
    four_colours: bool = False
    width: int = 0
