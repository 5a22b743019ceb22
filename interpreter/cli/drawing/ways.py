"""How much room a table may take: what is drawn large where there is room, and small where there is not."""

from __future__ import annotations

from msgspec import Struct


class Way(Struct, frozen=True):
    """With `strips` columns lie as lines and boards are low. What is `tight` lies beside each other, and what is empty is left out. If only so `few`
    pieces are shown, then of the end of each strip, and sheets are named alone."""

    strips: bool = False
    tight: bool = False
    few: int = 0


WHOLE = (Way(), Way(tight=True), Way(strips=True), Way(strips=True, tight=True))
"""Ways that show everything, from the largest on."""
BRIEF = tuple(Way(strips=True, tight=True, few=few) for few in (6, 3, 1))
"""Ways that do not."""
