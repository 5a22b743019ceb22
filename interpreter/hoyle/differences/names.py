"""What things of one ruleset are called in another, by where they have their names: an option, a phase and a step may share one.

A mapping of names has what formulas may mention under its name alone, rows, columns, choices and seats under what they belong to (`forms.inside`),
and others under the way to them (`flow/deal`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from hoyle.differences.forms import inside

KeyPath = tuple[str, ...]
Names = Mapping[str, str]
_APART = ("flow", "moves", "obligations", "whenever", "constraints", "result")
"""Sections whose entries formulas do not mention, or never for something else."""
_OWNING = ("tables", "options")
_DONE = {"move": "moves", "obligation": "obligations"}
"""Kinds of what formulas do mention of these."""
NAMED_BY = {
    **dict.fromkeys(("choose", "play", "prefer", "over", "until"), "moves"),
    "obey": "obligations",
    **dict.fromkeys(("run", "skip", "leave", "during", "turns", "renewed"), "flow"),
}
"""Keys at which names stand, and the section whose names they are."""

_PLACE = re.compile(r"\{[^{}:|]*")
_WORD = re.compile(r"[^\W\d]\w*")


def space(path: KeyPath, names: Names) -> str:
    """What stands before the names of what is at this path, which begins with its section, in a mapping of names. `path`: in the new names."""
    section = path[0]
    if section == "players":
        return inside(section, "")
    if section in _OWNING and len(path) > 2:
        return inside(old(path[:1], path[1], names), "")
    if len(path) == 1 and section not in _APART:
        return ""
    return "/".join((*path, ""))


def at(path: KeyPath, names: Names) -> dict[str, str]:
    """The names of what is at this path alone."""
    prefix = space(path, names)
    found = {known.removeprefix(prefix): new for known, new in names.items() if known.startswith(prefix)}
    return {known: new for known, new in found.items() if "/" not in known and "." not in known}


def old(path: KeyPath, name: str, names: Names) -> str:
    """The old name of what is called so at this path."""
    return next((known for known, new in at(path, names).items() if new == name), name)


def of_key(key: str, names: Names) -> Names:
    """The names of what may stand at this key as a text."""
    return at((NAMED_BY[key],), names) if key in NAMED_BY else names


def of_kind(kind: str, names: Names) -> Names:
    """The names of what is of this kind."""
    return at((_DONE[kind],), names) if kind in _DONE else names


def in_texts(text: str, names: Names) -> str:
    """A sentence in which what stands between braces has these names. Choices are known without their options there."""
    own = {known.rpartition(".")[2]: new for known, new in names.items() if "/" not in known}
    return _PLACE.sub(lambda place: _WORD.sub(lambda word: own.get(word[0], word[0]), place[0]), text)
