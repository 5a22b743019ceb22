"""How much room a table may take: what is drawn large where there is room, and small where there is not."""

from __future__ import annotations

from msgspec import Struct


class Way(Struct, frozen=True):
    """With `strips` columns lie as lines and boards are low. What is `tight` lies beside each other, and what is empty is left out. If only so `few`
    pieces are shown, then of the end of each strip, and no sheet that the end of a deal shows; perhaps `no_sheets` at all."""

    strips: bool = False
    tight: bool = False
    few: int = 0
    no_sheets: bool = False


WHOLE = (Way(), Way(tight=True), Way(strips=True), Way(strips=True, tight=True))
"""Ways that show everything, from the largest on."""
FEWEST = 1
"""With so few no more is said of nobody alone than fits a line."""
BRIEF = tuple(Way(True, True, few, none) for few, none in ((6, False), (6, True), (3, True), (FEWEST, True)))
"""Ways that do not."""
