"""The one table of built-in words: what they take, what they give, what they cost and how they are computed.

The checker reads `takes` and `kinds`, the compiler `emit` and `way` (or calls `apply`), the explainer `apply`, the documentation
`usage` and `meaning`. Nothing else lists words.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from hoyle.diagnostics import Said
from hoyle.language import word_functions
from hoyle.language.ir import ABSENT, NO_NUMBER
from hoyle.language.kinds import BOOL, PAIR, PLAYER, Kind, lengths
from hoyle.language.sentences import in_all
from hoyle.language.word_functions import Kinds

Role = Literal[
    "pile",
    "piles",
    "list",
    "list or pair",
    "list or number",
    "number",
    "present number",
    "player",
    "perhaps a player",
    "side",
    "piece",
]
"""What an argument is turned into: a pile stays one or becomes a list of its pieces, tables and families become lists, of `piles`
a single one becomes a list. `list or number` is a list if it is the only argument. A player (of whom a side is made), a side and a `present number` may not be absent."""

Way = Literal["first", "last", "count", "sum", "greatest", "smallest", "join", "started", "vacant", "gather"]
"""A way of writing a call as a loop or an expression of its own, in `compiling`."""


class Word(Struct, frozen=True):
    """
    takes     a role per argument; the last is repeated if `many`, and as many as `optional` says may be left out
    kinds     the kind of the value, or what is wrong, from the kinds of the arguments
    apply     the value from (piles, arguments); the reference implementation
    emit      Python source from the source of the arguments, where a call would be slow
    way       how the compiler writes it where even that would be slow
    world     `apply` takes all constants of the game, not only the piles
    absent    `apply` is also told what stands for an absent value of its kind
    ordered   the value depends on the order of the pieces or items it is given (of a list: which items it has)
    alike     the value depends on which of the items it is given are alike
    opposite  the word that somebody may have meant instead: what `mutants` puts in its place
    member    of a pair: which of its players
    pieces    which pieces of its piles it gives
    once      a list of players with none of them twice
    cost      how many steps it takes at most
    """

    name: str
    usage: str
    takes: tuple[Role, ...]
    kinds: Callable[[Kinds], Kind | Said]
    apply: Callable[..., Any]
    emit: str = ""
    way: Way | None = None
    optional: int = 0
    many: bool = False
    world: bool = False
    absent: bool = False
    ordered: bool = False
    alike: bool = False
    opposite: str = ""
    member: Literal[0, 1, None] = None
    pieces: Literal["top", "bottom", "all", None] = None
    once: bool = False
    cost: Callable[[Kinds], int] = lambda kinds: 1 + sum(lengths(k)[1] for k in kinds)

    @property
    def meaning(self) -> Said:
        """What it gives, in every language: the sentence `word.NAME`."""
        return in_all(f"word.{self.name}")


_LIST: tuple[Role, ...] = ("list",)
_TABLE = [
    Word(
        "top",
        "top(pile)",
        ("pile",),
        word_functions.top,
        lambda P, p: (P[p] or (ABSENT,))[-1],
        "(P[{0}] or NONE)[-1]",
        ordered=True,
        pieces="top",
        opposite="bottom",
    ),
    Word(
        "bottom",
        "bottom(pile)",
        ("pile",),
        word_functions.top,
        lambda P, p: (P[p] or (ABSENT,))[0],
        "(P[{0}] or NONE)[0]",
        ordered=True,
        pieces="bottom",
        opposite="top",
    ),
    Word(
        "first",
        "first(list), first(list, n)",
        ("list or pair", "number"),
        word_functions.end,
        word_functions.first_of,
        way="first",
        optional=1,
        absent=True,
        ordered=True,
        member=0,
        opposite="last",
    ),
    Word(
        "last",
        "last(list), last(list, n)",
        ("list or pair", "number"),
        word_functions.end,
        word_functions.last_of,
        way="last",
        optional=1,
        absent=True,
        ordered=True,
        member=1,
        opposite="first",
    ),
    Word(
        "tails",
        "tails(list)",
        _LIST,
        word_functions.tails,
        word_functions.tails_of,
        ordered=True,
    ),
    Word(
        "count",
        "count(list)",
        _LIST,
        word_functions.how_many,
        lambda P, xs: len(xs),
        "len({0})",
        way="count",
    ),
    Word(
        "sum",
        "sum(list)",
        _LIST,
        word_functions.total,
        lambda P, xs: sum(xs),
        "sum({0})",
        way="sum",
    ),
    Word(
        "max",
        "max(list), max(a, b)",
        ("list or number",),
        word_functions.greatest,
        word_functions.highest_of,
        way="greatest",
        many=True,
        absent=True,
        opposite="min",
    ),
    Word(
        "min",
        "min(list), min(a, b)",
        ("list or number",),
        word_functions.smallest,
        word_functions.lowest_of,
        way="smallest",
        many=True,
        absent=True,
        opposite="max",
    ),
    Word(
        "abs",
        "abs(n)",
        ("number",),
        word_functions.without_sign,
        lambda P, n: abs(n) if n != NO_NUMBER else n,
    ),
    Word(
        "cards",
        "cards(piles)",
        ("piles",),
        word_functions.pieces,
        word_functions.cards,
        way="gather",
        pieces="all",
    ),
    Word(
        "piles",
        "piles(a, b, …)",
        ("piles",),
        word_functions.joined,
        word_functions.joined_piles,
        way="join",
        many=True,
    ),
    Word(
        "started",
        "started(piles)",
        ("piles",),
        word_functions.some,
        lambda P, ns: [n for n in ns if P[n]],
        "[n for n in {0} if P[n]]",
        way="started",
    ),
    Word(
        "vacant",
        "vacant(piles)",
        ("piles",),
        lambda k: k[0].of_item.maybe(),
        word_functions.vacant,
        way="vacant",
    ),
    Word(
        "index",
        "index(pile)",
        ("pile",),
        word_functions.number_in_family,
        lambda W, p: W.INDEX[p],
        "INDEX[{0}]",
        world=True,
    ),
    Word(
        "subsets",
        "subsets(list), subsets(list, k)",
        ("list", "number"),
        word_functions.subsets,
        word_functions.subsets_of,
        optional=1,
        cost=word_functions.subset_count,
    ),
    Word(
        "distinct",
        "distinct(list)",
        _LIST,
        word_functions.all_different,
        word_functions.distinct,
        alike=True,
    ),
    Word(
        "kinds",
        "kinds(pile)",
        _LIST,
        word_functions.different,
        word_functions.kinds_of,
        "list(dict.fromkeys({0}))",
        alike=True,
    ),
    Word(
        "reversed",
        "reversed(list)",
        _LIST,
        lambda k: k[0],
        lambda P, xs: list(xs)[::-1],
        ordered=True,
    ),
    Word(
        "sorted",
        "sorted(list)",
        _LIST,
        word_functions.in_order,
        lambda P, xs: sorted(xs),
    ),
    Word(
        "up",
        "up(piece)",
        ("piece",),
        lambda k: BOOL,
        lambda P, c: c >= 0 and c & 1 == 1,
        "({0} >= 0 and {0} & 1 == 1)",
    ),
    Word(
        "next",
        "next(p)",
        ("perhaps a player",),
        lambda k: PLAYER.maybe(k[0].optional),
        lambda W, p: W.NEXT[p],
        "NEXT[{0}]",
        world=True,
    ),
    Word(
        "seat",
        "seat(p, n)",
        ("player", "present number"),
        lambda k: PLAYER,
        lambda W, p, n: (p + n) % W.SEATS,
        "({0} + {1}) % SEATS",
        world=True,
    ),
    Word(
        "round",
        "round(p)",
        ("player",),
        word_functions.some_players,
        lambda W, p: W.ROUND[p],
        "ROUND[{0}]",
        world=True,
        once=True,
    ),
    Word(
        "side",
        "side(p)",
        ("side",),
        lambda k: k[0],
        lambda P, side: side,
        "{0}",
    ),
    Word(
        "members",
        "members(side)",
        ("side",),
        word_functions.of_side,
        lambda W, side: W.SIDES[side],
        "SIDES[{0}]",
        world=True,
        once=True,
    ),
    Word(
        "pair",
        "pair(p, q)",
        ("player", "player"),
        lambda k: PAIR.maybe(),
        lambda W, p, q: W.PAIR[p][q],
        "PAIR[{0}][{1}]",
        world=True,
    ),
]

WORDS: dict[str, Word] = {word.name: word for word in _TABLE}

NAMES = (
    "me",
    "opponent",
    "partner",
    "sides",
    "others",
    "players",
    "pairs",
    "card",
    "from",
    "to",
    "move",
    "fault",
    "order",
)
"""Built-in words that are not calls."""


def name_meaning(name: str) -> Said:
    """What one of `NAMES` means, in every language: the sentence `name.NAME`."""
    return in_all(f"name.{name}")
