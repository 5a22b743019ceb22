"""What generated code calls to compare, search and order lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from interpreter.language.evaluate import same
from interpreter.language.kinds import Kind


def same_lists(a: Any, b: Any, piece: bool) -> bool:
    """Are two lists equal item by item (pieces whatever their faces)?"""
    return [x >> 1 for x in a] == [x >> 1 for x in b] if piece else list(a) == list(b)


def in_kinds(a: Any, items: Any, left: Kind, right: Kind) -> bool:
    """Is a list among these, compared item by item?"""
    return any(same(a, b, left, right) for b in items)


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
