"""What is told along with points and words, and the ends that are told."""

from __future__ import annotations

from collections.abc import Sequence

ENDED = ("trick", "deal")
"""What `ends` tells the end of, by its number in the log."""
Groups = Sequence[Sequence[int]]
"""Pieces that are told along with something, as they belong together."""


def in_the_open(of: Groups) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """What is told of pieces: nothing, unless all of them lie face up."""
    found = tuple(group for pieces in of if (group := tuple(p for p in pieces if p >= 0)))
    return (found,) if found and all(p & 1 for group in found for p in group) else ()
