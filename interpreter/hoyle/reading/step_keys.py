"""Which keys go with each verb of a step, and which it cannot do without, as the grammar of rulesets says."""

from __future__ import annotations

from functools import cache
from typing import Any

from hoyle.reading.shape import grammar


def verbs() -> tuple[str, ...]:
    return tuple(grammar()["definitions"]["step"]["x-verbs"])


def all_keys() -> tuple[str, ...]:
    return tuple(grammar()["definitions"]["step"]["properties"])


@cache
def keys_with() -> dict[str, tuple[str, ...]]:
    """By verb: its own key, those beside it, and those that go with every verb."""
    parts = [part["then"].get("propertyNames") for part in grammar()["definitions"]["step"]["allOf"]]
    return {names["x-verb"]: tuple(names["enum"]) for names in parts if names is not None}


@cache
def keys_beside() -> tuple[str, ...]:
    """The keys that go with every verb."""
    shared = set.intersection(*(set(names) for names in keys_with().values()))
    return tuple(key for key in all_keys() if key in shared)


@cache
def needs() -> dict[str, tuple[str, ...]]:
    """By verb: what must stand beside it, in whichever file."""
    parts: list[dict[str, Any]] = grammar()["definitions"]["strict_step"]["allOf"]
    return {part["then"]["x-verb"]: tuple(part["then"]["required"]) for part in parts}
