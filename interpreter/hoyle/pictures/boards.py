"""Boards: points with men, the bar between the halves, and men borne off at the side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from hoyle.pictures.blocks import Block, Part
from hoyle.pictures.pieces import PLACE, Pen, draw_cube, draw_disc
from hoyle.pictures.piles import describe_pile
from hoyle.pictures.svg import element, escape, format_number, rectangle, text_element, translate
from hoyle.view_data import BoardView, PieceView, PileView

ROW = 12
"""Boards with more points have two rows."""
STACK = 5
"""Men drawn in a stack; more are counted."""
POINT = 0.59
"""Greatest width of a point, in parts of the width of a card."""
SLAB = 0.3
"""Thickness of a man on its edge, in parts of its width."""


class Cube(Struct, frozen=True):
    """A cube: the number on top, its name, and the seat that holds it (None: nobody)."""

    value: str
    name: str
    holder: str | None


class Ground(Struct, frozen=True):
    """A board to be drawn: its piles by key, the width of a point, the seat at the bottom, and the pen."""

    piles: Mapping[str, PileView]
    unit: float
    bottom: str | None
    pen: Pen

    @property
    def high(self) -> float:
        """Height of a row of points."""
        return self.unit * (STACK + 0.35)

    @property
    def edge(self) -> float:
        return self.unit * 0.5

    @property
    def gap(self) -> float:
        """Height between the two rows."""
        return self.unit * 0.7


def draw_board(
    found: BoardView,
    piles: Mapping[str, PileView],
    pen: Pen,
    width: float,
    bottom: str | None,
    cubes: Sequence[Cube] = (),
) -> Block:
    columns = min(ROW, (len(found.points) + 1) // 2 if len(found.points) > ROW else len(found.points))
    sides = (1.15 if found.bar else 0) + (1.25 if found.off else 0)
    ground = Ground(piles, min(POINT * pen.card.width, width / (columns + sides + 1)), bottom, pen)
    points = list(zip(found.points, found.labels, strict=True))
    upper = points[columns:] if len(points) > columns else []
    laid = _lay_out(ground, [points[:columns][::-1], upper], [*found.bar], [*found.off])
    return Block(
        laid.width, laid.height, (*laid.parts, *(_place_cube(ground, cube, laid, bool(found.bar)) for cube in cubes))
    )


def _lay_out(
    ground: Ground, rows: Sequence[Sequence[tuple[str, str]]], bar: Sequence[str], off: Sequence[str]
) -> Block:
    """Draw the rows with the bar between their halves, and men borne off at the right, all on wood."""
    unit, edge = ground.unit, ground.edge
    half = (len(rows[0]) + 1) // 2 if bar else len(rows[0])
    middle = unit * 1.15 if bar else 0
    wide = len(rows[0]) * unit + middle
    high = ground.high * (2 if rows[1] else 1) + (ground.gap if rows[1] else 0)
    parts: list[Part] = []
    for place, row in enumerate(rows):
        y = edge if place or not rows[1] else edge + ground.high + ground.gap
        for n, (key, label) in enumerate(row):
            x = edge + n * unit + (middle if n >= half else 0)
            parts += _draw_point(ground, key, label, x, y, bool(place), n)
    inner = high + 2 * edge
    field = [
        _draw_field(ground, edge, inner, half * unit),
        _draw_field(ground, edge + half * unit + middle, inner, wide - half * unit - middle),
    ]
    parts += _draw_bar(ground, bar, edge + half * unit + (middle - unit) / 2, inner)
    parts += _draw_borne_off(ground, off, edge * 1.5 + wide, inner)
    full = wide + 2 * edge + (unit * 1.25 if off else 0)
    return Block(full, inner, (Part(0, 0, _draw_wood(ground, full, inner) + "".join(field)), *parts))


def _place_cube(ground: Ground, found: Cube, laid: Block, on_bar: bool) -> Part:
    """Draw a cube at its holder's edge of the bar (or of a board without one), else in the middle."""
    side, names = ground.unit * 0.85, ground.pen.names
    x = ground.edge + ground.unit * 6 + (ground.unit * 1.15 - side) / 2 if on_bar else ground.edge * 1.2
    y = {None: (laid.height - side) / 2, ground.bottom: laid.height - ground.edge - side * 1.1}
    where = names.say("held", seat=names.seat(found.holder)) if found.holder is not None else ""
    title = element("title", escape(f"{found.name} {found.value} {where}".strip()))
    drawn = title + draw_cube(found.value, side, ground.pen.theme)
    return Part(x, y.get(found.holder, ground.edge + side * 0.1), drawn, (("class", "cube"),))


def _draw_wood(ground: Ground, wide: float, high: float) -> str:
    look = ground.pen.theme
    return rectangle(0, 0, wide, high, ground.unit * 0.12, fill=look.wood, stroke=look.edge)


def _draw_field(ground: Ground, x: float, high: float, wide: float) -> str:
    edge, look = ground.edge, ground.pen.theme
    return rectangle(x, edge, wide, high - 2 * edge, 0, fill=look.well, stroke=look.edge) if wide > 1 else ""


