"""Piles: spread out, in columns, in stacks; and empty places. Scripts find each pile by its key, and each piece by its height in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from math import ceil
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from hoyle.pictures import cards
from hoyle.pictures.blocks import Block, Part, cut_text, text_width
from hoyle.pictures.pieces import PLACE, Pen
from hoyle.pictures.shapes import SUITS
from hoyle.pictures.svg import element, escape, rectangle, text_element, translate
from hoyle.view_data import PieceView, PileView

if TYPE_CHECKING:
    from hoyle.pictures.blocks import Block
    from hoyle.pictures.pieces import Pen

MOST = 8192
"""So many piles are kept as they were drawn."""
Given = ParamSpec("Given")
Thing = TypeVar("Thing")
_drawn: dict[Any, tuple[Pen, Block]] = {}


def cached_drawing(
    draw: Callable[Concatenate[Thing, Pen, Given], Block],
) -> Callable[Concatenate[Thing, Pen, Given], Block]:
    """Draws a pile once that is drawn alike: the same words and colours (those very ones), the same pieces, as large, with all else that is given."""

    @wraps(draw)
    def once(pile: Thing, pen: Pen, /, *given: Given.args, **named: Given.kwargs) -> Block:
        key = (draw.__name__, pile, _of(pen), given, tuple(named.items()))
        found = _drawn.pop(key, None) or (pen, draw(pile, pen, *given, **named))
        _drawn[key] = found  # the last of all; with the pen its words and colours stay, and so what tells them
        while len(_drawn) > MOST:
            _drawn.pop(next(iter(_drawn)), None)
        return found[1]

    return once


def _of(pen: Pen) -> tuple[Any, ...]:
    """What drawing hangs on: large tables by which they are."""
    card = pen.card
    rest = [getattr(pen, name) for name in pen.__struct_fields__ if name not in ("names", "card")]
    sizes = [getattr(card, name) for name in card.__struct_fields__ if name != "theme"]
    return id(pen.names), id(card.theme), *rest, *sizes


DEEP = 3
"""At most so many cards of a stack show their edges."""
OPEN = 0.85
"""A row that is no hand takes no more of the width, as long as its pieces can be told."""
USUAL = 6
"""So many cards are covered in a column that has not been short of room."""
FAN = 1.1
"""How wide the backs of a row are together, beside the upper one."""
LINE = 0.62
"""How far the next line of cards lies from the one above it, in parts of their height."""
HIDDEN = 0.2
"""How much of a back is seen of one that another covers, in parts of its width."""


Place = tuple[int, float, float]
"""The height of a piece in its pile, and where it is drawn."""


def is_stack(pile: PileView, pen: Pen) -> bool:
    return pile.layout == "count" or pile.family in pen.names.stacks


@cached_drawing
def draw_row(pile: PileView, pen: Pen, width: float, label: str, hand: bool = False) -> Block:
    """Pieces side by side, overlapping as far as they must, those of a `hand` only if they must; in several lines, where too little of them would be seen."""
    if not pile.pieces:
        return draw_empty(pile, pen, label)
    wide, high = pen.size(pen.shape(pile.pieces[-1]))
    least = [_least(pile.pieces[n], pen, wide, hand) for n in pile.order]
    lines = max(1, ceil((sum(least[:-1]) + 0.01) / max(1.0, width - wide)) if wide < width else 1)
    across = -(-len(pile.order) // lines)
    shares = [pile.order[n : n + across] for n in range(0, len(pile.order), across)]
    found = [_line(pile, share, pen, width, hand) for share in shares]
    down = high * (LINE if pen.shape(pile.pieces[-1]) == "card" else 1.15)
    places = [(n, x, k * down) for k, line in enumerate(found) for n, x in line]
    return _pile(pile, pen, places, max(x for _, x, _ in places) + wide, high + down * (len(found) - 1))


def _line(pile: PileView, order: Sequence[int], pen: Pen, width: float, hand: bool) -> list[tuple[int, float]]:
    """Pieces with the places where they begin."""
    wide, _ = pen.size(pen.shape(pile.pieces[-1]))
    steps = [_step(pile.pieces[n], pen, wide, pile.count) for n in order[:-1]]
    least = sum(_least(pile.pieces[n], pen, wide, hand) for n in order[:-1])
    room = width - wide if hand else min(width - wide, max(OPEN * width - wide, least))
    tight = min(1.0, max(1.0, room) / sum(steps)) if steps else 1.0
    return [(n, sum(steps[:k]) * tight) for k, n in enumerate(order)]


def _step(piece: PieceView, pen: Pen, wide: float, count: int) -> float:
    """How far the next piece lies from this one where there is room."""
    if pen.shape(piece) != "card":
        return wide * 1.15
    return wide * (1.06 if piece.sign is not None else min(HIDDEN, FAN / count))


def _least(piece: PieceView, pen: Pen, wide: float, hand: bool) -> float:
    """How much of a piece must be seen at least; of one's own cards the index will do."""
    if pen.shape(piece) != "card":
        return wide * 1.15
    if piece.sign is None:
        return wide * HIDDEN / 4
    return pen.card.index if hand else max(pen.card.strip, wide * 0.34)


@cached_drawing
def draw_column(pile: PileView, pen: Pen, height: float, label: str) -> Block:
    """Pieces downwards, overlapping so that they are no higher than this, as long as all can be told."""
    if not pile.pieces:
        return draw_empty(pile, pen, label)
    wide, high = pen.size(pen.shape(pile.pieces[-1]))
    steps = [high * 0.1 if piece.sign is None else max(pen.card.strip, high * 0.2) for piece in pile.pieces[:-1]]
    least = [
        min(step, 3.0 if piece.sign is None else pen.card.strip)
        for step, piece in zip(steps, pile.pieces, strict=False)
    ]
    over = max(0.0, sum(steps) + high - height) / max(0.01, sum(steps) - sum(least))
    y, places = 0.0, list[Place]()
    for n, (step, few) in enumerate(zip([*steps, 0.0], [*least, 0.0], strict=True)):
        places.append((n, 0, y))
        y += step - (step - few) * min(1.0, over)
    return _pile(pile, pen, places, wide, _judged(y, pen) + high, cards.draw_place(wide, high, pen.theme))


