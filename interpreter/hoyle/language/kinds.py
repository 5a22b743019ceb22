"""Kinds: the types of values in formulas. Numbers have bounds, lists a greatest length.

Each sort of kind has a class, and `Kind` is their union. `name` is the sort in one word; use it or `match` to tell kinds apart.
"""

from __future__ import annotations

from typing import ClassVar, Literal, Self, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from hoyle.diagnostics import LocalizedText
from hoyle.language.sentences import make_sentence

LARGEST = 10**9
"""The bound of numbers without a known one."""
LEAST, GREATEST = 1 - 2**31, 10**18
"""The bounds of all numbers. `NO_NUMBER` is below them, and above them a number no longer fits a machine word."""


class _Sort(Struct, frozen=True, kw_only=True):
    optional: bool = False
    """May a value be absent?"""

    def maybe(self, optional: bool = True) -> Self:
        """The same kind, optional or not."""
        return self if self.optional == optional else replace(self, optional=optional)

    @property
    def of_item(self) -> Kind:
        """The kind of the items of a list."""
        assert isinstance(self, List), f"{self} is no list"
        return self.item


class Plain(_Sort, frozen=True):
    """A kind without parameters. A value of kind `nothing` is always absent; of `unknown` nothing is known."""

    name: Literal["bool", "player", "pair", "text", "move", "obligation", "nothing", "unknown"]

    def maybe(self, optional: bool = True) -> Self:
        """Truth is never absent: a missing truth is false."""
        return self if self.name == "bool" else _Sort.maybe(self, optional)


class Number(_Sort, frozen=True):
    low: int
    high: int
    name: ClassVar[Literal["number"]] = "number"


class Row(_Sort, frozen=True):
    """A row of a table."""

    table: str
    name: ClassVar[Literal["row"]] = "row"


class Choice(_Sort, frozen=True):
    """A choice of an option."""

    option: str
    name: ClassVar[Literal["choice"]] = "choice"


class Piece(_Sort, frozen=True):
    """A piece.

    of        the kind of piece; empty for any
    families  the pile families that it may come from; empty if not known
    mine      does it certainly belong to the acting player?
    """

    of: str = ""
    families: frozenset[str] = frozenset()
    mine: bool = False
    name: ClassVar[Literal["piece"]] = "piece"


class Pile(_Sort, frozen=True):
    """A pile.

    of           the kind of piece it holds; empty for any
    families     the families that it may belong to; empty if not known
    mine         does it certainly belong to the acting player?
    room         the greatest number of pieces
    first, last  the least and greatest number of a pile in its families
    """

    of: str = ""
    families: frozenset[str] = frozenset()
    mine: bool = False
    room: int = 0
    first: int = 1
    last: int = 1
    name: ClassVar[Literal["pile"]] = "pile"

    @property
    def piece(self) -> Piece:
        """The kind of the pieces in it."""
        return Piece(self.of, self.families, self.mine)


class List(_Sort, frozen=True):
    """A list of `least` to `most` items of one kind."""

    item: Kind
    most: int
    least: int = 0
    name: ClassVar[Literal["list"]] = "list"

    def maybe(self, optional: bool = True) -> Self:
        """A list is never absent: a missing list is empty."""
        return replace(self, least=0) if optional else self


MOST_LISTS = 8
"""How deep lists may be nested."""


def is_too_deep(kind: Kind) -> bool:
    """Return whether lists are nested deeper than `MOST_LISTS`."""
    depth = 0
    while isinstance(kind, List):
        kind, depth = kind.item, depth + 1
    return depth > MOST_LISTS


Kind: TypeAlias = Plain | Number | Row | Choice | Piece | Pile | List

BOOL = Plain("bool")
PLAYER = Plain("player")
PAIR = Plain("pair")
SIDES = "sides"
"""The table whose rows are the sides, where players play together."""
SIDE = Row(SIDES)
TEXT = Plain("text")
MOVE = Plain("move")
OBLIGATION = Plain("obligation", optional=True)
NOTHING = Plain("nothing", optional=True)
UNKNOWN = Plain("unknown")
SOME_NUMBER = Number(0, 0)
"""A number whose bounds do not matter."""


def number(low: int, high: int) -> Number:
    """A kind of numbers, clipped to the bounds of all numbers; the checker reports larger ones."""
    return Number(max(low, LEAST), min(high, GREATEST))


