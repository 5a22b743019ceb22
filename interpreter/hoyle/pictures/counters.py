"""State of a view beside names: scores and settings in words, and pegging tracks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hoyle.pictures.blocks import Block, Part, cut_text, place_below, text_width
from hoyle.pictures.names import Names
from hoyle.pictures.svg import circle, element, escape, format_number, text_element
from hoyle.pictures.theme import Theme
from hoyle.view_data import StateView, find_owner, is_worth_showing, values_beside_name

FIVE = 5
"""Holes of a group on a track."""


# ---- words -----------------------------------------------------------------------------------------------------------


def list_values(items: Sequence[StateView], owner: str | None, names: Names) -> list[str]:
    """Describe the values of a seat (None: of nobody), except absent, no, and zero if all have zero."""
    groups = values_beside_name(items, owner, names.seats)
    return [words for group in groups if (words := _describe(group[0].name, group, names))]


def _describe(name: str, items: Sequence[StateView], names: Names) -> str:
    """Describe a state: `packets 3`; several members if they say something; a yes without its value."""
    said = [_describe_member(item, names) for item in items if is_worth_showing(item) or _is_score(item, names)]
    return f"{names.label(name, 'state')} {', '.join(said)}".rstrip() if said else ""


def _is_score(item: StateView, names: Names) -> bool:
    """Return whether each seat or side has such a number. Then zero is shown, too."""
    alone = item.member is not None and " " not in item.member and names.keys.get(item.name) == (("seats",),)
    return alone and isinstance(item.value, int) and not isinstance(item.value, bool)


def _describe_member(item: StateView, names: Names) -> str:
    words_ = names.member(item.name, item.member)[find_owner(item, names.seats) is not None :] if item.member else []
    if item.value is not True:
        words_ = [*words_, dict(item.texts).get(names.lang) or str(item.value)]
    return " ".join(words_)


# ---- tracks ----------------------------------------------------------------------------------------------------------


def draw_tracks(items: Iterable[StateView], names: Names, look: Theme, width: float) -> Block:
    """Each track with its two pegs."""
    found = [item for item in items if item.track]
    return place_below((_draw_track(item, n, names, look, width) for n, item in enumerate(found)), 6)


def _draw_track(item: StateView, order: int, names: Names, look: Theme, width: float) -> Block:
    """Draw the holes from left to right in as many lines as the width needs, and the two pegs."""
    named, size = " ".join(names.member(item.name, item.member or "")) or names.label(item.name, "state"), 13.0
    label = min(width * 0.2, max(24.0, text_width(named, size) + 10))
    score = 56.0
    room = width - label - score
    rows, across = _arrange_holes(item.track, room)
    pitch = room / (across + across / FIVE * 0.6 + 2)
    line = max(11.0, pitch * 1.7)
    places = [_hole_position(n, rows, across, pitch, label, line) for n in range(1, item.track + 1)]
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


def _arrange_holes(track: int, room: float) -> tuple[int, int]:
    """Return the number of lines, and of holes in each but the last, in whole groups. The last may have one more."""
    lines = 1
    while room / (-(-track // lines) * 1.12 + 2) < 4.4 and lines < 6:
        lines += 1
    across = track // lines // FIVE * FIVE if lines > 1 else track
    return lines, across if track - across * lines <= 1 else across + FIVE


def _hole_position(n: int, rows: int, across: int, pitch: float, left: float, line: float) -> tuple[float, float]:
    row = min((n - 1) // across, rows - 1)
    column = n - 1 - row * across
    return left + (column + 1 + column // FIVE * 0.6) * pitch, line * (row + 0.5)
