"""The whole table: other seats at the top, what is in common in the middle, the seat that looks at the bottom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import pi, sin

from msgspec.structs import replace

from hoyle.pictures.blocks import (
    Block,
    Part,
    cut_text,
    place_below,
    place_beside,
    place_in_rows,
    text_block,
    wrap_items,
)
from hoyle.pictures.boards import Cube, draw_board
from hoyle.pictures.counters import draw_tracks
from hoyle.pictures.groups import (
    GAP,
    Group,
    Table,
    add_title,
    group_piles,
    keys_on_boards,
    list_state_words,
    place_in_line,
    shown_boards,
    spread_groups,
)
from hoyle.pictures.pieces import Pen
from hoyle.pictures.piles import draw_plate, draw_row
from hoyle.pictures.sheets import draw_sheet
from hoyle.pictures.svg import element, rectangle
from hoyle.pictures.theme import Theme
from hoyle.view_data import PileView

SMALLER = 0.8
"""Size of the cards of others, if there are several."""
ACROSS = 3.4
"""Width in cards of another seat's hand and what it has won."""
NARROW = 600
"""Width of a telephone. Piles beside a hand are smaller there."""
ASIDE = 0.3
"""Part of the width for piles beside a hand."""


def draw_panels(table: Table, seats: Sequence[str], shown: Sequence[Group], most: float = 1) -> Block:
    """Draw the other seats, side by side if there are several."""
    if not seats:
        return Block()
    across = min(3, len(seats) if len(seats) != 4 else 2)
    wide = (table.width - GAP * (across - 1)) / across
    scale = most if len(seats) == 1 else min(SMALLER, wide / (table.card * ACROSS))
    panels = [draw_panel(table, seat, shown, wide, scale) for seat in seats]
    rows = [panels[n : n + across] for n in range(0, len(panels), across)]
    return place_below((place_beside(line, GAP) for line in rows), GAP, table.width)


def draw_panel(table: Table, seat: str, shown: Sequence[Group], wide: float, scale: float) -> Block:
    own = [group for group in shown if group.owner == seat]
    pen = table.pen(scale)
    return place_below([_draw_name(table, seat, wide), spread_groups(own, table, pen, wide)], 5, wide)


def draw_own(table: Table, shown: Sequence[Group]) -> Block:
    """Draw the seat that looks: its piles, and its hand at the very bottom."""
    if table.bottom is None:
        return Block()
    own = [group for group in shown if group.owner == table.bottom]
    held = [group for group in own if group.family in table.names.hands and group.layout == "row" and group.count]
    rest = [group for group in own if group not in held]
    pen, parts = table.pen(), list[Block]()
    if len(table.names.seats) > 1 or list_state_words(table, table.bottom):
        parts.append(_draw_name(table, table.bottom, table.width))
    side = _draw_aside(rest, table, pen) if held else Block()
    parts += [] if side.height else [spread_groups(rest, table, pen, table.width)]
    wide = table.width - side.width - 2 * GAP if side.height else table.width
    hands = place_in_rows([_draw_hand(group, pen, wide, len(held) > 1) for group in reversed(held)], wide, GAP)
    return place_below(
        [*parts, place_beside([hands, side], 2 * GAP, middle=True) if side.height else hands], GAP, table.width
    )


def _draw_aside(groups: Sequence[Group], table: Table, pen: Pen) -> Block:
    """Draw single piles beside a hand, if there is room."""
    if not groups or any(group.layout == "column" or len(group.piles) > 1 for group in groups):
        return Block()
    scale = 1 if table.width > NARROW else SMALLER
    every = place_in_line(groups, table, table.pen(scale), table.width)
    return every if every.width <= ASIDE * table.width and every.height <= pen.card.height * 1.5 else Block()


def _draw_hand(group: Group, pen: Pen, wide: float, several: bool) -> Block:
    """Draw a hand, with its name only if there are others."""
    hand = place_in_rows((draw_row(pile, pen, wide, "", hand=True) for pile in group.piles), wide, GAP)
    return add_title(group.family, hand, pen, wide) if several else hand


def _draw_name(table: Table, seat: str, wide: float) -> Block:
    """Draw the name of a seat, marked if it is to act, and its state."""
    look, names = table.theme, table.names
    acts = seat == table.view.to_act
    size = 14.0 if wide > 150 else 12.0
    lead = size * 0.9 if acts else 0
    name = text_block(
        names.seat(seat), size, look.mark if acts else look.ink, wide - lead, not acts, font_weight="bold"
    )
    triangle = element(
        "path", d=f"M0 {size * 0.2:.1f}L{size * 0.6:.1f} {size * 0.65:.1f}L0 {size * 1.1:.1f}Z", fill=look.mark
    )
    title = element("title", names.say("to_act", seat=names.seat(seat)))
    arrow = (Part(0, 0, title + triangle, (("class", "to-act"),)),) if acts else ()
    head = Block(lead + name.width, name.height, (*arrow, *name.moved(lead, 0)))
    return place_below([head, wrap_items(list_state_words(table, seat), 12, look.faint, wide)], 1, wide)


_REACH: dict[int, tuple[float, float]] = {1: (0, 0), 2: (0.55, 0.12), 3: (1.12, 0.4), 4: (1.12, 0.52)}
_FAR = (1.6, 1.05)
"""Distances of places from the middle of the table, in widths and heights of a card, by the number of seats."""


