"""Functions of the vocabulary: the type of each word's value from the types of its arguments, and its value from their values.

Functions of types return a message if the arguments do not fit; the roles of the word have been checked before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb
from typing import Any

from hoyle.diagnostics import LocalizedText
from hoyle.language.ir import ABSENT, NO_NUMBER
from hoyle.language.sentences import make_message
from hoyle.language.value_types import (
    BOOL,
    PLAYER,
    SOME_NUMBER,
    UNKNOWN,
    List,
    Number,
    Pile,
    ValueType,
    join_types,
    make_number_type,
)

ValueTypes = Sequence[ValueType]
_MANY = 2**26
MOST_SEATS = 16


def as_list(value_type: ValueType) -> List:
    assert isinstance(value_type, List)
    return value_type


def as_number(value_type: ValueType) -> Number:
    assert isinstance(value_type, Number)
    return value_type


def top(types: ValueTypes) -> ValueType:
    pile = types[0]
    return pile.piece.with_optional() if isinstance(pile, Pile) else UNKNOWN


def item(types: ValueTypes) -> ValueType:
    if types[0].name == "pair":
        return PLAYER.with_optional(types[0].optional)
    items = as_list(types[0])
    return items.item.with_optional(items.item.optional or items.least == 0)


def end(types: ValueTypes) -> ValueType | LocalizedText:
    """The type of one item at an end of a list, or of so many."""
    if len(types) == 1:
        return item(types)
    if types[0].name == "pair":
        return make_message("word_kinds.pair")
    items, count = as_list(types[0]), as_number(types[1])
    least = 0 if count.optional else max(0, min(items.least, count.low))
    return List(items.item, min(items.most, max(0, count.high)), least)


def tails(types: ValueTypes) -> ValueType:
    items = as_list(types[0])
    return List(List(items.item, items.most, 1), items.most, items.least)


def total(types: ValueTypes) -> ValueType | LocalizedText:
    items = as_list(types[0])
    if not isinstance(items.item, Number):
        return make_message("word_kinds.sum") if items.item.name != "unknown" else SOME_NUMBER
    if items.item.optional:
        return make_message("word_kinds.absent")
    low, high = items.item.low, items.item.high
    return Number(min(low * items.most, low * items.least), max(high * items.most, high * items.least))


def greatest(types: ValueTypes) -> ValueType | LocalizedText:
    if len(types) == 1:
        return _extreme(as_list(types[0]))
    found = [as_number(value_type) for value_type in types]
    least = max((k.low for k in found if not k.optional), default=min(k.low for k in found))
    return make_number_type(least, max(k.high for k in found)).with_optional(any(k.optional for k in found))


def smallest(types: ValueTypes) -> ValueType | LocalizedText:
    if len(types) == 1:
        return _extreme(as_list(types[0]))
    found = [as_number(value_type) for value_type in types]
    most = min((k.high for k in found if not k.optional), default=max(k.high for k in found))
    return make_number_type(min(k.low for k in found), most).with_optional(any(k.optional for k in found))


def _extreme(items: List) -> ValueType | LocalizedText:
    if items.item.name not in ("number", "row", "unknown"):
        return make_message("word_kinds.extreme")
    return items.item.with_optional(items.item.optional or items.least == 0)


def subsets(types: ValueTypes) -> ValueType | LocalizedText:
    items, sizes = as_list(types[0]), _sizes(types)
    if subset_count(types) > _MANY:
        return make_message("word_kinds.subsets", most=items.most)
    if len(types) == 1:
        return List(List(items.item, items.most), 2**items.most, 2**items.least)
    total = max((comb(items.most, k) for k in sizes), default=0)
    return List(List(items.item, max(sizes, default=0), min(sizes, default=0)), total)


def _sizes(types: ValueTypes) -> range:
    most = as_list(types[0]).most
    if len(types) == 1:
        return range(most + 1)
    size = as_number(types[1])
    return range(max(0, size.low), min(most, size.high) + 1)


def subset_count(types: ValueTypes) -> int:
    """The number of subsets, capped far above what is allowed."""
    most = as_list(types[0]).most
    if len(types) == 1:
        return 1 << min(most, 60)
    return max((comb(most, k) for k in _sizes(types)), default=0)


def all_different(types: ValueTypes) -> ValueType | LocalizedText:
    return BOOL if types[0].item_type.name != "list" else make_message("word_kinds.lists")


def in_order(types: ValueTypes) -> ValueType | LocalizedText:
    if types[0].item_type.name not in ("number", "row", "piece", "unknown"):
        return make_message("word_kinds.order")
    return types[0]


def different(types: ValueTypes) -> ValueType | LocalizedText:
    items = as_list(types[0])
    if items.item.name == "list":
        return make_message("word_kinds.lists")
    return List(items.item, items.most, min(1, items.least))


def pieces(types: ValueTypes) -> ValueType:
    piles = as_list(types[0])
    if not isinstance(piles.item, Pile):
        return List(UNKNOWN, 0)
    return List(piles.item.piece, piles.most * piles.item.room)


def joined(types: ValueTypes) -> ValueType | LocalizedText:
    item: ValueType | None = types[0].item_type
    for value_type in types[1:]:
        item = join_types(item, value_type.item_type) if item else None
    if item is None:
        return make_message("word_kinds.piles")
    least = sum(as_list(value_type).least for value_type in types if not value_type.item_type.optional)
    return List(item.with_optional(False), sum(as_list(value_type).most for value_type in types), least)


def some(types: ValueTypes) -> ValueType:
    """The type of a selection of these piles."""
    piles = as_list(types[0])
    return List(piles.item.with_optional(False), piles.most)


def number_in_family(types: ValueTypes) -> ValueType:
    pile = types[0]
    return (
        make_number_type(pile.first, pile.last).with_optional(pile.optional) if isinstance(pile, Pile) else SOME_NUMBER
    )


def without_sign(types: ValueTypes) -> ValueType:
    found = as_number(types[0])
    low = 0 if found.low <= 0 <= found.high else min(abs(found.low), abs(found.high))
    return make_number_type(low, max(abs(found.low), abs(found.high))).with_optional(found.optional)


def of_side(types: ValueTypes) -> ValueType:
    """The players of a side; one where nobody plays together."""
    return List(PLAYER, 1, 1) if types[0].name == "player" else some_players(types)


def some_players(types: ValueTypes) -> ValueType:
    return List(PLAYER, MOST_SEATS, 1)


def how_many(types: ValueTypes) -> ValueType:
    items = as_list(types[0])
    return make_number_type(items.least, items.most)


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


def highest_of(piles: Any, *items: Any, absent: int = NO_NUMBER) -> Any:
    return best(max, items, absent)


def lowest_of(piles: Any, *items: Any, absent: int = NO_NUMBER) -> Any:
    return best(min, items, absent)


def best(choose: Callable[..., int], items: tuple[Any, ...], absent: int) -> int:
    """The best item of one list without its absent items; or of several numbers, absent if one is."""
    if len(items) > 1:
        return absent if absent in items else choose(items)
    return choose((value for value in items[0] if value != absent), default=absent)


def distinct(piles: Any, items: Sequence[Any]) -> bool:
    return len(set(items)) == len(items)


def kinds_of(piles: Any, pieces: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(pieces))


def joined_piles(piles: Any, *lists: Sequence[int]) -> list[int]:
    return [n for numbers in lists for n in numbers if n >= 0]
