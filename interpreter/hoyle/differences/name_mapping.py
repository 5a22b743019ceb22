"""Mappings from names of one ruleset to those of another.

Names that formulas mention alone stand under themselves; rows, columns, choices and seats under their owner (`forms.inside`); others under their path (`flow/deal`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from hoyle.differences.normal_forms import owned_key

KeyPath = tuple[str, ...]
Names = Mapping[str, str]
_APART = ("flow", "moves", "obligations", "whenever", "constraints", "result")
"""Sections whose entries formulas do not mention by name alone."""
_OWNING = ("tables", "options")
_DONE = {"move": "moves", "obligation": "obligations"}
"""Kinds through which formulas do mention some of them."""
NAMED_BY = {
    **dict.fromkeys(("choose", "play", "prefer", "over", "until"), "moves"),
    "obey": "obligations",
    **dict.fromkeys(("run", "skip", "leave", "during", "turns", "renewed"), "flow"),
}
"""Keys whose values are names, and the section of these names."""

_PLACE = re.compile(r"\{[^{}:|]*")
_WORD = re.compile(r"[^\W\d]\w*")


def name_prefix(path: KeyPath, names: Names) -> str:
    """Return the prefix of names at a path, in a mapping of names. The path uses the new names."""
    section = path[0]
    if section == "players":
        return owned_key(section, "")
    if section in _OWNING and len(path) > 2:
        return owned_key(old_name(path[:1], path[1], names), "")
    if len(path) == 1 and section not in _APART:
        return ""
    return "/".join((*path, ""))


def names_at(path: KeyPath, names: Names) -> dict[str, str]:
    """Return the part of a mapping for the names at a path."""
    prefix = name_prefix(path, names)
    found = {known.removeprefix(prefix): new for known, new in names.items() if known.startswith(prefix)}
    return {known: new for known, new in found.items() if "/" not in known and "." not in known}


def old_name(path: KeyPath, name: str, names: Names) -> str:
    """Return the old name for a name at a path."""
    return next((known for known, new in names_at(path, names).items() if new == name), name)


def names_of_key(key: str, names: Names) -> Names:
    """Return the mapping for values of a key."""
    return names_at((NAMED_BY[key],), names) if key in NAMED_BY else names


def names_of_type(kind: str, names: Names) -> Names:
    """Return the mapping for values of a kind."""
    return names_at((_DONE[kind],), names) if kind in _DONE else names


def rename_in_braces(text: str, names: Names) -> str:
    """Replace names inside the braces of a sentence; choices stand there without their option."""
    own = {known.rpartition(".")[2]: new for known, new in names.items() if "/" not in known}
    return _PLACE.sub(lambda place: _WORD.sub(lambda word: own.get(word[0], word[0]), place[0]), text)
