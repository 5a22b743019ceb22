"""Offsets as browsers count them, in UTF-16 code units, and as Python does, in characters."""

from __future__ import annotations

import re
from bisect import bisect_left

_WIDE = re.compile("[\U00010000-\U0010ffff]")


class Offsets:
    """Conversions for one text. Characters outside the basic plane count twice in a browser."""

    def __init__(self, text: str) -> None:
        self._length = len(text)
        self._wide = [] if text.isascii() else [match.start() for match in _WIDE.finditer(text)]
        self._wide_units = [at + count for count, at in enumerate(self._wide)]

    def to_units(self, at: int) -> int:
        return at + bisect_left(self._wide, at)

    def from_units(self, units: int) -> int:
        """Return the offset in characters, clamped to the text."""
        return max(0, min(self._length, units - bisect_left(self._wide_units, units)))
