"""The table of built-in words: what they take, give and cost, how Python and C compute them. No other module lists words.

Their sentences stand under `word` in the JSON files beside this one: `meaning` for editors, `phrase` for `hoyle rules`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from msgspec import Struct

from hoyle.diagnostics import LocalizedText
from hoyle.language import word_functions as of
from hoyle.language.ir import ABSENT, NO_NUMBER
from hoyle.language.sentences import make_sentence
from hoyle.language.value_types import BOOL, PAIR, PLAYER, ValueType, get_lengths
from hoyle.language.word_functions import ValueTypes

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
"""How the checker converts an argument.

`pile` stays one pile or becomes the list of its pieces; for `piles` a single pile becomes a list; tables and families become
lists. `list or number` is a list if it is the only argument. A `player` (a side is made of it), a `side` and a `present number`
may not be absent."""

Way = Literal["first", "last", "count", "sum", "greatest", "smallest", "join", "started", "vacant", "gather"]
"""How `compiling` writes a call as a loop or an expression of its own."""


class InC(Struct, frozen=True):
    """How C computes a word for arguments of some types (`native.layout.Type`).

    takes   the types of the arguments; of a word with `many` arguments the first two
    gives   the type of the value
    text    C source: `{0}`, `{1}` are the arguments, `{all}` all with commas, `{count}` their number, `{absent}` the value for absent
    """

    takes: tuple[str, ...]
    gives: str
    text: str


class Word(Struct, frozen=True):
    """A built-in word.

    takes      a role for each argument; the last repeats if `many`; the last `optional` may be left out
    infer_type returns the type of the value, or a message if the types of the arguments do not fit
    apply      computes the value from (piles, *arguments); the reference implementation
    emit       Python source with the source of the arguments, where a call would be slow; C is derived from it
    way        how the compiler writes the word where `emit` would be slow
    c          how C computes it, unless `emit` or `way` is enough
    world      `apply` takes all constants of the game instead of the piles
    absent     `apply` takes the value for absent as keyword `absent`
    ordered    the value depends on the order of pieces or items (for lists: which items it has)
    alike      the value depends on which items are equal
    opposite   the word that a mutation puts in its place
    member     for a pair: which of its players it gives
    pieces     which pieces of a pile it gives
    once       the value is a list of players without repetition
    condition  the value is true or false: `phrase_not` says that it is false
    cost       the greatest number of steps
    """

    name: str
    usage: str
    takes: tuple[Role, ...]
    infer_type: Callable[[ValueTypes], ValueType | LocalizedText]
    apply: Callable[..., Any]
    emit: str = ""
    way: Way | None = None
    c: tuple[InC, ...] = ()
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
    condition: bool = False
    cost: Callable[[ValueTypes], int] = lambda types: 1 + sum(get_lengths(k)[1] for k in types)

    def __post_init__(self) -> None:
        if not (self.emit or self.way or self.c):
            raise TypeError(f"native games cannot compute `{self.name}`: it needs emit, way or c")

    @property
    def meaning(self) -> LocalizedText:
        """Meaning of the word, in every language."""
        return make_sentence(f"word.{self.name}.meaning")


_LISTS = ("L", "LL", "LLL")
"""Types of lists, by depth."""


def _ends(function: str) -> tuple[InC, ...]:
    """C for so many items at an end of a list."""
    return tuple(InC((t, "I"), t, f"{'' if t == 'L' else f'{t}_'}{function}({{0}}, {{1}})") for t in _LISTS)


def _extreme(function: str) -> tuple[InC, ...]:
    """C for the greatest or least item of a list, or of several numbers."""
    several = "_of((I[]){{{all}}}, {count}, {absent})"
    return InC(("L",), "I", f"{function}({{0}}, {{absent}})"), InC(("I", "I"), "I", f"{function}{several}")


_TABLE = [
    Word(
        "top",
        "top(pile)",
        ("pile",),
        of.top,
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
        of.top,
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
        of.end,
        of.first_of,
        way="first",
        c=_ends("take"),
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
        of.end,
        of.last_of,
        way="last",
        c=_ends("take_last"),
        optional=1,
        absent=True,
        ordered=True,
        member=1,
        opposite="first",
    ),
    Word(
        "tails",
        "tails(list)",
        ("list",),
        of.tails,
        of.tails_of,
        c=(InC(("L",), "LL", "L_tails(x, {0})"), InC(("LL",), "LLL", "LL_tails(x, {0})")),
        ordered=True,
    ),
    Word("count", "count(list)", ("list",), of.how_many, lambda P, xs: len(xs), "len({0})", way="count"),
    Word("sum", "sum(list)", ("list",), of.total, lambda P, xs: sum(xs), "sum({0})", way="sum"),
    Word(
        "max",
        "max(list), max(a, b)",
        ("list or number",),
        of.greatest,
        of.highest_of,
        way="greatest",
        c=_extreme("greatest"),
        many=True,
        absent=True,
        opposite="min",
    ),
    Word(
        "min",
        "min(list), min(a, b)",
        ("list or number",),
        of.smallest,
        of.lowest_of,
        way="smallest",
        c=_extreme("least"),
        many=True,
        absent=True,
        opposite="max",
    ),
    Word(
        "abs",
        "abs(n)",
        ("number",),
        of.without_sign,
        lambda P, n: abs(n) if n != NO_NUMBER else n,
        c=(InC(("I",), "I", "({0} < 0 && {0} != NO_NUMBER ? -{0} : {0})"),),
    ),
    Word(
        "cards",
        "cards(piles)",
        ("piles",),
        of.pieces,
        of.cards,
        way="gather",
        c=(InC(("L",), "L", "cards(x, s, {0})"),),
        pieces="all",
    ),
    Word("piles", "piles(a, b, …)", ("piles",), of.joined, of.joined_piles, way="join", many=True),
    Word(
        "started",
        "started(piles)",
        ("piles",),
        of.some,
        lambda P, ns: [n for n in ns if P[n]],
        "[n for n in {0} if P[n]]",
        way="started",
    ),
    Word("vacant", "vacant(piles)", ("piles",), lambda k: k[0].item_type.with_optional(), of.vacant, way="vacant"),
    Word(
        "index",
        "index(pile)",
        ("pile",),
        of.number_in_family,
        lambda W, p: W.INDEX[p],
        "INDEX[{0}]",
        world=True,
    ),
    Word(
        "subsets",
        "subsets(list), subsets(list, k)",
        ("list", "number"),
        of.subsets,
        of.subsets_of,
        c=(
            InC(("L",), "LL", "subsets(x, {0})"),
            InC(("L", "I"), "LL", "subsets_sized(x, {0}, {1})"),
            InC(("LL",), "LLL", "LL_subsets(x, {0})"),
            InC(("LL", "I"), "LLL", "LL_subsets_sized(x, {0}, {1})"),
        ),
        optional=1,
        cost=of.subset_count,
    ),
    Word(
        "distinct",
        "distinct(list)",
        ("list",),
        of.all_different,
        of.distinct,
        c=(InC(("L",), "I", "distinct({0})"),),
        alike=True,
        condition=True,
    ),
    Word(
        "kinds",
        "kinds(pile)",
        ("list",),
        of.different,
        of.kinds_of,
        "list(dict.fromkeys({0}))",
        alike=True,
    ),
    Word(
        "reversed",
        "reversed(list)",
        ("list",),
        lambda k: k[0],
        lambda P, xs: list(xs)[::-1],
        c=tuple(InC((t,), t, f"{t}_backwards(x, {{0}})") for t in _LISTS),
        ordered=True,
    ),
    Word(
        "sorted",
        "sorted(list)",
        ("list",),
        of.in_order,
        lambda P, xs: sorted(xs),
        c=(InC(("L",), "L", "in_size(x, {0})"),),
    ),
    Word(
        "up",
        "up(piece)",
        ("piece",),
        lambda k: BOOL,
        lambda P, c: c >= 0 and c & 1 == 1,
        "({0} >= 0 and {0} & 1 == 1)",
        condition=True,
    ),
    Word(
        "next",
        "next(p)",
        ("perhaps a player",),
        lambda k: PLAYER.with_optional(k[0].optional),
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
        of.some_players,
        lambda W, p: W.ROUND[p],
        "ROUND[{0}]",
        world=True,
        once=True,
    ),
    Word("side", "side(p)", ("side",), lambda k: k[0], lambda P, side: side, "{0}"),
    Word(
        "members",
        "members(side)",
        ("side",),
        of.of_side,
        lambda W, side: W.SIDES[side],
        "SIDES[{0}]",
        world=True,
        once=True,
    ),
    Word(
        "pair",
        "pair(p, q)",
        ("player", "player"),
        lambda k: PAIR.with_optional(),
        lambda W, p, q: W.PAIR[p][q],
        "PAIR[{0}][{1}]",
        world=True,
    ),
]
WORDS: dict[str, Word] = {word.name: word for word in _TABLE}

NAMES = (
    *("me", "opponent", "partner", "sides", "others", "players", "pairs"),
    *("card", "from", "to", "move", "fault", "order"),
)
"""Built-in names that are not called."""


def name_meaning(name: str) -> LocalizedText:
    """Return the meaning of a name in `NAMES`, in every language."""
    return make_sentence(f"name.{name}")
