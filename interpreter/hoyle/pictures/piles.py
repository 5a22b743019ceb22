"""Piles: rows, columns, stacks and empty places. Scripts find piles by key, and pieces by their height in the pile."""

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
"""Drawings cached at most. From one picture to the next, most piles stay as they are."""
Given = ParamSpec("Given")
Thing = TypeVar("Thing")
_drawn: dict[Any, tuple[Pen, Block]] = {}


def cached_drawing(
    draw: Callable[Concatenate[Thing, Pen, Given], Block],
) -> Callable[Concatenate[Thing, Pen, Given], Block]:
    """Cache the drawings of a function by pile, pen and other arguments. Names and colours are compared by identity."""

    @wraps(draw)
    def once(pile: Thing, pen: Pen, /, *given: Given.args, **named: Given.kwargs) -> Block:
        key = (draw.__name__, pile, _pen_key(pen), given, tuple(named.items()))
        found = _drawn.pop(key, None) or (pen, draw(pile, pen, *given, **named))
        _drawn[key] = found  # moved to the end; keeping the pen keeps its names and theme, so their ids stay unique
        while len(_drawn) > MOST:
            _drawn.pop(next(iter(_drawn)), None)
        return found[1]

    return once


def _pen_key(pen: Pen) -> tuple[Any, ...]:
    """Return the key of a pen."""
    card = pen.card
    rest = [getattr(pen, name) for name in pen.__struct_fields__ if name not in ("names", "card")]
    sizes = [getattr(card, name) for name in card.__struct_fields__ if name != "theme"]
    return id(pen.names), id(card.theme), *rest, *sizes


DEEP = 3
"""Edges of cards drawn below a stack."""
OPEN = 0.85
"""Part of the width that a row uses, unless it is a hand or pieces would be unreadable."""
USUAL = 6
"""Covered cards in a column of ordinary length."""
FAN = 1.1
"""Width of all backs of a row together, beside the upper one."""
LINE = 0.62
"""Distance of lines of cards, in parts of their height."""
HIDDEN = 0.2
"""Part of a covered back that is seen."""


Place = tuple[int, float, float]
"""Height of a piece in its pile, and coordinates."""


def is_stack(pile: PileView, pen: Pen) -> bool:
    return pile.layout == "count" or pile.family in pen.names.stacks


