"""Kinds: what a value of the rule language is. Every number has bounds, every list a greatest length."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Kind:
    """
    name      bool, number, player, pair, row, choice, piece, pile, list, move, obligation, text, nothing or unknown
    of        the table of a row, the option of a choice, the kind of a piece or of what a pile holds
    low, high bounds of a number
    item, most, least   of a list: its items' kind, its greatest and smallest length
    optional  may it be absent
    families  of piles and pieces: the pile families it can come from (empty: not known)
    mine      of piles and pieces: certainly the acting player's
    """

    name: str
    of: str = ""
    low: int = 0
    high: int = 0
    item: Kind | None = None
    most: int = 0
    least: int = 0
    optional: bool = False
    families: frozenset[str] = frozenset()
    mine: bool = False

    @property
    def of_item(self) -> Kind:
        assert self.item is not None
        return self.item

    def maybe(self, optional: bool = True) -> Kind:
        """The same kind, possibly absent (or, with False, certainly there)."""
        return self if self.optional == optional else replace(self, optional=optional)


BOOL = Kind("bool")
PLAYER = Kind("player")
PAIR = Kind("pair")
TEXT = Kind("text")
MOVE = Kind("move")
OBLIGATION = Kind("obligation", optional=True)
NOTHING = Kind("nothing", optional=True)
UNKNOWN = Kind("unknown")
LARGEST = 10**9


def number(low: int, high: int) -> Kind:
    return Kind("number", low=max(low, -LARGEST), high=min(high, LARGEST))


def row(table: str) -> Kind:
    return Kind("row", of=table)


def choice(option: str) -> Kind:
    return Kind("choice", of=option)


def list_of(item: Kind, most: int, least: int = 0) -> Kind:
    return Kind("list", item=item, most=most, least=least)


def comparable(a: Kind, b: Kind) -> bool:
    """May values of these kinds be tested for being the same?"""
    if "unknown" in (a.name, b.name) or "nothing" in (a.name, b.name):
        return True
    if a.name == "list" and b.name == "list":
        return comparable(a.of_item, b.of_item)
    return a.name == b.name and (a.of == b.of or not a.of or not b.of or a.name in ("number", "pile"))


def join(a: Kind, b: Kind) -> Kind | None:
    """The kind that holds values of both, or None if no kind does. Truth and lists are never absent."""
    if {a.name, b.name} in ({"nothing", "bool"}, {"nothing", "list"}):
        return None
    if a.name == "unknown" or b.name == "nothing":
        return a.maybe(a.optional or b.name == "nothing")
    if b.name == "unknown" or a.name == "nothing":
        return b.maybe(b.optional or a.name == "nothing")
    if not comparable(a, b):
        return None
    item = join(a.of_item, b.of_item) if a.item and b.item else None
    return replace(
        a,
        low=min(a.low, b.low),
        high=max(a.high, b.high),
        optional=a.optional or b.optional,
        item=item,
        most=max(a.most, b.most),
        least=min(a.least, b.least),
        families=a.families | b.families if a.families and b.families else frozenset(),
        mine=a.mine and b.mine,
    )


def _several(kind: Kind) -> str:
    """The plural: `rows of `ranks``, `lists of cards`."""
    if kind.name in ("number", "bool", "nothing", "unknown"):
        return {"number": "numbers", "bool": "values true or false"}.get(kind.name, "items")
    head, of, rest = describe(kind).partition(" of ")
    return f"{head.removeprefix('an ').removeprefix('a ')}s{of}{rest}"


def describe(kind: Kind) -> str:
    """The kind in words, for messages."""
    words = {
        "bool": "true or false",
        "player": "a player",
        "pair": "a pair of players",
        "text": "a text",
        "move": "a move",
        "obligation": "an obligation",
        "nothing": "nothing",
        "unknown": "unknown",
        "pile": "a pile",
    }
    if kind.name == "number":
        if kind.low == kind.high:
            return f"the number {kind.low}"
        return "a number" if kind.high >= LARGEST else f"a number ({kind.low}..{kind.high})"
    if kind.name == "list":
        return f"a list of {_several(kind.of_item)}"
    if kind.name == "row":
        return f"a row of `{kind.of}`"
    if kind.name == "choice":
        return f"a choice of `{kind.of}`"
    if kind.name == "piece":
        return f"a {kind.of}" if kind.of else "a piece"
    return words[kind.name]
