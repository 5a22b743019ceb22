"""What words are worth: the functions of piles and arguments that say it, for the explainer and for generated code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from hoyle.language.ir import ABSENT, NO_NUMBER


def cards(piles: Any, numbers: Sequence[int]) -> list[int]:
    return [piece for n in numbers if n >= 0 for piece in piles[n]]


def vacant(piles: Any, numbers: Sequence[int]) -> int:
    return next((n for n in numbers if n >= 0 and not piles[n]), ABSENT)


def first_of(piles: Any, items: Any, count: int | None = None, *, absent: int = ABSENT) -> Any:
    if count is None:
        return items[0] if items else absent
    return list(items[:count]) if count > 0 else []


def last_of(piles: Any, items: Any, count: int | None = None, *, absent: int = ABSENT) -> Any:
    if count is None:
        return items[-1] if items else absent
    return list(items[-count:]) if count > 0 else []


def subsets_of(piles: Any, items: Sequence[Any], size: int | None = None) -> list[tuple[Any, ...]]:
    if size is not None:
        return list(combinations(items, size)) if size >= 0 else []
    return [chosen for k in range(len(items) + 1) for chosen in combinations(items, k)]


def tails_of(piles: Any, items: Sequence[Any]) -> list[tuple[Any, ...]]:
    whole = tuple(items)
    return [whole[first:] for first in range(len(whole))]


def largest(piles: Any, *items: Any, absent: int = NO_NUMBER) -> Any:
    return best(max, items, absent)


def smallest(piles: Any, *items: Any, absent: int = NO_NUMBER) -> Any:
    return best(min, items, absent)


def best(choose: Callable[..., int], items: tuple[Any, ...], absent: int) -> int:
    """Of one list, passing over what is absent; or of several numbers, absent if one of them is."""
    if len(items) > 1:
        return absent if absent in items else choose(items)
    return choose((value for value in items[0] if value != absent), default=absent)


def distinct(piles: Any, items: Sequence[Any]) -> bool:
    return len(set(items)) == len(items)


def kinds_of(piles: Any, pieces: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(pieces))


def joined_piles(piles: Any, *lists: Sequence[int]) -> list[int]:
    return [n for numbers in lists for n in numbers if n >= 0]
