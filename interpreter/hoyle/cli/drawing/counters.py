"""The state of a view as words: scores and settings beside a name, and pegging tracks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import groupby

from hoyle.cli.drawing.ink import Look, cut, pad
from hoyle.printable import printable
from hoyle.view_data import StateView

NAME = 16  # columns for the name before a track


def told(
    items: Sequence[StateView], owner: str | None, seats: Collection[str], look: Look, drawn: Collection[str] = ()
) -> list[str]:
    """What belongs to a seat (None: to nobody), without what is absent, no, or zero for everybody, and what is `drawn` as a sheet."""
    return [words for _, words in told_by_name(items, owner, seats, look, drawn)]


def told_by_name(
    items: Sequence[StateView], owner: str | None, seats: Collection[str], look: Look, drawn: Collection[str] = ()
) -> list[tuple[str, str]]:
    """The same, each with the name of what it tells."""
    worth = {item.name for item in items if tells(item.value) and item.name not in drawn}
    own = [
        item
        for item in items
        if owner_of(item, seats) == owner and item.name in worth and not item.track and not in_grid(item, seats)
    ]
    groups = groupby(own, key=lambda item: item.name)
    return [(name, words) for name, group in groups if (words := _words(name, list(group), seats, look))]


def owner_of(item: StateView, seats: Collection[str]) -> str | None:
    """The seat whose value it is: `A`, or the first key of `A of plis`."""
    first = (item.member or "").partition(" of ")[0]
    return first if first in seats else None


def tells(value: object) -> bool:
    """Does a value say anything?"""
    return value not in (None, False, 0, "")


def _words(name: str, items: Sequence[StateView], seats: Collection[str], look: Look) -> str:
    """`packets 3`; of several, those that say something: `doubled A-B 2, A-C 1`; of a yes no value."""
    said = [_said(item, seats, look) for item in items if tells(item.value) or _is_score(item, seats, look)]
    called = look.label(name, "state")
    return look.entry.format(name=called, value=", ".join(said)) if any(said) else called if said else ""


def _is_score(item: StateView, seats: Collection[str], look: Look) -> bool:
    """A number that each seat has, or each side: then nothing is a score too."""
    sides = item.member is not None and " " not in item.member and look.keys.get(item.name) == (("seats",),)
    return (item.member in seats or sides) and isinstance(item.value, int) and not isinstance(item.value, bool)


def _said(item: StateView, seats: Collection[str], look: Look) -> str:
    words = look.member(item.name, item.member)[owner_of(item, seats) is not None :] if item.member else []
    value = printable(dict(item.texts).get(look.lang) or str(item.value))
    if words and words[-1].isdecimal() and item.value is not True:
        words[-1] += f"={value}"  # two numbers side by side would be one to read
    elif item.value is not True:
        words.append(value)
    return " ".join(words)


def _keys(item: StateView) -> list[str]:
    return (item.member or "").split(" of ")


def in_grid(item: StateView, seats: Collection[str]) -> bool:
    """Does it stand on a sheet, and not beside a name?"""
    return len(_keys(item)) > 2 or (len(_keys(item)) == 2 and owner_of(item, seats) is None)


def tracks(items: Iterable[StateView], look: Look) -> list[str]:
    """How far each front peg has come, and the back peg behind it, one line each."""
    return [_track(item, look) for item in items if item.track]


def _track(item: StateView, look: Look) -> str:
    reached = item.value if isinstance(item.value, int) else 0
    member = " ".join(look.member(item.name, item.member or ""))
    name = cut(f"{look.label(item.name, 'state')} {member}".strip(), NAME)
    room = look.width - NAME - 10
    front, back = (max(0, min(room, n * room // item.track)) for n in (reached, item.back or 0))
    behind = look.sign("━", "=") * front
    if item.back is not None and back < front:
        behind = behind[:back] + look.sign("○", ".") + behind[back + 1 :]
    line = behind + look.sign("●", "o") + look.ink(look.sign("─", "-") * (room - front), "dim")
    return f"{pad(name, NAME)} {line} {reached}/{item.track}"
