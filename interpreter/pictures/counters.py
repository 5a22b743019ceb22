"""The state of a view beside names: scores and settings as words, pegging tracks with their pegs, and score sheets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Protocol

from interpreter.pictures.blocks import Block, Part, below, cut, text, text_width
from interpreter.pictures.names import Names
from interpreter.pictures.svg import FONT, circle, element, escape, number, rectangle, words
from interpreter.pictures.theme import Theme

FIVE = 5
"""Holes of a track stand in groups of so many."""


class Item(Protocol):
    """A value of the state as a view gives it."""

    @property
    def name(self) -> str: ...
    @property
    def member(self) -> str | None: ...
    @property
    def value(self) -> object: ...
    @property
    def texts(self) -> Sequence[tuple[str, str]]: ...
    @property
    def track(self) -> int: ...
    @property
    def back(self) -> int | None: ...


# ---- words -----------------------------------------------------------------------------------------------------------


def told(items: Sequence[Item], owner: str | None, names: Names) -> list[str]:
    """What belongs to a seat (None: to nobody), without what is absent, no, or zero for everybody."""
    worth = {item.name for item in items if _tells(item.value)}
    own = [
        item
        for item in items
        if owner_of(item, names) == owner and item.name in worth and not item.track and not _in_grid(item, names)
    ]
    groups = groupby(own, key=lambda item: item.name)
    return [said for name, group in groups if (said := _words(name, list(group), names))]


def owner_of(item: Item, names: Names) -> str | None:
    """The seat whose value it is: `A`, or the first key of `A of plis`."""
    first = (item.member or "").partition(" of ")[0]
    return first if first in names.seats else None


def _tells(value: object) -> bool:
    return value not in (None, False, 0, "")


def _words(name: str, items: Sequence[Item], names: Names) -> str:
    """`packets 3`; of several, those that say something; of a yes no value its name."""
    said = [_said(item, names) for item in items if _tells(item.value) or _is_score(item, names.seats)]
    return f"{names.label(name, 'state')} {', '.join(said)}".rstrip() if said else ""


def _is_score(item: Item, seats: Collection[str]) -> bool:
    """A number that each seat has: then nothing is a score too."""
    return item.member in seats and isinstance(item.value, int) and not isinstance(item.value, bool)


def _said(item: Item, names: Names) -> str:
    words_ = names.member(item.name, item.member)[owner_of(item, names) is not None :] if item.member else []
    if item.value is not True:
        words_ = [*words_, _value(item, names)]
    return " ".join(words_)


def _value(item: Item, names: Names) -> str:
    return dict(item.texts).get(names.lang) or str(item.value)


# ---- tracks ----------------------------------------------------------------------------------------------------------


def tracks(items: Iterable[Item], names: Names, look: Theme, width: float) -> Block:
    """Each track with its two pegs."""
    found = [item for item in items if item.track]
    return below((_track(item, n, names, look, width) for n, item in enumerate(found)), 6)


def _track(item: Item, order: int, names: Names, look: Theme, width: float) -> Block:
    """Holes from the left to the right, in as many lines as the width asks for; the front peg, and the back one behind it."""
    named, size = " ".join(names.member(item.name, item.member or "")) or names.label(item.name, "state"), 13.0
    label = min(width * 0.2, max(24.0, text_width(named, size) + 10))
    score = 40.0
    room = width - label - score
    rows, across = _rows(item.track, room)
    pitch = room / (across + across / FIVE * 0.6 + 2)
    line = max(11.0, pitch * 1.7)
    places = [_hole(n, rows, across, pitch, label, line) for n in range(1, item.track + 1)]
    holes = "".join(f"M{number(x)} {number(y)}h0" for x, y in places)
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
    name = words(0, line / 2 + size * 0.36, cut(named, size, label - 10), size, fill=look.ink, font_family=FONT)
    told_ = words(
        width,
        line / 2 + size * 0.36,
        f"{reached}/{item.track}",
        size * 0.9,
        text_anchor="end",
        fill=look.faint,
        font_family=FONT,
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


# ---- sheets ----------------------------------------------------------------------------------------------------------


def sheets(items: Iterable[Item], names: Names, look: Theme, width: float) -> list[Block]:
    """State with two keys, of which the first is no seat, as a sheet: a row for each first key that says something. With three keys a sheet
    for each first one."""
    found = [item for item in items if _in_grid(item, names)]
    groups = groupby(found, key=lambda item: (item.name, _sheet(item)))
    drawn = [_grid(name, list(group), names, look, width) for (name, _), group in groups]
    return [block for block in drawn if block.height]


def _keys(item: Item) -> list[str]:
    return (item.member or "").split(" of ")


def _sheet(item: Item) -> str:
    return _keys(item)[0] if len(_keys(item)) > 2 else ""


def _in_grid(item: Item, names: Names) -> bool:
    return len(_keys(item)) > 2 or (len(_keys(item)) == 2 and owner_of(item, names) is None)


def _grid(name: str, items: Sequence[Item], names: Names, look: Theme, width: float) -> Block:
    zero = any(item.value is None for item in items)  # then a nought and nothing written are two things
    cells = {_cell_at(item, names): _cell(item, zero, names) for item in items}
    if not any(cells.values()):
        return Block()
    sheet = " ".join(names.member(name, items[0].member or "")[:-2])
    title = f"{names.label(name, 'state')} {sheet}".strip()
    turned = {(column, row): cell for (row, column), cell in cells.items()}
    return table(
        title,
        next((lines for lines in (_lines(cells), _lines(turned)) if fits(lines, width)), _lines(turned)),
        look,
        width,
    )


def _lines(cells: Mapping[tuple[str, str], str]) -> list[list[str]]:
    """The columns with their names, and rows that say something."""
    columns = list(dict.fromkeys(column for _, column in cells))
    told_ = [row for row in dict.fromkeys(row for row, _ in cells) if any(cells[row, column] for column in columns)]
    return [["", *columns], *([row, *(cells[row, column] for column in columns)] for row in told_)]


def _cell_at(item: Item, names: Names) -> tuple[str, str]:
    row, column = names.member(item.name, item.member or "")[-2:]
    return row, column


def _cell(item: Item, zero: bool, names: Names) -> str:
    if not _tells(item.value) and not (zero and item.value == 0):
        return ""
    return "✓" if item.value is True else _value(item, names)


def fits(lines: Sequence[Sequence[str]], width: float, size: float = 12.0) -> bool:
    return sum(_widths(lines, size)) <= width


def _widths(lines: Sequence[Sequence[str]], size: float) -> list[float]:
    return [max(text_width(line[n], size * 1.1) for line in lines) + size for n in range(len(lines[0]))]


def table(title: str, lines: Sequence[Sequence[str]], look: Theme, width: float, size: float = 12.0) -> Block:
    """A sheet with a head line and a head column, no wider than this."""
    high = size * 1.55
    wide = _widths(lines, size)
    rest = max(size * 2, width - sum(wide[1:]))
    wide[0] = min(wide[0], rest)
    over = sum(wide) / width
    wide = [w / max(1.0, over) for w in wide]
    cells = [_row(line, wide, n * high, high, size, look, n == 0) for n, line in enumerate(lines)]
    heading = text(title, size, look.faint, sum(wide), middle=False)
    full = sum(wide)
    ground = rectangle(0, 0, full, high * len(lines), 4, fill=look.paper, stroke=look.edge)
    sheet = Block(full, high * len(lines), (Part(0, 0, ground + "".join(cells), (("class", "sheet"),)),))
    return below([heading, sheet], 2, middle=False)


def _row(
    line: Sequence[str], wide: Sequence[float], y: float, high: float, size: float, look: Theme, head: bool
) -> str:
    x, drawn = 0.0, list[str]()
    if not head:
        full = number(sum(wide))
        drawn.append(element("path", d=f"M0 {number(y)}H{full}", stroke=look.edge, stroke_opacity=0.5))
    for n, (content, column) in enumerate(zip(line, wide, strict=True)):
        shown = cut(content, size, column - 4)
        place: Mapping[str, object] = {"x": x + 5} if n == 0 else {"x": x + column - 5, "text_anchor": "end"}
        weight = "bold" if head or n == 0 else None
        drawn.append(
            element(
                "text",
                escape(shown),
                **place,
                y=y + high * 0.7,
                font_size=size,
                fill=look.print,
                font_weight=weight,
                font_family=FONT,
            )
        )
        x += column
    return "".join(drawn)
