"""News in fewer lines: what each player put to a trick stands in one line, with who wins it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from hoyle.cli.drawing.ink import Look, suited
from hoyle.printable import width

if TYPE_CHECKING:
    from hoyle.game.events import Event

FEWEST = 2
"""So many moves make a line of their own."""


class Item(Struct, frozen=True):
    """An event, its words, and the line that they make."""

    event: Event
    text: str
    line: str
    mark: str = ""
    """Behind a move: that nobody was asked for it."""


class Heard(Struct, frozen=True):
    """What there is to tell: line by line, and in fewer lines for where there is no room."""

    lines: list[str]
    dense: list[str]
    own: frozenset[str] = frozenset()
    """Those with what was done for whom they are told, who was not asked: he is to see them, whatever is left out."""

    def within(self, most: int) -> list[str]:
        """In full if that takes no more lines than so many."""
        return self.lines if len(self.lines) <= most else self.dense

    def and_then(self, line: str) -> Heard:
        """And this behind it."""
        return Heard([*self.lines, line], [*self.dense, line], self.own) if line else self


def heard(items: Sequence[Item], look: Look, seat: str | None = None) -> Heard:
    """All these, and the same with a trick on a line."""
    dense = list(_dense(items, look))
    each = [(item.line, [item]) for item in items]
    own = {line for line, run in (*each, *dense) if any(item.mark and item.event.seat == seat for item in run)}
    return Heard([item.line for item in items], [line for line, _ in dense], frozenset(own))


def _dense(items: Sequence[Item], look: Look) -> Iterator[tuple[str, Sequence[Item]]]:
    """The lines, each with what it tells."""
    at, tricks = 0, any(item.event.data.get("ends") == "trick" for item in items)
    while at < len(items):
        played = _played(items[at:], look) if tricks else []
        after = items[at + len(played)] if at + len(played) < len(items) else None
        if len(played) < FEWEST:
            yield items[at].line, items[at : at + 1]
            at += 1
        elif after is not None and after.event.kind == "ends":
            yield ruled(f"{', '.join(played)} — {after.text}", after.event, look), items[at : at + len(played)]
            at += len(played) + 1
        else:
            yield ", ".join(played), items[at : at + len(played)]
            at += len(played)


def _played(items: Sequence[Item], look: Look) -> list[str]:
    """Who put which one piece, as far as one after the other made the same move with one."""
    found, seats, name = list[str](), set[str | None](), ""
    for item in items:
        own, _, sign = str(item.event.data.get("move", "")).partition(" ")
        if sign not in look.pieces.written or item.event.seat in seats or own != (name or own):
            break
        name = own
        seats.add(item.event.seat)
        text = f"{look.seat(str(item.event.seat))} {look.pieces.written[sign].text}"
        found.append(suited(text, look) + item.mark)
    return found


def ruled(text: str, event: Event, look: Look) -> str:
    """Behind the end of a trick a thin line, behind that of a deal a thick one."""
    if event.kind != "ends" or look.plain:
        return text
    fancy, bare = ("━", "=") if event.data["ends"] == "deal" else ("─", "-")
    return f"{text} {look.ink(look.sign(fancy, bare) * max(0, look.width - width(text) - 1), 'dim')}"