@cached_drawing
def draw_row(pile: PileView, pen: Pen, width: float, label: str, hand: bool = False) -> Block:
    """Draw pieces side by side, overlapping as needed (those of a `hand` only if they must), in several lines if
    needed."""
    if not pile.pieces:
        return draw_empty(pile, pen, label)
    wide, high = pen.size(pen.shape(pile.pieces[-1]))
    least = [_least_step(pile.pieces[n], pen, wide, hand) for n in pile.order]
    lines = max(1, ceil((sum(least[:-1]) + 0.01) / max(1.0, width - wide)) if wide < width else 1)
    across = -(-len(pile.order) // lines)
    shares = [pile.order[n : n + across] for n in range(0, len(pile.order), across)]
    found = [_place_pieces(pile, share, pen, width, hand) for share in shares]
    down = high * (LINE if pen.shape(pile.pieces[-1]) == "card" else 1.15)
    places = [(n, x, k * down) for k, line in enumerate(found) for n, x in line]
    return _draw_pieces(pile, pen, places, max(x for _, x, _ in places) + wide, high + down * (len(found) - 1))


def _place_pieces(pile: PileView, order: Sequence[int], pen: Pen, width: float, hand: bool) -> list[tuple[int, float]]:
    """Return the pieces with the places where they begin."""
    wide, _ = pen.size(pen.shape(pile.pieces[-1]))
    steps = [_comfortable_step(pile.pieces[n], pen, wide, pile.count) for n in order[:-1]]
    least = sum(_least_step(pile.pieces[n], pen, wide, hand) for n in order[:-1])
    room = width - wide if hand else min(width - wide, max(OPEN * width - wide, least))
    tight = min(1.0, max(1.0, room) / sum(steps)) if steps else 1.0
    return [(n, sum(steps[:k]) * tight) for k, n in enumerate(order)]


def _comfortable_step(piece: PieceView, pen: Pen, wide: float, count: int) -> float:
    """Return the distance to the next piece if there is room."""
    if pen.shape(piece) != "card":
        return wide * 1.15
    return wide * (1.06 if piece.sign is not None else min(HIDDEN, FAN / count))


def _least_step(piece: PieceView, pen: Pen, wide: float, hand: bool) -> float:
    """Return how much of a piece must be seen; of one's own cards the index."""
    if pen.shape(piece) != "card":
        return wide * 1.15
    if piece.sign is None:
        return wide * HIDDEN / 4
    return pen.card.index if hand else max(pen.card.strip, wide * 0.34)


@cached_drawing
def draw_column(pile: PileView, pen: Pen, height: float, label: str) -> Block:
    """Draw pieces downwards, overlapping to fit a height as long as all can be told."""
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
    return _draw_pieces(
        pile, pen, places, wide, _reserve_length(y, pen) + high, cards.draw_place(wide, high, pen.theme)
    )


def _reserve_length(length: float, pen: Pen) -> float:
    """Return the length of a column. For layout it is at least an ordinary one."""
    return max(length, USUAL * pen.card.strip) if pen.blind else length


@cached_drawing
def draw_stack(pile: PileView, pen: Pen, label: str, deep: int = DEEP) -> Block:
    """Draw the top piece on edges of those below it, and their number."""
    if not pile.count:
        return draw_empty(pile, pen, label)
    top = pile.pieces[-1] if pile.pieces else None
    wide, high = pen.size(pen.shape(top) if top is not None else "card")
    edges = min(deep, (pile.count - 1 + 4) // 5) if wide == pen.card.width else 0
    shift = 2.0 * edges
    ground = [cards.draw_place(wide, high, pen.theme)]
    under = [_draw_edge(pen, 2.0 * n) for n in range(edges)]
    drawn = _draw_top(pile, pen, shift) if top is not None else [cards.draw_back(pen.card)]
    plate = draw_plate(str(pile.count), pen.count, pen)
    y = shift + 1.5 if wide >= cards.PIPPED else shift + high - plate.height - 1.5  # where no index stands
    count = [p.drawn() for p in plate.moved(shift + wide - plate.width - 1.5, y)] if pile.count > 1 else []
    return _pile_block(pile, pen, [*ground, *under, *drawn, *count], wide + shift, high + shift)


def _draw_top(pile: PileView, pen: Pen, shift: float) -> list[str]:
    """Draw the top piece, and the one that is seen when it is taken."""
    last = len(pile.pieces) - 1
    return [_draw_piece(pile, pen, n, shift, shift) for n in range(max(0, last - 1), last + 1)]


def draw_empty(pile: PileView, pen: Pen, label: str) -> Block:
    """Draw the outline of an empty place, as large as what may lie there."""
    wide, high = pen.size(pen.names.holds.get(pile.family, "card"))
    outline = cards.draw_place(wide, high, pen.theme, label)
    size = min(12.0, wide * 0.19)
    if label and label not in SUITS:
        shown = cut_text(label, size, wide - 4)
        x, y, look = wide / 2, high / 2 + size * 0.35, pen.theme
        outline += text_element(x, y, shown, size, text_anchor="middle", fill=look.faint)
    return _pile_block(pile, pen, [outline], wide, high)


def _draw_edge(pen: Pen, shift: float) -> str:
    wide, high, look = pen.card.width, pen.card.height, pen.theme
    return rectangle(shift + 0.5, shift + 0.5, wide - 1, high - 1, 0.07 * wide, fill=look.paper, stroke=look.edge)


def draw_plate(content: str, size: float, pen: Pen) -> Block:
    """Draw a short text on a card."""
    look, wide, high = pen.theme, text_width(content, size) + size * 0.7, size * 1.3
    plate = rectangle(0, 0, wide, high, size * 0.5, fill=look.print, fill_opacity=0.82)
    said = text_element(wide / 2, size, content, size, text_anchor="middle", fill=look.paper)
    return Block(wide, high, (Part(0, 0, plate + said),))


def draw_chip(pile: PileView, pen: Pen, label: str, width: float) -> Block:
    """Draw the name of an empty place."""
    size, look = 11.0, pen.theme
    shown = cut_text(label, size, width - 2 * size)
    wide, high = text_width(shown, size) + 2 * size, size * 2
    said = text_element(wide / 2, size * 1.36, shown, size, text_anchor="middle", fill=look.faint)
    return _pile_block(pile, pen, [cards.draw_place(wide, high, look), said], wide, high)


def _draw_pieces(
    pile: PileView, pen: Pen, places: Sequence[Place], width: float, height: float, ground: str = ""
) -> Block:
    """Draw pieces on a ground that is seen when they are taken."""
    return _pile_block(pile, pen, [ground, *(_draw_piece(pile, pen, n, x, y) for n, x, y in places)], width, height)


def _draw_piece(pile: PileView, pen: Pen, height: int, x: float, y: float) -> str:
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


def _pile_block(pile: PileView, pen: Pen, drawn: Sequence[str], width: float, height: float) -> Block:
    named = element("title", escape(describe_pile(pile, pen))) + pen.light(pile.key, PLACE, width, height)
    attributes = (("class", "pile"), ("data-pile", pile.key))
    return Block(width, height, (Part(0, 0, named + "".join(drawn), attributes),))


def describe_pile(pile: PileView, pen: Pen) -> str:
    """Return the name, the owner and the count of a pile."""
    names = pen.names
    parts = [names.label(pile.family, "piles"), *label_parts(pile, pen)]
    owner = [names.seat(pile.owner)] if pile.owner is not None else []
    return ", ".join([" ".join(parts), *owner, names.say("pieces", count=pile.count)])


def label_parts(pile: PileView, pen: Pen) -> list[str]:
    """Return the row and the number that distinguish a pile from others of its family."""
    parts = pen.names.member(pile.family, pile.member) if pile.member is not None else []
    return [*parts, str(pile.number)] if pile.number is not None else parts
