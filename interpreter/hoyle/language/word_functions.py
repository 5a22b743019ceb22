"""Functions of the vocabulary: the kind of each word's value from the kinds of its arguments, and its value from their values.

Functions of kinds return a message if the arguments do not fit; the roles of the word have been checked before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import comb
from typing import Any

from hoyle.diagnostics import LocalizedText
from hoyle.language.ir import ABSENT, NO_NUMBER
from hoyle.language.kinds import BOOL, PLAYER, SOME_NUMBER, UNKNOWN, Kind, List, Number, Pile, join, number
from hoyle.language.sentences import make_message

Kinds = Sequence[Kind]
_MANY = 2**26
MOST_SEATS = 16


def as_list(kind: Kind) -> List:
    assert isinstance(kind, List)
    return kind


def as_number(kind: Kind) -> Number:
    assert isinstance(kind, Number)
    return kind


def top(kinds: Kinds) -> Kind:
    pile = kinds[0]
    return pile.piece.maybe() if isinstance(pile, Pile) else UNKNOWN


def item(kinds: Kinds) -> Kind:
    if kinds[0].name == "pair":
        return PLAYER.maybe(kinds[0].optional)
    items = as_list(kinds[0])
    return items.item.maybe(items.item.optional or items.least == 0)


def end(kinds: Kinds) -> Kind | LocalizedText:
    """The kind of one item at an end of a list, or of so many."""
    if len(kinds) == 1:
        return item(kinds)
    if kinds[0].name == "pair":
        return make_message("word_kinds.pair")
    items, count = as_list(kinds[0]), as_number(kinds[1])
    least = 0 if count.optional else max(0, min(items.least, count.low))
    return List(items.item, min(items.most, max(0, count.high)), least)


def tails(kinds: Kinds) -> Kind:
    items = as_list(kinds[0])
    return List(List(items.item, items.most, 1), items.most, items.least)


def total(kinds: Kinds) -> Kind | LocalizedText:
    items = as_list(kinds[0])
    if not isinstance(items.item, Number):
        return make_message("word_kinds.sum") if items.item.name != "unknown" else SOME_NUMBER
    if items.item.optional:
        return make_message("word_kinds.absent")
    low, high = items.item.low, items.item.high
    return Number(min(low * items.most, low * items.least), max(high * items.most, high * items.least))


def greatest(kinds: Kinds) -> Kind | LocalizedText:
    if len(kinds) == 1:
        return _extreme(as_list(kinds[0]))
    found = [as_number(kind) for kind in kinds]
    least = max((k.low for k in found if not k.optional), default=min(k.low for k in found))
    return number(least, max(k.high for k in found)).maybe(any(k.optional for k in found))


def smallest(kinds: Kinds) -> Kind | LocalizedText:
    if len(kinds) == 1:
        return _extreme(as_list(kinds[0]))
    found = [as_number(kind) for kind in kinds]
    most = min((k.high for k in found if not k.optional), default=max(k.high for k in found))
    return number(min(k.low for k in found), most).maybe(any(k.optional for k in found))


def _extreme(items: List) -> Kind | LocalizedText:
    if items.item.name not in ("number", "row", "unknown"):
        return make_message("word_kinds.extreme")
    return items.item.maybe(items.item.optional or items.least == 0)


def subsets(kinds: Kinds) -> Kind | LocalizedText:
    items, sizes = as_list(kinds[0]), _sizes(kinds)
    if subset_count(kinds) > _MANY:
        return make_message("word_kinds.subsets", most=items.most)
    if len(kinds) == 1:
        return List(List(items.item, items.most), 2**items.most, 2**items.least)
    total = max((comb(items.most, k) for k in sizes), default=0)
    return List(List(items.item, max(sizes, default=0), min(sizes, default=0)), total)


def _sizes(kinds: Kinds) -> range:
    most = as_list(kinds[0]).most
    if len(kinds) == 1:
        return range(most + 1)
    size = as_number(kinds[1])
    return range(max(0, size.low), min(most, size.high) + 1)


def subset_count(kinds: Kinds) -> int:
    """The number of subsets, capped far above what is allowed."""
    most = as_list(kinds[0]).most
    if len(kinds) == 1:
        return 1 << min(most, 60)
    return max((comb(most, k) for k in _sizes(kinds)), default=0)


def all_different(kinds: Kinds) -> Kind | LocalizedText:
    return BOOL if kinds[0].of_item.name != "list" else make_message("word_kinds.lists")


def in_order(kinds: Kinds) -> Kind | LocalizedText:
    if kinds[0].of_item.name not in ("number", "row", "piece", "unknown"):
        return make_message("word_kinds.order")
    return kinds[0]


def different(kinds: Kinds) -> Kind | LocalizedText:
    items = as_list(kinds[0])
    if items.item.name == "list":
        return make_message("word_kinds.lists")
    return List(items.item, items.most, min(1, items.least))


def pieces(kinds: Kinds) -> Kind:
    piles = as_list(kinds[0])
    if not isinstance(piles.item, Pile):
        return List(UNKNOWN, 0)
    return List(piles.item.piece, piles.most * piles.item.room)


def joined(kinds: Kinds) -> Kind | LocalizedText:
    item: Kind | None = kinds[0].of_item
    for kind in kinds[1:]:
        item = join(item, kind.of_item) if item else None
    if item is None:
        return make_message("word_kinds.piles")
    least = sum(as_list(kind).least for kind in kinds if not kind.of_item.optional)
    return List(item.maybe(False), sum(as_list(kind).most for kind in kinds), least)


def some(kinds: Kinds) -> Kind:
    """The kind of a selection of these piles."""
    piles = as_list(kinds[0])
    return List(piles.item.maybe(False), piles.most)


def number_in_family(kinds: Kinds) -> Kind:
    pile = kinds[0]
    return number(pile.first, pile.last).maybe(pile.optional) if isinstance(pile, Pile) else SOME_NUMBER


def without_sign(kinds: Kinds) -> Kind:
    found = as_number(kinds[0])
    low = 0 if found.low <= 0 <= found.high else min(abs(found.low), abs(found.high))
    return number(low, max(abs(found.low), abs(found.high))).maybe(found.optional)


def of_side(kinds: Kinds) -> Kind:
    """The players of a side; one where nobody plays together."""
    return List(PLAYER, 1, 1) if kinds[0].name == "player" else some_players(kinds)


def some_players(kinds: Kinds) -> Kind:
    return List(PLAYER, MOST_SEATS, 1)


def how_many(kinds: Kinds) -> Kind:
    items = as_list(kinds[0])
    return number(items.least, items.most)


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
