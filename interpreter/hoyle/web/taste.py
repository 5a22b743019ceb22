"""How somebody wants to be shown a game."""

from __future__ import annotations

from msgspec import Struct

from hoyle.pictures.fitting import Fit


class Taste(Struct, frozen=True):
    """`width` and `height`: of the room for the picture; 0: as it likes. `before`: the sizes of the picture that was drawn last for it."""

    lang: str = "en"
    tone: str = "light"
    four_colours: bool = False
    width: int = 0
    height: int = 0
    before: Fit | None = None
