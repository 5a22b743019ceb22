"""What generated code calls to compare, search and order lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any


def same_lists(a: Any, b: Any, piece: bool) -> bool:
    """Are two lists equal item by item (pieces whatever their faces)?"""
    return [x >> 1 for x in a] == [x >> 1 for x in b] if piece else list(a) == list(b)


def same_kinds(a: Any, b: Any, face: int, left: int, right: int) -> bool:
    """Are two lists, of things or of lists, equal item by item, and all there? `face`: how many bits of a thing do not tell it from others;
    `left` and `right`: what stands for one that is absent."""
    if isinstance(a, int):
        return a != left and b != right and a >> face == b >> face
    return len(a) == len(b) and all(same_kinds(x, y, face, left, right) for x, y in zip(a, b, strict=True))


def in_kinds(a: Any, items: Any, face: int, left: int, right: int) -> bool:
    """Is a list among these, compared item by item?"""
    return any(same_kinds(a, b, face, left, right) for b in items)


def without(items: Sequence[Any], taken: Iterable[Any], face: int, left: int, right: int) -> list[Any]:
    """A list less one item, the last that is the same, for each of `taken`."""
    kept = list(items)
    for item in taken:
        at = next((i for i in reversed(range(len(kept))) if same_kinds(kept[i], item, face, left, right)), None)
        if at is not None:
            del kept[at]
    return kept


def in_list(a: Any, items: Any, piece: bool) -> bool:
    """Is a piece or a list among these?"""
    if piece:
        return a >= 0 and any(a >> 1 == b >> 1 for b in items)
    return any(list(a) == list(b) for b in items)


def left_over(items: Sequence[int], taken: Iterable[int], face: int) -> list[int]:
    """What `without` gives of things of which none is absent; `face`: how many bits of a thing do not tell it from others."""
    left = list(items)
    for item in taken:
        at = next((i for i in reversed(range(len(left))) if left[i] >> face == item >> face), None)
        if at is not None:
            del left[at]
    return left


def in_order(items: list[tuple[Any, Any]]) -> list[Any]:
    """The second of each two, from the least first to the greatest."""
    return [item for _, item in sorted(items, key=lambda found: found[0])]