def _draw_point(ground: Ground, key: str, label: str, x: float, y: float, above: bool, n: int) -> list[Part]:
    """Draw a point with its men, and its name outside."""
    pile, unit, high, look = ground.piles[key], ground.unit, ground.high, ground.pen.theme
    base, tip = (0.0, high * 0.88) if above else (high, high * 0.12)
    corners = f"M{format_number(unit * 0.06)} {format_number(base)}L{format_number(unit / 2)} {format_number(tip)}L{format_number(unit * 0.94)} {format_number(base)}Z"
    triangle = element("path", d=corners, fill=look.points[n % 2])
    area = rectangle(0, 0, unit, high, 0, fill="#000", fill_opacity=0)
    men = _draw_men(ground, pile, high, above)
    size = min(13.0, unit * 0.42)
    line = y - unit * 0.14 if above else y + high + unit * 0.4
    name = text_element(unit / 2, line - y, label, size, text_anchor="middle", fill=look.ink)
    light = ground.pen.light(pile.key, PLACE, unit, high)
    return [_pile_part(ground, pile, x, y, light + area + triangle + "".join(men) + name)]


def _draw_men(ground: Ground, pile: PileView, high: float, above: bool) -> list[str]:
    """Draw men from the edge to the middle. From the sixth on they lie on the fifth, with their number."""
    side, unit = ground.unit * 0.94, ground.unit
    shift = (unit - side) / 2
    tops = [n * unit if above else high - (n + 1) * unit for n in range(STACK)]
    drawn = [
        _draw_man(ground, pile, n, piece, shift, tops[min(n, STACK - 1)] + shift, side)
        for n, piece in enumerate(pile.pieces)
    ]
    if pile.count > STACK:
        drawn.append(_draw_count(ground, pile, unit / 2, tops[-1] + unit / 2))
    return drawn


def _draw_count(ground: Ground, pile: PileView, x: float, y: float) -> str:
    """Draw the number of men on the last of them."""
    seats, men = ground.pen.names.seats, ground.pen.theme.men
    owner = pile.pieces[-1].colour
    dark = seats.index(owner) % len(men) != 0 if owner in seats else True
    size = ground.unit * 0.46
    return text_element(
        x,
        y + size * 0.36,
        str(pile.count),
        size,
        text_anchor="middle",
        font_weight="bold",
        fill="#fff" if dark else "#222",
    )


def _draw_man(ground: Ground, pile: PileView, height: int, piece: PieceView, x: float, y: float, side: float) -> str:
    face = ground.pen.face(piece)
    named = element("title", escape(face.name if face is not None else piece.sign or ""))
    drawn = (
        named
        + ground.pen.light(pile.key, height, side, side)
        + draw_disc(ground.pen.names, piece.colour, side, ground.pen.theme)
    )
    return _piece_group(pile, height, piece, drawn, x, y)


def _piece_group(pile: PileView, height: int, piece: PieceView, drawn: str, x: float, y: float) -> str:
    return element(
        "g", drawn, class_="piece", data_pile=pile.key, data_at=height, data_sign=piece.sign, transform=translate(x, y)
    )


def _draw_bar(ground: Ground, keys: Sequence[str], x: float, high: float) -> list[Part]:
    """Draw the men on the bar from the middle outwards, those of the bottom seat in the lower half."""
    unit, half, found = ground.unit, high / 2, list[Part]()
    for key in keys:
        pile = ground.piles[key]
        lower = pile.owner == ground.bottom
        length = half - ground.edge - unit * 0.2
        men = _draw_men(ground, pile, length, lower)
        area = rectangle(0, 0, unit, length, 0, fill="#000", fill_opacity=0)
        found.append(_pile_part(ground, pile, x, half + unit * 0.2 if lower else ground.edge, area + "".join(men)))
    return found


def _draw_borne_off(ground: Ground, keys: Sequence[str], x: float, high: float) -> list[Part]:
    """Draw the men borne off on their edges, each seat's in its half."""
    unit, look, found = ground.unit, ground.pen.theme, list[Part]()
    for key in keys:
        pile = ground.piles[key]
        lower, length = pile.owner == ground.bottom, high / 2 - ground.edge - unit * 0.1
        tray = rectangle(0, 0, unit, length, unit * 0.08, fill=look.well, stroke=look.edge)
        thick = min(unit * SLAB, (length - 2) / max(1, pile.count))
        slabs = [
            _draw_slab(ground, pile, n, piece, (length - 1 - (n + 1) * thick) if lower else 1 + n * thick, thick)
            for n, piece in enumerate(pile.pieces)
        ]
        y = high / 2 + unit * 0.1 if lower else ground.edge
        found.append(_pile_part(ground, pile, x, y, tray + "".join(slabs) + _draw_total(ground, pile, length, lower)))
    return found


def _draw_total(ground: Ground, pile: PileView, length: float, lower: bool) -> str:
    if not pile.count:
        return ""
    size, unit = ground.unit * 0.42, ground.unit
    y = length - (pile.count + 0.6) * unit * SLAB if lower else (pile.count + 0.6) * unit * SLAB + size * 0.8
    return text_element(unit / 2, y, str(pile.count), size, text_anchor="middle", fill=ground.pen.theme.ink)


def _draw_slab(ground: Ground, pile: PileView, height: int, piece: PieceView, y: float, thick: float) -> str:
    names, look = ground.pen.names, ground.pen.theme
    place = names.seats.index(piece.colour) if piece.colour in names.seats else len(look.men) - 1
    light, dark = look.men[place % len(look.men)]
    side = ground.unit * 0.88
    drawn = rectangle(0, 0, side, thick * 0.9, thick * 0.3, fill=light, stroke=dark)
    return _piece_group(pile, height, piece, drawn, ground.unit * 0.06, y)


def _pile_part(ground: Ground, pile: PileView, x: float, y: float, drawn: str) -> Part:
    named = element("title", escape(describe_pile(pile, ground.pen)))
    return Part(x, y, named + drawn, (("class", "pile"), ("data-pile", pile.key)))