def draw_middle(piles: Sequence[PileView], seats: Sequence[str], pen: Pen) -> Block:
    """Draw the piles of the seats around the middle, first seat at the bottom. Each says whose it is."""
    wide, high = pen.card.width, pen.card.height
    across, down = _REACH.get(len(seats), _FAR)
    owned = {pile.owner: pile for pile in piles}
    parts: list[Part] = []
    for n, seat in enumerate(seats):
        if seat in owned:
            turn = 2 * pi * n / len(seats)
            side = sin(turn) if len(seats) != 2 else 1 - 2 * n  # two lie beside each other
            x, y = across * wide * (1 - side), down * high * (1 + sin(turn + pi / 2))
            block = _draw_place(owned[seat], pen.names.seat(seat), pen)
            parts += block.moved(x + (wide - block.width) / 2, y)
    return Block(wide * (2 * across + 1), high * (2 * down + 1), tuple(parts))


def _draw_place(pile: PileView, name: str, pen: Pen) -> Block:
    """Draw what a seat has played with its name on it; an empty place with the name in its middle."""
    block = draw_row(pile, pen, pen.card.width, name)
    if not pile.count:
        return block
    size = pen.count * 0.85
    tag = draw_plate(cut_text(name, size, block.width - size), size, pen)
    x, y = (block.width - tag.width) / 2, block.height - tag.height - 1.5
    return Block(block.width, block.height, (*block.parts, *tag.moved(x, y)))


WIDE = 700
"""From this width on players sit around the table."""
BROAD, PAPER = 1000, 0.3
"""From this width on sheets lie beside the table, and take at most this part of it."""


def draw_table(table: Table) -> Block:
    """Draw everything, one part below the other; sheets at the right if there is room."""
    paper = _draw_sheets(table, table.width * PAPER if table.width >= BROAD else table.width)
    aside = table.width >= BROAD and 0 < paper.width <= table.width * PAPER
    inner = replace(table, width=table.width - paper.width - 2 * GAP) if aside else table
    parts = [*_draw_parts(inner), *([] if aside else [paper])]
    whole = place_below([part for part in parts if part.height], GAP * 1.4, inner.width)
    return place_beside([whole, paper], 2 * GAP, middle=True) if aside else whole


def _draw_parts(table: Table) -> list[Block]:
    shown = group_piles(table.view.piles, keys_on_boards(table))
    between = [group for group in shown if group.family in table.names.middle]
    shown = [group for group in shown if group not in between]
    track = draw_tracks(table.view.state, table.names, table.theme, min(table.width, 760))
    return [*_draw_others_and_common(table, shown, between), track, draw_own(table, shown)]


def _draw_others_and_common(table: Table, shown: Sequence[Group], between: Sequence[Group]) -> list[Block]:
    """Draw the others and the common piles. If there is room, the first other sits at the left and the last at the
    right."""
    others, common = table.others, [group for group in shown if group.owner is None]
    if len(others) < 2 or table.width < WIDE:
        return [draw_panels(table, others, shown), _draw_common(table, common, _draw_between(table, between))]
    side = table.width * 0.24
    scale = min(SMALLER, side / (table.card * ACROSS))
    left, right = (draw_panel(table, seat, shown, side, scale) for seat in (others[0], others[-1]))
    inner = replace(table, width=table.width - 2 * (side + GAP))
    top = draw_panels(inner, others[1:-1], shown, SMALLER)
    middle_ = place_below([top, _draw_common(inner, common, _draw_between(inner, between))], GAP * 1.4, inner.width)
    return [place_beside([left, middle_, right], GAP, middle=True)]


def _draw_between(table: Table, groups: Sequence[Group]) -> list[Block]:
    """Draw what each seat has before it in the middle, by family."""
    pen, families = table.pen(), dict[str, list[PileView]]()
    around = [*([table.bottom] if table.bottom is not None else []), *table.others]
    for group in groups:
        families.setdefault(group.family, []).extend(group.piles)
    return [add_title(name, draw_middle(piles, around, pen), pen, table.width) for name, piles in families.items()]


def _draw_sheets(table: Table, wide: float) -> Block:
    return place_in_rows(
        (draw_sheet(found, table.names, table.theme, wide) for found in table.view.sheets), wide, GAP * 1.4
    )


def _draw_boards(table: Table) -> list[Block]:
    piles: Mapping[str, PileView] = {pile.key: pile for pile in table.view.piles}
    cubes = _list_cubes(table)
    return [
        draw_board(found, piles, table.pen(), table.width, table.bottom, cubes) for found in shown_boards(table.view)
    ]


def _list_cubes(table: Table) -> list[Cube]:
    names = table.names
    return [
        Cube(str(item.value), names.label(item.name, "state"), item.member)
        for item in table.view.state
        if item.name in names.cubes and item.value is not None
    ]


def _draw_common(table: Table, groups: Sequence[Group], between: Sequence[Block]) -> Block:
    state = wrap_items(list_state_words(table, None), 12, table.theme.faint, table.width)
    piles = spread_groups(groups, table, table.pen(), table.width, between)
    return place_below([state, *_draw_boards(table), piles], GAP, table.width)


def draw_ground(block: Block, look: Theme, margin: float) -> str:
    return rectangle(0, 0, block.width + 2 * margin, block.height + 2 * margin, 0, fill=look.felt)
