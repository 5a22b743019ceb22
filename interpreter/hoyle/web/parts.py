"""What a browser has been sent already: of a picture, and of the words for its piles, most is as it was one move before. Both ends number the parts
alike, and what was sent is sent by its number."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import msgspec

MOST = 4000
"""After so many parts all are forgotten at both ends."""
_PARTS = re.compile(r'(<g class="piece"[^>]*>|\n)')
Packed = list[Any]


class Sent:
    """The parts that one browser knows."""

    def __init__(self) -> None:
        self._numbers: dict[str | bytes, int] = {}

    def picture(self, svg: str) -> Packed:
        """A picture, taken apart at its lines and its pieces."""
        return self._packed((part, part) for part in _PARTS.split(svg) if part)

    def piles(self, piles: Iterable[Any]) -> Packed:
        return self._packed((msgspec.json.encode(pile), pile) for pile in piles)

    def _packed(self, parts: Iterable[tuple[str | bytes, Any]]) -> Packed:
        """Numbers of parts that are known; what is new, itself: it has the next number. None: all before is forgotten."""
        found: Packed = []
        if len(self._numbers) > MOST:
            self._numbers.clear()
            found.append(None)
        for key, part in parts:
            number = self._numbers.get(key)
            if number is None:
                self._numbers[key] = len(self._numbers)
                found.append(part)
            else:
                found.append(number)
        return found
