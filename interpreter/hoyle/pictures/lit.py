"""What is lit in a picture: pieces by their pile and their height in it, and places from which something went."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hoyle.views import PileView

PLACE = -1
"""Instead of a height: the pile itself."""
Lit = frozenset[tuple[str, int]]
"""Keys of piles, with a height or PLACE."""


def moved(before: Iterable[PileView], after: Iterable[PileView]) -> Lit:
    """What somebody who saw the one and sees the other knows to have moved; nothing, where that is most of what there is: it was dealt anew."""
    then, now = list(before), list(after)
    found = [mark for one, other in zip(then, now, strict=True) for mark in _moved(one, other)]
    pieces = sum(height != PLACE for _, height in found)
    return frozenset(found) if pieces * 2 <= sum(pile.count for pile in now) else frozenset()


def _moved(before: PileView, after: PileView) -> Iterator[tuple[str, int]]:
    """A pile that has fewer pieces than it had; those that another one has more, or that are others now."""
    if after.count < before.count:
        yield after.key, PLACE
    same = min(before.count, after.count)
    yield from ((after.key, height) for height in range(same, after.count))
    if after.count < before.count:
        return
    for height, (one, other) in enumerate(zip(before.pieces, after.pieces, strict=False)):
        if None not in (one.sign, other.sign) and one.sign != other.sign:
            yield after.key, height