def too_large(kind: Kind) -> bool:
    """May a value be a number beyond the bounds of all numbers?"""
    return isinstance(kind, Number) and (kind.low < LEAST or kind.high > GREATEST)


def bounds(kind: Kind) -> tuple[int, int]:
    """The least and greatest number; 0 and 0 for other kinds."""
    return (kind.low, kind.high) if isinstance(kind, Number) else (0, 0)


def lengths(kind: Kind) -> tuple[int, int]:
    """The least and greatest length of a list; 0 and 0 for other kinds."""
    return (kind.least, kind.most) if isinstance(kind, List) else (0, 0)


def item_of(kind: Kind) -> Kind:
    """The kind of a list's items; unknown for other kinds."""
    return kind.item if isinstance(kind, List) else UNKNOWN


def families_of(kind: Kind) -> frozenset[str]:
    """The pile families that a pile, a piece or a list of them may belong to; empty if not known."""
    while isinstance(kind, List):
        kind = kind.item
    return kind.families if isinstance(kind, Pile | Piece) else frozenset()


def comparable(a: Kind, b: Kind) -> bool:
    """Can values of these kinds be equal?"""
    if {a.name, b.name} & {"unknown", "nothing"}:
        return True
    match a, b:
        case List(item=one), List(item=other):
            return comparable(one, other)
        case (Row(), Row()) | (Choice(), Choice()):
            return a.maybe(False) == b.maybe(False)
        case Piece(of=one), Piece(of=other):
            return one == other or not one or not other
    return a.name == b.name


def join(a: Kind, b: Kind) -> Kind | None:
    """The kind of values of both kinds; None if there is none. Truth and lists are never absent."""
    if {a.name, b.name} in ({"nothing", "bool"}, {"nothing", "list"}):
        return None
    if a.name == "unknown" or b.name == "nothing":
        return a.maybe(a.optional or b.name == "nothing")
    if b.name == "unknown" or a.name == "nothing":
        return b.maybe(b.optional or a.name == "nothing")
    found = _joined(a, b) if comparable(a, b) else None
    return found.maybe(a.optional or b.optional) if found is not None else None


def _joined(a: Kind, b: Kind) -> Kind | None:
    match a, b:
        case Number(), Number():
            return Number(min(a.low, b.low), max(a.high, b.high))
        case List(), List():
            item = b.item if a.most == 0 else a.item if b.most == 0 else join(a.item, b.item)
            return List(item, max(a.most, b.most), min(a.least, b.least)) if item is not None else None
        case Piece(), Piece():
            return Piece(a.of if a.of == b.of else "", _either(a.families, b.families), a.mine and b.mine)
        case Pile(), Pile():
            of, families = a.of if a.of == b.of else "", _either(a.families, b.families)
            first, last = min(a.first, b.first), max(a.last, b.last)
            return Pile(of, families, a.mine and b.mine, max(a.room, b.room), first, last)
    return a


def _either(a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
    """The union of families; empty, for not known, if either is empty."""
    return a | b if a and b else frozenset()


def describe(kind: Kind) -> LocalizedText:
    """Describe a kind in every language, for messages, `eval` and editors."""
    match kind:
        case List(item):
            return make_sentence("kind.list", items=_several(item))
        case Number(low, high):
            sort = "exactly" if low == high else "number" if high >= LARGEST else "between"
            return make_sentence(f"kind.{sort}", low=low, high=high)
    return make_sentence(f"kind.{_sort(kind)}", name=_of(kind))


def _several(kind: Kind) -> LocalizedText:
    """Describe many values of a kind, as a list has them: `rows of `ranks``, `lists of cards`."""
    if isinstance(kind, List):
        return make_sentence("kind.many.list", items=_several(kind.item))
    return make_sentence(f"kind.many.{_sort(kind)}", name=_of(kind))


def _sort(kind: Kind) -> str:
    """The key of the kind's sentence."""
    if kind == SIDE.maybe(kind.optional):
        return "side"
    return "piece_of" if isinstance(kind, Piece) and kind.of else kind.name


def _of(kind: Kind) -> str:
    """The name of its table, option or kind of piece."""
    match kind:
        case Row(table):
            return table
        case Choice(option):
            return option
        case Piece(of):
            return of
    return ""
