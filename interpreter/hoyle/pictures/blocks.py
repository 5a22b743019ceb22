"""Rectangles with drawings in them, placed beside and below each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from hoyle.pictures.svg import element, escape, translate
from hoyle.printable import width as columns_of

LETTER = 0.56
"""Mean width of a letter, in parts of the font size."""


class Part(Struct, frozen=True):
    """A drawing from its own upper left corner, as a group with these attributes."""

    x: float
    y: float
    inside: str
    attributes: tuple[tuple[str, object], ...] = ()

    def drawn(self) -> str:
        return element("g", self.inside, **dict(self.attributes), transform=translate(self.x, self.y))


class Block(Struct, frozen=True):
    width: float = 0
    height: float = 0
    parts: tuple[Part, ...] = ()

    def moved(self, x: float, y: float) -> tuple[Part, ...]:
        return tuple(Part(part.x + x, part.y + y, part.inside, part.attributes) for part in self.parts)


def place_beside(blocks: Sequence[Block], gap: float, middle: bool = False) -> Block:
    """Place blocks side by side, aligned at the top or at their middles."""
    high = max((block.height for block in blocks), default=0)
    x, parts = 0.0, list[Part]()
    for block in blocks:
        parts += block.moved(x, (high - block.height) / 2 if middle else 0)
        x += block.width + gap
    return Block(max(0.0, x - gap), high, tuple(parts))


def place_below(blocks: Iterable[Block], gap: float, width: float = 0, middle: bool = True) -> Block:
    """Place blocks below each other, centred in the width or from the left edge."""
    drawn = [block for block in blocks if block.height]
    wide = max([width, *(block.width for block in drawn)])
    y, parts = 0.0, list[Part]()
    for block in drawn:
        parts += block.moved((wide - block.width) / 2 if middle else 0, y)
        y += block.height + gap
    return Block(wide, max(0.0, y - gap), tuple(parts))


def lower(block: Block, by: float) -> Block:
    """Add room above a block."""
    return Block(block.width, block.height + by, block.moved(0, by))


def place_in_rows(blocks: Iterable[Block], width: float, gap: float) -> Block:
    """Place blocks side by side, in as many rows as the width needs."""
    rows: list[list[Block]] = []
    for block in (found for found in blocks if found.height):
        if rows and sum(b.width + gap for b in rows[-1]) + block.width <= width + 0.01:
            rows[-1].append(block)
        else:
            rows.append([block])
    return place_below((place_beside(row, gap) for row in rows), gap)


def text_width(text: str, size: float) -> float:
    return columns_of(text) * size * LETTER


def cut_text(text: str, size: float, width: float) -> str:
    """Shorten a text to a width."""
    if text_width(text, size) <= width:
        return text
    return text[: max(0, int(width / size / LETTER) - 1)].rstrip() + "…"


def text_block(
    content: str, size: float, colour: str, width: float = 0, middle: bool = True, **attributes: object
) -> Block:
    """Draw one line of text, at most `width` wide (0: any).

    Centred text stays in its place in fonts of other widths."""
    shown = cut_text(content, size, width) if width else content
    wide = text_width(shown, size)
    place = {"x": wide / 2, "text_anchor": "middle"} if middle else {"x": 0}
    drawn = element("text", escape(shown), **place, y=size, font_size=size, fill=colour, **attributes)
    return Block(wide, size * 1.3, (Part(0, 0, drawn),))


def wrap_items(items: Sequence[str], size: float, colour: str, width: float) -> Block:
    """Draw short texts in a row, several on a line. A text that is longer than a line is broken."""
    found: list[str] = []
    for item, begins in _break_items(items, size, width):
        joined = f"{found[-1]} · {item}" if found else item
        if found and begins and text_width(joined, size) <= width:
            found[-1] = joined
        else:
            found.append(item)
    return place_below((text_block(line, size, colour, width) for line in found), 1)


def _break_items(items: Sequence[str], size: float, width: float) -> Iterator[tuple[str, bool]]:
    """Yield texts that fit on a line, and whether they begin an item."""
    for item in items:
        line, begins = "", True
        for word in item.split(" "):
            longer = f"{line} {word}" if line else word
            if line and text_width(longer, size) > width:
                yield line, begins
                line, begins = word, False
            else:
                line = longer
        yield line, begins
