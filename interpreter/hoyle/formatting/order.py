"""The order of sections and of the keys of an entry, as the language reference tells them. Names keep the order of their author."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TypeVar

from msgspec import Struct

from hoyle.reading.grammar import Schema, grammar
from hoyle.reading.tree import Node

T = TypeVar("T")
ValueTypes = tuple[str, ...]
"""Names of definitions of the grammar; `""` for a part without a name."""

WORDS = "en fr"
_LAST = "at before after"
_ORDERS = {
    "ruleset": "words ruleset game library extends title summary source use needs players set options",
    "option": f"kind range choices words default {WORDS} {_LAST}",
    "constraint": f"is at {WORDS}",
    "table": f"one {WORDS} at columns defaults order rows",
    "pile": f"each columns holds room face layout {WORDS} {_LAST}",
    "state_entry": f"each range kind starts optional track renewed secret layout {WORDS} {_LAST}",
    "condition": f"before after {WORDS} at is rule",
    "move": f"before after {WORDS} short like rule at take with put openly let if then",
    "obligation": f"before after {WORDS} rule at when",
    "whenever_entry": f"before after {WORDS} rule",
    "step": "before after at for by when shuffle cut roll lots gather deal move turn set score choose play do as_one repeat"
    " turns run leave say ends check take_back leaving count from to into face until rounds skip at_most in as of obey together"
    f" unasked then else {WORDS}",
    "result": "at best score won stake margin",
    "position": "game seed options at to_act state piles",
    "example": "shows given seed options moves said over winner scores stake margin at to_act state piles legal includes"
    f" forced refused ends values after {WORDS}",
}
"""By definition of the grammar: the first keys, where its own order is not wanted. The others follow in that order."""
_ORDERS["expectation"] = _ORDERS["example"]
_ENDS_A_LINE = {"step": "at"}
"""Keys that come early in an entry of several lines, but last in one of one line."""
_TOLD = ("source",)
"""Sections that keep the order of their author."""
_BEHIND = {"deal": ("from", "to")}
"""By verb: one key follows the other."""


class Look(Struct, frozen=True):
    """The parts of the schema that describe a value, by their identity."""

    parts: tuple[int, ...] = ()

    @property
    def schemas(self) -> list[Schema]:
        return [_PARTS[number] for number in self.parts]

    @property
    def is_formula(self) -> bool:
        return any("x-formula" in part for part in self.schemas)


_PARTS: dict[int, Schema] = {}
_NAMES: dict[int, str] = {}
"""By the identity of a part, which never changes: the part, and the definition that it is."""


def whole(root: Node) -> Look:
    """The schema of a ruleset; of a translation only its sections."""
    return _look([grammar()]) if root.get("ruleset") is not None or root.get("words") is not None else Look()


def inside(look: Look, root: Node, name: str) -> Look:
    """The schema of the value of a key."""
    if (root.get("words") is not None and root.get("ruleset") is None) or (name in _TOLD and look == whole(root)):
        return Look()
    found = [part["properties"][name] for part in look.schemas if name in part.get("properties", {})]
    others = [part["additionalProperties"] for part in look.schemas if "additionalProperties" in part]
    return _look(found or [other for other in others if isinstance(other, dict)])


def items(look: Look) -> Look:
    """The schema of the items of a list."""
    return _look([part["items"] for part in look.schemas if isinstance(part.get("items"), dict)])


def _look(schemas: Sequence[Schema]) -> Look:
    return Look(tuple(dict.fromkeys(number for schema in schemas for number in _all(schema))))


def _all(schema: Schema) -> Iterable[int]:
    """Yield a part and those that it refers to or consists of."""
    _PARTS[id(schema)] = schema
    yield id(schema)
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        definition = grammar()["definitions"][name]
        _NAMES[id(definition)] = name
        yield from _all(definition)
    for word in ("allOf", "anyOf", "oneOf"):
        for part in schema.get(word, ()):
            if isinstance(part, dict) and "if" not in part:
                yield from _all(part)


def is_entry(look: Look) -> bool:
    """Has it known keys, and no names?"""
    return bool(_keys(look))


def ordered(things: Sequence[T], name: Callable[[T], str], look: Look, on_one_line: bool = False) -> list[T]:
    """Sort the keys of an entry with their values. Unknown keys stay behind the key they follow."""
    keys = _keys(look)
    if not keys:
        return list(things)
    last = {key for kind, key in _ENDS_A_LINE.items() if on_one_line and kind in _kinds(look)}
    rank = {key: len(keys) if key in last else place for place, key in enumerate(keys)}
    for verb, (one, other) in _BEHIND.items():
        if any(name(thing) == verb for thing in things):
            rank[one] = rank.get(other, 0)
    ranks: list[int] = []
    for thing in things:
        ranks.append(rank.get(name(thing), ranks[-1] if ranks else -1))
    return [things[at] for at in sorted(range(len(things)), key=ranks.__getitem__)]


def _kinds(look: Look) -> list[str]:
    return [_NAMES[number] for number in look.parts if number in _NAMES]


def _keys(look: Look) -> tuple[str, ...]:
    """The keys of an entry in order; none for a map of names."""
    return _keys_of(look.parts)


@cache
def _keys_of(parts: tuple[int, ...]) -> tuple[str, ...]:
    schemas = [_PARTS[number] for number in parts]
    if any(isinstance(part.get("additionalProperties"), dict) for part in schemas):
        return ()
    known = dict.fromkeys(key for part in schemas for key in part.get("properties", {}))
    if not known:
        return ()
    kinds = ["ruleset" if part is grammar() else _NAMES.get(id(part), "") for part in schemas]
    first = next((_ORDERS[kind].split() for kind in kinds if kind in _ORDERS), [])
    return tuple(dict.fromkeys([*first, *known]))
