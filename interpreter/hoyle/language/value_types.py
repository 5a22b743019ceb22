"""Types of values in formulas. Numbers have bounds, lists a greatest length.

Each sort of type has a class, and `ValueType` is their union. `name` is the sort in one word; use it or `match` to tell types apart.
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


class _Type(Struct, frozen=True, kw_only=True):
    optional: bool = False
    """May a value be absent?"""

    def with_optional(self, optional: bool = True) -> Self:
        """The same type, optional or not."""
        return self if self.optional == optional else replace(self, optional=optional)

    @property
    def item_type(self) -> ValueType:
        """The type of the items of a list."""
        assert isinstance(self, List), f"{self} is no list"
        return self.item


class Plain(_Type, frozen=True):
    """A type without parameters. A value of type `nothing` is always absent; of `unknown` nothing is known."""

    name: Literal["bool", "player", "pair", "text", "move", "obligation", "nothing", "unknown"]

    def with_optional(self, optional: bool = True) -> Self:
        """Truth is never absent: a missing truth is false."""
        return self if self.name == "bool" else _Type.with_optional(self, optional)


class Number(_Type, frozen=True):
    low: int
    high: int
    name: ClassVar[Literal["number"]] = "number"


class Row(_Type, frozen=True):
    """A row of a table."""

    table: str
    name: ClassVar[Literal["row"]] = "row"


class Choice(_Type, frozen=True):
    """A choice of an option."""

    option: str
    name: ClassVar[Literal["choice"]] = "choice"


class Piece(_Type, frozen=True):
    """A piece.

    of        the kind of piece; empty for any
    families  the pile families that it may come from; empty if not known
    mine      does it certainly belong to the acting player?
    """

    of: str = ""
    families: frozenset[str] = frozenset()
    mine: bool = False
    name: ClassVar[Literal["piece"]] = "piece"


class Pile(_Type, frozen=True):
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
        """The type of the pieces in it."""
        return Piece(self.of, self.families, self.mine)


class List(_Type, frozen=True):
    """A list of `least` to `most` items of one type."""

    item: ValueType
    most: int
    least: int = 0
    name: ClassVar[Literal["list"]] = "list"

    def with_optional(self, optional: bool = True) -> Self:
        """A list is never absent: a missing list is empty."""
        return replace(self, least=0) if optional else self


MOST_LISTS = 8
"""How deep lists may be nested."""


def is_too_deep(value_type: ValueType) -> bool:
    """Return whether lists are nested deeper than `MOST_LISTS`."""
    depth = 0
    while isinstance(value_type, List):
        value_type, depth = value_type.item, depth + 1
    return depth > MOST_LISTS


ValueType: TypeAlias = Plain | Number | Row | Choice | Piece | Pile | List

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


def make_number_type(low: int, high: int) -> Number:
    """A type of numbers, clipped to the bounds of all numbers; the checker reports larger ones."""
    return Number(max(low, LEAST), min(high, GREATEST))


def is_too_large(value_type: ValueType) -> bool:
    """May a value be a number beyond the bounds of all numbers?"""
    return isinstance(value_type, Number) and (value_type.low < LEAST or value_type.high > GREATEST)


def get_bounds(value_type: ValueType) -> tuple[int, int]:
    """The least and greatest number; 0 and 0 for other types."""
    return (value_type.low, value_type.high) if isinstance(value_type, Number) else (0, 0)


def get_lengths(value_type: ValueType) -> tuple[int, int]:
    """The least and greatest length of a list; 0 and 0 for other types."""
    return (value_type.least, value_type.most) if isinstance(value_type, List) else (0, 0)


def get_item_type(value_type: ValueType) -> ValueType:
    """The type of a list's items; unknown for other types."""
    return value_type.item if isinstance(value_type, List) else UNKNOWN


def get_families(value_type: ValueType) -> frozenset[str]:
    """The pile families that a pile, a piece or a list of them may belong to; empty if not known."""
    while isinstance(value_type, List):
        value_type = value_type.item
    return value_type.families if isinstance(value_type, Pile | Piece) else frozenset()


def is_comparable(a: ValueType, b: ValueType) -> bool:
    """Can values of these types be equal?"""
    if {a.name, b.name} & {"unknown", "nothing"}:
        return True
    match a, b:
        case List(item=one), List(item=other):
            return is_comparable(one, other)
        case (Row(), Row()) | (Choice(), Choice()):
            return a.with_optional(False) == b.with_optional(False)
        case Piece(of=one), Piece(of=other):
            return one == other or not one or not other
    return a.name == b.name


def join_types(a: ValueType, b: ValueType) -> ValueType | None:
    """The type of values of both types; None if there is none. Truth and lists are never absent."""
    if {a.name, b.name} in ({"nothing", "bool"}, {"nothing", "list"}):
        return None
    if a.name == "unknown" or b.name == "nothing":
        return a.with_optional(a.optional or b.name == "nothing")
    if b.name == "unknown" or a.name == "nothing":
        return b.with_optional(b.optional or a.name == "nothing")
    found = _join_alike(a, b) if is_comparable(a, b) else None
    return found.with_optional(a.optional or b.optional) if found is not None else None


def _join_alike(a: ValueType, b: ValueType) -> ValueType | None:
    match a, b:
        case Number(), Number():
            return Number(min(a.low, b.low), max(a.high, b.high))
        case List(), List():
            item = b.item if a.most == 0 else a.item if b.most == 0 else join_types(a.item, b.item)
            return List(item, max(a.most, b.most), min(a.least, b.least)) if item is not None else None
        case Piece(), Piece():
            return Piece(a.of if a.of == b.of else "", _unite_families(a.families, b.families), a.mine and b.mine)
        case Pile(), Pile():
            of, families = a.of if a.of == b.of else "", _unite_families(a.families, b.families)
            first, last = min(a.first, b.first), max(a.last, b.last)
            return Pile(of, families, a.mine and b.mine, max(a.room, b.room), first, last)
    return a


def _unite_families(a: frozenset[str], b: frozenset[str]) -> frozenset[str]:
    """The union of families; empty, for not known, if either is empty."""
    return a | b if a and b else frozenset()


def describe_type(value_type: ValueType) -> LocalizedText:
    """Describe a type in every language, for messages, `eval` and editors."""
    match value_type:
        case List(item):
            return make_sentence("kind.list", items=_describe_many(item))
        case Number(low, high):
            sort = "exactly" if low == high else "number" if high >= LARGEST else "between"
            return make_sentence(f"kind.{sort}", low=low, high=high)
    return make_sentence(f"kind.{_sort(value_type)}", name=_of(value_type))


def _describe_many(value_type: ValueType) -> LocalizedText:
    """Describe many values of a type, as a list has them: `rows of `ranks``, `lists of cards`."""
    if isinstance(value_type, List):
        return make_sentence("kind.many.list", items=_describe_many(value_type.item))
    return make_sentence(f"kind.many.{_sort(value_type)}", name=_of(value_type))


def _sort(value_type: ValueType) -> str:
    """The key of the type's sentence."""
    if value_type == SIDE.with_optional(value_type.optional):
        return "side"
    return "piece_of" if isinstance(value_type, Piece) and value_type.of else value_type.name


def _of(value_type: ValueType) -> str:
    """The name of its table, option or kind of piece."""
    match value_type:
        case Row(table):
            return table
        case Choice(option):
            return option
        case Piece(of):
            return of
    return ""
