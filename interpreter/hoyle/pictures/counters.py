"""The state of a view beside names: scores and settings as words, and pegging tracks with their pegs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from hoyle.pictures.blocks import Block, Part, cut_text, place_below, text_width
from hoyle.pictures.names import Names
from hoyle.pictures.svg import circle, element, escape, format_number, text_element
from hoyle.pictures.theme import Theme
from hoyle.view_data import StateView

FIVE = 5
"""Holes of a track stand in groups of so many."""


# ---- words -----------------------------------------------------------------------------------------------------------


def list_values(items: Sequence[StateView], owner: str | None, names: Names) -> list[str]:
    """What belongs to a seat (None: to nobody), without what is absent, no, or zero for everybody."""
    worth = {item.name for item in items if _tells(item.value)}
    own = [
        item
        for item in items
        if owner_of(item, names) == owner and item.name in worth and not item.track and not _in_grid(item, names)
    ]
    groups = groupby(own, key=lambda item: item.name)
    return [said for name, group in groups if (said := _words(name, list(group), names))]


def owner_of(item: StateView, names: Names) -> str | None:
    """The seat whose value it is: `A`, or the first key of `A of plis`."""
    first = (item.member or "").partition(" of ")[0]
    return first if first in names.seats else None


def _tells(value: object) -> bool:
    return value not in (None, False, 0, "")


def _words(name: str, items: Sequence[StateView], names: Names) -> str:
    """`packets 3`; of several, those that say something; of a yes no value its name."""
    said = [_said(item, names) for item in items if _tells(item.value) or _is_score(item, names)]
    return f"{names.label(name, 'state')} {', '.join(said)}".rstrip() if said else ""


def _is_score(item: StateView, names: Names) -> bool:
    """A number that each seat has, or each side: then nothing is a score too."""
    alone = item.member is not None and " " not in item.member and names.keys.get(item.name) == (("seats",),)
    return alone and isinstance(item.value, int) and not isinstance(item.value, bool)


def _said(item: StateView, names: Names) -> str:
    words_ = names.member(item.name, item.member)[owner_of(item, names) is not None :] if item.member else []
    if item.value is not True:
        words_ = [*words_, _value(item, names)]
    return " ".join(words_)


def _value(item: StateView, names: Names) -> str:
    return dict(item.texts).get(names.lang) or str(item.value)


def _in_grid(item: StateView, names: Names) -> bool:
    """Does it stand on a sheet, and not beside a name?"""
    keys = (item.member or "").split(" of ")
    return len(keys) > 2 or (len(keys) == 2 and owner_of(item, names) is None)


# ---- tracks ----------------------------------------------------------------------------------------------------------


def draw_tracks(items: Iterable[StateView], names: Names, look: Theme, width: float) -> Block:
    """Each track with its two pegs."""
    found = [item for item in items if item.track]
    return place_below((_track(item, n, names, look, width) for n, item in enumerate(found)), 6)


def _track(item: StateView, order: int, names: Names, look: Theme, width: float) -> Block:
    """Holes from the left to the right, in as many lines as the width asks for; the front peg, and the back one behind it."""
    named, size = " ".join(names.member(item.name, item.member or "")) or names.label(item.name, "state"), 13.0
    label = min(width * 0.2, max(24.0, text_width(named, size) + 10))
    score = 56.0
    room = width - label - score
    rows, across = _rows(item.track, room)
    pitch = room / (across + across / FIVE * 0.6 + 2)
    line = max(11.0, pitch * 1.7)
    places = [_hole(n, rows, across, pitch, label, line) for n in range(1, item.track + 1)]
    holes = "".join(f"M{format_number(x)} {format_number(y)}h0" for x, y in places)
    drawn = [
        element(
            "path",
            d=holes,
            stroke=look.faint,
            stroke_opacity=0.6,
            stroke_width=min(4.0, pitch * 0.5),
            stroke_linecap="round",
        )
    ]
    light, dark = look.men[order % len(look.men)]
    reached = item.value if isinstance(item.value, int) else 0
    for hole in dict.fromkeys((item.back or 0, reached)):
        x, y = places[min(hole, item.track) - 1] if hole > 0 else (label - pitch * 0.4, line / 2)
        drawn.append(circle(x, y, min(6.0, max(3.4, pitch * 0.62)), fill=light, stroke=dark, stroke_width=1.5))
    high = line * rows
    name = text_element(0, line / 2 + size * 0.36, cut_text(named, size, label - 10), size, fill=look.ink)
    told_ = text_element(
        width,
        line / 2 + size * 0.36,
        f"{reached}/{item.track}",
        size * 0.9,
        text_anchor="end",
        fill=look.faint,
    )
    titled = element("title", escape(f"{names.label(item.name, 'state')} {named}: {reached}/{item.track}"))
    return Block(
        width, max(high, size * 1.4), (Part(0, 0, titled + name + told_ + "".join(drawn), (("class", "track"),)),)
    )


def _rows(track: int, room: float) -> tuple[int, int]:
    """How many lines there are, and how many holes in each but the last, which may have one more: whole groups."""
    lines = 1
    while room / (-(-track // lines) * 1.12 + 2) < 4.4 and lines < 6:
        lines += 1
    across = track // lines // FIVE * FIVE if lines > 1 else track
    return lines, across if track - across * lines <= 1 else across + FIVE


def _hole(n: int, rows: int, across: int, pitch: float, left: float, line: float) -> tuple[float, float]:
    row = min((n - 1) // across, rows - 1)
    column = n - 1 - row * across
    return left + (column + 1 + column // FIVE * 0.6) * pitch, line * (row + 0.5)