def _judged(length: float, pen: Pen) -> float:
    """How far a column reaches; where its room is judged, not less than one in the middle of a game."""
    return max(length, USUAL * pen.card.strip) if pen.blind else length


@cached_drawing
def draw_stack(pile: PileView, pen: Pen, label: str, deep: int = DEEP) -> Block:
    """The top piece upon some edges of those below it, and how many they are."""
    if not pile.count:
        return draw_empty(pile, pen, label)
    top = pile.pieces[-1] if pile.pieces else None
    wide, high = pen.size(pen.shape(top) if top is not None else "card")
    edges = min(deep, (pile.count - 1 + 4) // 5) if wide == pen.card.width else 0
    shift = 2.0 * edges
    ground = [cards.draw_place(wide, high, pen.theme)]
    under = [_edge(pen, 2.0 * n) for n in range(edges)]
    drawn = _upper(pile, pen, shift) if top is not None else [cards.draw_back(pen.card)]
    plate = draw_plate(str(pile.count), pen.count, pen)
    y = shift + 1.5 if wide >= cards.PIPPED else shift + high - plate.height - 1.5  # where no index stands
    count = [p.drawn() for p in plate.moved(shift + wide - plate.width - 1.5, y)] if pile.count > 1 else []
    return _whole(pile, pen, [*ground, *under, *drawn, *count], wide + shift, high + shift)


def _upper(pile: PileView, pen: Pen, shift: float) -> list[str]:
    """The top piece, and the one that is seen when it is taken."""
    last = len(pile.pieces) - 1
    return [_piece(pile, pen, n, shift, shift) for n in range(max(0, last - 1), last + 1)]


def draw_empty(pile: PileView, pen: Pen, label: str) -> Block:
    """The outline of a place where nothing lies, as large as what may lie there."""
    wide, high = pen.size(pen.names.holds.get(pile.family, "card"))
    outline = cards.draw_place(wide, high, pen.theme, label)
    size = min(12.0, wide * 0.19)
    if label and label not in SUITS:
        shown = cut_text(label, size, wide - 4)
        x, y, look = wide / 2, high / 2 + size * 0.35, pen.theme
        outline += text_element(x, y, shown, size, text_anchor="middle", fill=look.faint)
    return _whole(pile, pen, [outline], wide, high)


def _edge(pen: Pen, shift: float) -> str:
    wide, high, look = pen.card.width, pen.card.height, pen.theme
    return rectangle(shift + 0.5, shift + 0.5, wide - 1, high - 1, 0.07 * wide, fill=look.paper, stroke=look.edge)


def draw_plate(content: str, size: float, pen: Pen) -> Block:
    """A short text upon a card."""
    look, wide, high = pen.theme, text_width(content, size) + size * 0.7, size * 1.3
    plate = rectangle(0, 0, wide, high, size * 0.5, fill=look.print, fill_opacity=0.82)
    said = text_element(wide / 2, size, content, size, text_anchor="middle", fill=look.paper)
    return Block(wide, high, (Part(0, 0, plate + said),))


def draw_chip(pile: PileView, pen: Pen, label: str, width: float) -> Block:
    """An empty place that is only named, no wider than this."""
    size, look = 11.0, pen.theme
    shown = cut_text(label, size, width - 2 * size)
    wide, high = text_width(shown, size) + 2 * size, size * 2
    said = text_element(wide / 2, size * 1.36, shown, size, text_anchor="middle", fill=look.faint)
    return _whole(pile, pen, [cards.draw_place(wide, high, look), said], wide, high)


def _pile(pile: PileView, pen: Pen, places: Sequence[Place], width: float, height: float, ground: str = "") -> Block:
    """Pieces where they lie, upon what is seen when they are taken."""
    return _whole(pile, pen, [ground, *(_piece(pile, pen, n, x, y) for n, x, y in places)], width, height)


def _piece(pile: PileView, pen: Pen, height: int, x: float, y: float) -> str:
    piece = pile.pieces[height]
    light = pen.light(pile.key, height, *pen.size(pen.shape(piece)))
    return element(
        "g",
        light + pen.draw(piece),
        class_="piece",
        data_pile=pile.key,
        data_at=height,
        data_sign=piece.sign,
        transform=translate(x, y),
    )


def _whole(pile: PileView, pen: Pen, drawn: Sequence[str], width: float, height: float) -> Block:
    named = element("title", escape(describe_pile(pile, pen))) + pen.light(pile.key, PLACE, width, height)
    attributes = (("class", "pile"), ("data-pile", pile.key))
    return Block(width, height, (Part(0, 0, named + "".join(drawn), attributes),))


def describe_pile(pile: PileView, pen: Pen) -> str:
    """What a pile is called, and whose it is."""
    names = pen.names
    parts = [names.label(pile.family, "piles"), *label_parts(pile, pen)]
    owner = [names.seat(pile.owner)] if pile.owner is not None else []
    return ", ".join([" ".join(parts), *owner, names.say("pieces", count=pile.count)])


def label_parts(pile: PileView, pen: Pen) -> list[str]:
    """What tells a pile from the others of its family: its row, its number, or both."""
    parts = pen.names.member(pile.family, pile.member) if pile.member is not None else []
    return [*parts, str(pile.number)] if pile.number is not None else parts
