"""Types of the values of generated functions, and how C calls them."""

from __future__ import annotations

Type = str
"""
I       a whole number or truth value
L       a list of numbers (an unknown one: L?), LL of such lists, LLL of those
A, P    an action: its place among those being listed; where it lies
LA      a list of actions that are being listed
Duo     an action and the obligation that it breaks; Duos a list of them
Keyed…  an item with what orders it; KeyedS, KeyedLS and KeyedLLS lists of them
Map     a number for each action
"""
ITEMS: dict[Type, Type] = {
    "L": "I",
    "LL": "L",
    "LLL": "LL",
    "LA": "A",
    "Duos": "Duo",
    "KeyedS": "Keyed",
    "KeyedLS": "KeyedL",
    "KeyedLLS": "KeyedLL",
}
LISTS: dict[Type, Type] = {item: items for items, item in ITEMS.items()}
KEYED: dict[Type, Type] = {"I": "KeyedS", "A": "KeyedS", "L": "KeyedLS", "LL": "KeyedLLS"}
"""What is put in order, in a list with what orders it."""
IN_ORDER: dict[Type, Type] = {"KeyedS": "L", "KeyedLS": "LL", "KeyedLLS": "LLL"}
"""What such a list is without that."""
IN_C: dict[Type, str] = {"A": "I", "P": "const E *", "LA": "L", "L?": "L", "Map": "L"}

Sizes = tuple[tuple[int, int], ...]
"""Of some piles, by number: how many pieces lie there, whenever it is asked."""


class Untranslatable(Exception):
    """A form that is not written as C (yet): the game is played by the Python engine."""


def in_c(kind: Type) -> str:
    return IN_C.get(kind, kind)


def either(one: Type | None, other: Type | None) -> Type | None:
    """The type of what is one or the other. Raises Untranslatable."""
    if one is None or other is None or one == other:
        return one or other
    for a, b in ((one, other), (other, one)):
        if a == "L?" and b in (*ITEMS, "Map"):
            return b
    raise Untranslatable(f"one name for {one} and {other}")
