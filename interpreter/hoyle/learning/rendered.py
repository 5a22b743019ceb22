"""What a seat sees, as text: a position as people write it (the language, 16), in YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hoyle.game.compiled import Compiled
from hoyle.game.positions import to_position
from hoyle.game.view import sees
from hoyle.running.state import Core

_WORDS = re.compile(r"[^\W_]\w*( [\w/]+)*")
_NO_TEXT = {"y", "n", "yes", "no", "on", "off", "true", "false", "null"}
"""Words that YAML reads as something else."""


def text(game: Compiled, core: Core, seat: int, begun: Sequence[str] = ()) -> str:
    """What a seat sees of a state, as a position without the game and its options. What has been chosen of an action (`begun`), which no position tells, is a comment
    of its last line."""
    found = to_position(game, in_no_order(game, core, seat), game.seats[seat])
    shown = {key: value for key, value in found.items() if key not in ("game", "options") and value not in (None, "")}
    return "\n".join([*_lines(shown), *([f"# begun: {', '.join(begun)}"] if begun else [])])


def in_no_order(game: Compiled, core: Core, seat: int) -> Core:
    """The same with pieces whose order is nobody's business in one that tells nothing: first those that the seat does not see, then those that lie face down, by what they
    are. Two states that it cannot tell apart are then told in the same words."""
    found = core.copy()
    for number in game.machine.heaps:
        pile = core.piles[number]
        seen = [sees(game, number, at, len(pile), piece, seat) for at, piece in enumerate(pile)]
        if game.namer.family(number).face != "top seen":
            order = sorted(range(len(pile)), key=lambda at: (pile[at] & 1, seen[at], pile[at] * seen[at]))
            found.piles[number] = [pile[at] for at in order]
    return found


def _lines(found: Mapping[str, Any], indent: str = "") -> Iterator[str]:
    """A map, one entry a line."""
    for key, value in found.items():
        if isinstance(value, dict):
            yield f"{indent}{scalar(key)}:" if value else f"{indent}{scalar(key)}: {{}}"
            yield from _lines(value, indent + "  ")
        else:
            yield f"{indent}{scalar(key)}: {scalar(value)}"


def scalar(value: Any) -> str:
    """A value as YAML reads it again: text that it would read as something else stands in quotes."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if not isinstance(value, str):
        return str(value)
    plain = _WORDS.fullmatch(value) and (" " in value or value[0].isalpha()) and value.lower() not in _NO_TEXT
    return value if plain else '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
