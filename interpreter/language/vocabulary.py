"""The one table of built-in words: what they take, what they give, what they cost and how they are computed.

The checker reads `takes` and `kinds`, the compiler `emit` and `way` (or calls `apply`), the explainer `apply`, the documentation
`usage` and `meaning`. Nothing else lists words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import Any, Literal

from interpreter.language.ir import ABSENT, NO_NUMBER
from interpreter.language.kinds import (
    BOOL,
    PAIR,
    PLAYER,
    SOME_NUMBER,
    UNKNOWN,
    Kind,
    List,
    Number,
    Pile,
    join,
    lengths,
    number,
)

Kinds = Sequence[Kind]
_MANY = 2**26


Role = Literal["pile", "piles", "list", "list or pair", "list or number", "number", "player", "piece"]
"""What an argument is turned into: a pile stays one or becomes a list of its pieces, tables and families become lists, of `piles`
a single one becomes a list. `list or number` is a list if it is the only argument."""

Way = Literal["first", "last", "count", "sum", "greatest", "smallest", "join", "started", "vacant", "gather"]
"""A way of writing a call as a loop or an expression of its own, in `compiling`."""


@dataclass(frozen=True, slots=True)
class Word:
    """
    takes     a role per argument; the last is repeated if `many`, and as many as `optional` says may be left out
    kinds     the kind of the value, or what is wrong, from the kinds of the arguments
    apply     the value from (piles, arguments); the reference implementation
    emit      Python source from the source of the arguments, where a call would be slow
    way       how the compiler writes it where even that would be slow
    world     `apply` takes all constants of the game, not only the piles
    absent    `apply` is also told what stands for an absent value of its kind
    ordered   the value depends on the order of the pieces or items it is given
    member    of a pair: which of its players
    pieces    which pieces of its piles it gives
    cost      how many steps it takes at most
    """

    name: str
    usage: str
    meaning: str
    takes: tuple[Role, ...]
    kinds: Callable[[Kinds], Kind | str]
    apply: Callable[..., Any]
    emit: str = ""
    way: Way | None = None
    optional: int = 0
    many: bool = False
    world: bool = False
    absent: bool = False
    ordered: bool = False
    member: Literal[0, 1, None] = None
    pieces: Literal["top", "bottom", "all", None] = None
    cost: Callable[[Kinds], int] = lambda kinds: 1 + sum(lengths(k)[1] for k in kinds)


def _list(kind: Kind) -> List:
    assert isinstance(kind, List)
    return kind


def _bounds(kind: Kind) -> Number:
    assert isinstance(kind, Number)
    return kind


def _top(kinds: Kinds) -> Kind:
    pile = kinds[0]
    return pile.piece.maybe() if isinstance(pile, Pile) else UNKNOWN


def _item(kinds: Kinds) -> Kind:
    if kinds[0].name == "pair":
        return PLAYER.maybe(kinds[0].optional)
    items = _list(kinds[0])
    return items.item.maybe(items.item.optional or items.least == 0)


def _last(kinds: Kinds) -> Kind | str:
    if len(kinds) == 1:
        return _item(kinds)
    if kinds[0].name == "pair":
        return "a pair has two players: `last(pair)` takes no number"
    items, count = _list(kinds[0]), _bounds(kinds[1])
    least = 0 if count.optional else max(0, min(items.least, count.low))
    return List(items.item, min(items.most, max(0, count.high)), least)


def _tails(kinds: Kinds) -> Kind:
    items = _list(kinds[0])
    return List(List(items.item, items.most, 1), items.most, items.least)


def _sum(kinds: Kinds) -> Kind | str:
    items = _list(kinds[0])
    if not isinstance(items.item, Number):
        return "sum adds numbers" if items.item.name != "unknown" else SOME_NUMBER
    if items.item.optional:
        return "some of these numbers may be absent: say `otherwise`"
    low, high = items.item.low, items.item.high
    return number(min(low * items.most, low * items.least), max(high * items.most, high * items.least))


def _extreme(kinds: Kinds) -> Kind | str:
    if len(kinds) == 1:
        items = _list(kinds[0])
        if items.item.name not in ("number", "row", "unknown"):
            return "only numbers and rows have a greatest and a smallest"
        return items.item.maybe(items.item.optional or items.least == 0)
    found = [_bounds(kind) for kind in kinds]
    bounds = number(min(k.low for k in found), max(k.high for k in found))
    return bounds.maybe(any(k.optional for k in found))


def _subsets(kinds: Kinds) -> Kind | str:
    items, sizes = _list(kinds[0]), _sizes(kinds)
    if _subset_count(kinds) > _MANY:
        return f"a list of up to {items.most} items has too many subsets"
    if len(kinds) == 1:
        return List(List(items.item, items.most), 2**items.most, 2**items.least)
    total = max((comb(items.most, k) for k in sizes), default=0)
    return List(List(items.item, max(sizes, default=0), min(sizes, default=0)), total)


def _sizes(kinds: Kinds) -> range:
    most = _list(kinds[0]).most
    if len(kinds) == 1:
        return range(most + 1)
    size = _bounds(kinds[1])
    return range(max(0, size.low), min(most, size.high) + 1)


def _subset_count(kinds: Kinds) -> int:
    """How many subsets there may be; no more is counted than is too many."""
    most = _list(kinds[0]).most
    if len(kinds) == 1:
        return 1 << min(most, 60)
    return max((comb(most, k) for k in _sizes(kinds)), default=0)


def _all_different(kinds: Kinds) -> Kind | str:
    return BOOL if kinds[0].of_item.name != "list" else "lists are not compared with each other here"


def _in_order(kinds: Kinds) -> Kind | str:
    if kinds[0].of_item.name not in ("number", "row", "piece", "unknown"):
        return "only numbers, rows and pieces have an order"
    return kinds[0]


def _kinds(kinds: Kinds) -> Kind | str:
    items = _list(kinds[0])
    if items.item.name == "list":
        return "lists are not compared with each other here"
    return List(items.item, items.most, min(1, items.least))


def _pieces(kinds: Kinds) -> Kind:
    piles = _list(kinds[0])
    if not isinstance(piles.item, Pile):
        return List(UNKNOWN, 0)
    return List(piles.item.piece, piles.most * piles.item.room)


def _joined(kinds: Kinds) -> Kind | str:
    item: Kind | None = kinds[0].of_item
    for kind in kinds[1:]:
        item = join(item, kind.of_item) if item else None
    if item is None:
        return "these are not all piles"
    least = sum(_list(kind).least for kind in kinds if not kind.of_item.optional)
    return List(item.maybe(False), sum(_list(kind).most for kind in kinds), least)


def _some(kinds: Kinds) -> Kind:
    """Some of these piles."""
    piles = _list(kinds[0])
    return List(piles.item.maybe(False), piles.most)


def _number_of(kinds: Kinds) -> Kind:
    pile = kinds[0]
    return number(1, pile.numbers).maybe(pile.optional) if isinstance(pile, Pile) else SOME_NUMBER


def _without_sign(kinds: Kinds) -> Kind:
    found = _bounds(kinds[0])
    low = 0 if found.low <= 0 <= found.high else min(abs(found.low), abs(found.high))
    return number(low, max(abs(found.low), abs(found.high))).maybe(found.optional)


def _cards(piles: Any, numbers: Sequence[int]) -> list[int]:
    return [piece for n in numbers if n >= 0 for piece in piles[n]]


def _vacant(piles: Any, numbers: Sequence[int]) -> int:
    return next((n for n in numbers if n >= 0 and not piles[n]), ABSENT)


def _first(piles: Any, items: Any, *, absent: int = ABSENT) -> Any:
    return items[0] if items else absent


def _last_of(piles: Any, items: Any, count: int | None = None, *, absent: int = ABSENT) -> Any:
    if count is None:
        return items[-1] if items else absent
    return list(items[-count:]) if count > 0 else []


def _subsets_of(piles: Any, items: Sequence[Any], size: int | None = None) -> list[tuple[Any, ...]]:
    sizes = range(len(items) + 1) if size is None else [size] if size >= 0 else []
    return [chosen for k in sizes for chosen in combinations(items, k)]


def _largest(piles: Any, *items: Any, absent: int = NO_NUMBER) -> Any:
    return _best(max, items, absent)


def _smallest(piles: Any, *items: Any, absent: int = NO_NUMBER) -> Any:
    return _best(min, items, absent)


def _best(choose: Callable[..., int], items: tuple[Any, ...], absent: int) -> int:
    """Of one list, passing over what is absent; or of several numbers, absent if one of them is."""
    if len(items) > 1:
        return absent if absent in items else choose(items)
    return choose((value for value in items[0] if value != absent), default=absent)


def _distinct(piles: Any, items: Sequence[Any]) -> bool:
    return len(set(items)) == len(items)


def _kinds_of(piles: Any, pieces: Sequence[int]) -> list[int]:
    return list(dict.fromkeys(pieces))


def _joined_piles(piles: Any, *lists: Sequence[int]) -> list[int]:
    return [n for numbers in lists for n in numbers if n >= 0]


_LIST: tuple[Role, ...] = ("list",)
_TABLE = [
    Word(
        "top",
        "top(pile)",
        "the top piece, absent if the pile is empty",
        ("pile",),
        _top,
        lambda P, p: (P[p] or (ABSENT,))[-1],
        "(P[{0}] or NONE)[-1]",
        ordered=True,
        pieces="top",
    ),
    Word(
        "bottom",
        "bottom(pile)",
        "the bottom piece, absent if the pile is empty",
        ("pile",),
        _top,
        lambda P, p: (P[p] or (ABSENT,))[0],
        "(P[{0}] or NONE)[0]",
        ordered=True,
        pieces="bottom",
    ),
    Word(
        "first",
        "first(list)",
        "the first item, absent if there is none; of a pair, its first player",
        ("list or pair",),
        _item,
        _first,
        way="first",
        absent=True,
        ordered=True,
        member=0,
    ),
    Word(
        "last",
        "last(list), last(list, n)",
        "the last item; the last n items; of a pair, its second player",
        ("list or pair", "number"),
        _last,
        _last_of,
        way="last",
        optional=1,
        absent=True,
        ordered=True,
        member=1,
    ),
    Word(
        "tails",
        "tails(list)",
        "every non-empty end of a list, longest first",
        _LIST,
        _tails,
        lambda P, xs: [tuple(xs[i:]) for i in range(len(xs))],
        ordered=True,
    ),
    Word(
        "count",
        "count(list)",
        "how many",
        _LIST,
        lambda k: number(_list(k[0]).least, _list(k[0]).most),
        lambda P, xs: len(xs),
        "len({0})",
        way="count",
    ),
    Word("sum", "sum(list)", "the numbers added up", _LIST, _sum, lambda P, xs: sum(xs), "sum({0})", way="sum"),
    Word(
        "max",
        "max(list), max(a, b)",
        "the greatest; absent if there is none",
        ("list or number",),
        _extreme,
        _largest,
        way="greatest",
        many=True,
        absent=True,
    ),
    Word(
        "min",
        "min(list), min(a, b)",
        "the smallest; absent if there is none",
        ("list or number",),
        _extreme,
        _smallest,
        way="smallest",
        many=True,
        absent=True,
    ),
    Word(
        "abs",
        "abs(n)",
        "the number without its sign",
        ("number",),
        _without_sign,
        lambda P, n: abs(n) if n != NO_NUMBER else n,
    ),
    Word(
        "cards",
        "cards(piles)",
        "all the pieces of these piles",
        ("piles",),
        _pieces,
        _cards,
        way="gather",
        pieces="all",
    ),
    Word(
        "piles",
        "piles(a, b, …)",
        "one list of these piles and families",
        ("piles",),
        _joined,
        _joined_piles,
        way="join",
        many=True,
    ),
    Word(
        "started",
        "started(piles)",
        "those that are not empty",
        ("piles",),
        _some,
        lambda P, ns: [n for n in ns if P[n]],
        "[n for n in {0} if P[n]]",
        way="started",
    ),
    Word(
        "vacant",
        "vacant(piles)",
        "the first that is empty, or absent",
        ("piles",),
        lambda k: k[0].of_item.maybe(),
        _vacant,
        way="vacant",
    ),
    Word(
        "index",
        "index(pile)",
        "its number in its family",
        ("pile",),
        _number_of,
        lambda W, p: W.INDEX[p],
        "INDEX[{0}]",
        world=True,
    ),
    Word(
        "subsets",
        "subsets(list), subsets(list, k)",
        "all its subsets; all of k items",
        ("list", "number"),
        _subsets,
        _subsets_of,
        optional=1,
        cost=_subset_count,
    ),
    Word("distinct", "distinct(list)", "are all items different", _LIST, _all_different, _distinct),
    Word(
        "kinds",
        "kinds(pile)",
        "one of each indistinguishable piece",
        _LIST,
        _kinds,
        _kinds_of,
        "list(dict.fromkeys({0}))",
    ),
    Word(
        "reversed",
        "reversed(list)",
        "the list backwards",
        _LIST,
        lambda k: k[0],
        lambda P, xs: list(xs)[::-1],
        ordered=True,
    ),
    Word("sorted", "sorted(list)", "the items from lowest to highest", _LIST, _in_order, lambda P, xs: sorted(xs)),
    Word(
        "up",
        "up(piece)",
        "does it lie face up",
        ("piece",),
        lambda k: BOOL,
        lambda P, c: c >= 0 and c & 1 == 1,
        "({0} >= 0 and {0} & 1 == 1)",
    ),
    Word(
        "next",
        "next(p)",
        "the player after p",
        ("player",),
        lambda k: PLAYER,
        lambda W, p: W.NEXT[p],
        "NEXT[{0}]",
        world=True,
    ),
    Word(
        "seat",
        "seat(p, n)",
        "the player n seats after p",
        ("player", "number"),
        lambda k: PLAYER,
        lambda W, p, n: (p + n) % W.SEATS,
        "({0} + {1}) % SEATS",
        world=True,
    ),
    Word(
        "round",
        "round(p)",
        "all players starting with p",
        ("player",),
        lambda k: List(PLAYER, 99, 1),
        lambda W, p: W.ROUND[p],
        "ROUND[{0}]",
        world=True,
    ),
    Word(
        "pair",
        "pair(p, q)",
        "the pair of two players; absent if they are one",
        ("player", "player"),
        lambda k: PAIR.maybe(),
        lambda W, p, q: W.PAIR[p][q],
        "PAIR[{0}][{1}]",
        world=True,
    ),
]

WORDS: dict[str, Word] = {word.name: word for word in _TABLE}

NAMES: dict[str, str] = {
    "me": "the player who acts",
    "opponent": "the other of two players",
    "others": "all players but the one who acts",
    "players": "all players in seat order",
    "pairs": "all pairs of players",
    "card": "the piece that a move takes",
    "from": "the pile a move takes it from",
    "to": "the pile a move puts it on",
    "move": "the move under judgement, in an obligation",
    "fault": "the obligation broken by the last move, or absent",
    "order": "the place of a row in its table; 1 is lowest",
}
"""Built-in words that are not calls."""
