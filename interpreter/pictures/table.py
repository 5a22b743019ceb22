"""The whole table: the others at the top, what lies in common in the middle, the seat that looks at the bottom with its hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from interpreter.pictures.blocks import Block, Part, below, beside, flow, text, text_width, wrapped
from interpreter.pictures.boards import Board, Cube, board
from interpreter.pictures.cards import Card
from interpreter.pictures.counters import Item, told, tracks
from interpreter.pictures.lit import Lit
from interpreter.pictures.middle import middle
from interpreter.pictures.names import Names
from interpreter.pictures.pieces import Pen
from interpreter.pictures.piles import Pile, column, is_stack, row, stack, which
from interpreter.pictures.sheets import Sheet, sheet
from interpreter.pictures.svg import element, rectangle
from interpreter.pictures.theme import Theme

GAP = 10.0
SMALLER = 0.8
"""How large the cards of others are, where there are several."""
BANDS, SMALLEST = 3, 34.0
"""Columns lie in so many bands, as long as their cards are not narrower than this."""
WIDE = 880
"""From so wide on players sit round the table."""


class View(Protocol):
    """What one seat, or an onlooker, sees."""

    @property
    def seat(self) -> str | None: ...
    @property
    def to_act(self) -> str | None: ...
    @property
    def piles(self) -> Sequence[Pile]: ...
    @property
    def state(self) -> Sequence[Item]: ...
    @property
    def boards(self) -> Sequence[Board]: ...
    @property
    def sheets(self) -> Sequence[Sheet]: ...


class Group(Struct, frozen=True):
    """The piles of one family that belong to one seat, or to nobody."""

    family: str
    owner: str | None
    piles: tuple[Pile, ...]

    @property
    def layout(self) -> str:
        return self.piles[0].layout

    @property
    def count(self) -> int:
        return sum(pile.count for pile in self.piles)


class Table(Struct, frozen=True):
    """What is drawn, how wide, and how: cards of the seats that do not look may be smaller. Columns are no higher than `height` if they can;
    `blind`: it is only laid out."""

    view: View
    names: Names
    theme: Theme
    width: float
    card: float
    height: float = 0
    lit: Lit = frozenset()
    blind: bool = False

    @property
    def bottom(self) -> str | None:
        """The seat that sits at the bottom: the one that looks."""
        seats = self.names.seats
        return self.view.seat if self.view.seat in seats else seats[0] if seats else None

    def pen(self, scale: float = 1) -> Pen:
        return Pen(self.names, Card(self.card * scale, self.theme), self.lit, self.blind)


def drawn(table: Table) -> Block:
    """Everything, one part below the other."""
    shown = _groups(table.view.piles, _on_boards(table))
    between = [group for group in shown if group.family in table.names.middle]
    shown = [group for group in shown if group not in between]
    parts = [
        *_above(table, shown, between),
        tracks(table.view.state, table.names, table.theme, min(table.width, 760)),
        _own(table, shown),
        _papers(table),
    ]
    return below([part for part in parts if part.height], GAP * 1.4, table.width)


def _above(table: Table, shown: Sequence[Group], between: Sequence[Group]) -> list[Block]:
    """The others and what lies in common: where there is room the first of them sits at the left and the last at the right."""
    seats, common = table.names.seats, [group for group in shown if group.owner is None]
    turned = seats.index(table.bottom) + 1 if table.bottom is not None else 0
    others = [*seats[turned:], *seats[: max(0, turned - 1)]]
    if len(others) < 2 or table.width < WIDE:
        return [_panels(table, others, shown), _common(table, common, _between(table, between))]
    side = table.width * 0.24
    left, right = (_panel(table, seat, shown, side, SMALLER) for seat in (others[0], others[-1]))
    inner = replace(table, width=table.width - 2 * (side + GAP))
    top = _panels(inner, others[1:-1], shown, SMALLER)
    middle_ = below([top, _common(inner, common, _between(inner, between))], GAP * 1.4, inner.width)
    return [beside([left, middle_, right], GAP, middle=True)]


def _between(table: Table, groups: Sequence[Group]) -> list[Block]:
    """What each has before him in the middle of the table, each family by itself."""
    seats, pen = table.names.seats, table.pen()
    turned = seats.index(table.bottom) if table.bottom is not None else 0
    around = [*seats[turned:], *seats[:turned]]
    families: dict[str, list[Pile]] = {}
    for group in groups:
        families.setdefault(group.family, []).extend(group.piles)
    drawn_ = [
        middle(piles, around, pen, lambda pile, label: row(pile, pen, pen.card.width, label))
        for piles in families.values()
    ]
    return [_titled(name, block, pen, table.width) for name, block in zip(families, drawn_, strict=True)]


def _groups(piles: Iterable[Pile], elsewhere: frozenset[str]) -> list[Group]:
    found: dict[tuple[str, str | None], list[Pile]] = {}
    for pile in piles:
        if pile.layout not in ("hidden", "board") and pile.key not in elsewhere:
            found.setdefault((pile.family, pile.owner), []).append(pile)
    return [Group(family, owner, tuple(members)) for (family, owner), members in found.items()]


def _papers(table: Table) -> Block:
    """The score sheets, below the table."""
    drawn_ = [sheet(found, table.names, table.theme, table.width) for found in table.view.sheets]
    return flow(drawn_, table.width, GAP * 1.4)


# ---- boards ----------------------------------------------------------------------------------------------------------


def _boards_of(view: View) -> list[Board]:
    """Those that are not hidden."""
    shown = {pile.key for pile in view.piles if pile.layout == "board"}
    return [found for found in view.boards if shown.issuperset(found.points)]


def _on_boards(table: Table) -> frozenset[str]:
    """Piles that are drawn on a board and not beside it."""
    return frozenset(key for found in _boards_of(table.view) for key in (*found.bar, *found.off))


def _boards(table: Table) -> list[Block]:
    piles: Mapping[str, Pile] = {pile.key: pile for pile in table.view.piles}
    cubes = _cubes(table)
    return [board(found, piles, table.pen(), table.width, table.bottom, cubes) for found in _boards_of(table.view)]


def _cubes(table: Table) -> list[Cube]:
    names = table.names
    return [
        Cube(str(item.value), names.label(item.name, "state"), item.member)
        for item in table.view.state
        if item.name in names.cubes and item.value is not None
    ]


def _in_words(table: Table, seat: str | None) -> list[str]:
    """What the state says of a seat, without what is drawn."""
    drawn_ = {found.name for found in table.view.sheets if found.sort != "deals"}
    drawn_ |= table.names.cubes if _boards_of(table.view) else frozenset()
    return told([item for item in table.view.state if item.name not in drawn_], seat, table.names)


# ---- seats -----------------------------------------------------------------------------------------------------------


def _panels(table: Table, seats: Sequence[str], shown: Sequence[Group], most: float = 1) -> Block:
    """The others, beside each other where there are several."""
    if not seats:
        return Block()
    across = min(3, len(seats) if len(seats) != 4 else 2)
    wide = (table.width - GAP * (across - 1)) / across
    scale = most if len(seats) == 1 else min(SMALLER, wide / (table.card * 3.4))
    panels = [_panel(table, seat, shown, wide, scale) for seat in seats]
    rows = [panels[n : n + across] for n in range(0, len(panels), across)]
    return below((beside(line, GAP) for line in rows), GAP, table.width)


def _panel(table: Table, seat: str, shown: Sequence[Group], wide: float, scale: float) -> Block:
    own = [group for group in shown if group.owner == seat]
    piles = _spread(own, table, table.pen(scale), wide)
    return below([_plate(table, seat, wide), piles], 5, wide)


def _own(table: Table, shown: Sequence[Group]) -> Block:
    """The seat that looks: what lies before it, and at the very bottom its hand."""
    if table.bottom is None:
        return Block()
    own = [group for group in shown if group.owner == table.bottom]
    held = [group for group in own if group.family in table.names.hands and group.layout == "row" and group.count]
    rest = [group for group in own if group not in held]
    pen, parts = table.pen(), list[Block]()
    if len(table.names.seats) > 1 or _in_words(table, table.bottom):
        parts.append(_plate(table, table.bottom, table.width))
    parts.append(_spread(rest, table, pen, table.width))
    hands = [_held(group, pen, table.width, len(held) > 1) for group in reversed(held)]
    return below([*parts, flow(hands, table.width, GAP)], GAP, table.width)


def _held(group: Group, pen: Pen, wide: float, several: bool) -> Block:
    """A hand, with its name only if there are others."""
    hand = flow((row(pile, pen, wide, "", hand=True) for pile in group.piles), wide, GAP)
    return _titled(group.family, hand, pen, wide) if several else hand


def _plate(table: Table, seat: str, wide: float) -> Block:
    """The name of a seat, marked if it is to act, and what the state says of it."""
    look, names = table.theme, table.names
    acts = seat == table.view.to_act
    size = 14.0 if wide > 150 else 12.0
    lead = size * 0.9 if acts else 0
    name = text(names.seat(seat), size, look.mark if acts else look.ink, wide - lead, not acts, font_weight="bold")
    triangle = element(
        "path", d=f"M0 {size * 0.2:.1f}L{size * 0.6:.1f} {size * 0.65:.1f}L0 {size * 1.1:.1f}Z", fill=look.mark
    )
    title = element("title", names.say("to_act", seat=names.seat(seat)))
    arrow = (Part(0, 0, title + triangle, (("class", "to-act"),)),) if acts else ()
    head = Block(lead + name.width, name.height, (*arrow, *name.moved(lead, 0)))
    return below([head, wrapped(_in_words(table, seat), 12, look.faint, wide)], 1, wide)


# ---- what lies in common ---------------------------------------------------------------------------------------------


def _common(table: Table, groups: Sequence[Group], between: Sequence[Block]) -> Block:
    state = wrapped(_in_words(table, None), 12, table.theme.faint, table.width)
    piles = _spread(groups, table, table.pen(), table.width, between)
    return below([state, *_boards(table), piles], GAP, table.width)


def _spread(groups: Sequence[Group], table: Table, pen: Pen, wide: float, first: Sequence[Block] = ()) -> Block:
    """Piles beside each other, and below them those that lie in columns."""
    single = [*first, *(_captioned(group, pen, wide, table) for group in groups if group.layout != "column")]
    columned = [_captioned(group, pen, wide, table) for group in groups if group.layout == "column"]
    every = [*single, *columned]
    if sum(block.width + GAP * 1.6 for block in every) <= wide:
        return beside(every, GAP * 1.6)
    return below([flow(single, wide, GAP), flow(columned, wide, GAP * 1.6)], GAP)


def _captioned(group: Group, pen: Pen, wide: float, table: Table) -> Block:
    """A family with its name above it."""
    inner = _columns(group, pen, wide, table.height) if group.layout == "column" else _slots(group, pen, wide)
    return _titled(group.family, inner, pen, wide)


def _titled(family: str, inner: Block, pen: Pen, wide: float) -> Block:
    """What a family of piles is called, above it."""
    size, label = 11.0, pen.names.label(family, "piles")
    room = max(inner.width, min(wide, text_width(label, size), max(112.0, pen.card.width * 1.9)))
    return below([text(label, size, pen.theme.faint, room), inner], 2)


def _slots(group: Group, pen: Pen, wide: float) -> Block:
    room = (
        wide
        if len(group.piles) == 1
        else max(pen.card.width, (wide - 6 * (len(group.piles) - 1)) / min(2, len(group.piles)))
    )
    return flow((_slot(pile, pen, room, len(group.piles) > 1) for pile in group.piles), wide, 6)


def _slot(pile: Pile, pen: Pen, wide: float, several: bool) -> Block:
    label = _label(pile, pen) if several else ""
    if is_stack(pile, pen) or (len(pile.pieces) < pile.count):
        return stack(pile, pen, label)
    return row(pile, pen, wide, label)


def _label(pile: Pile, pen: Pen) -> str:
    return pen.names.symbol(pile.family, pile.member) or " ".join(which(pile, pen))


def _columns(group: Group, pen: Pen, wide: float, height: float) -> Block:
    """Columns side by side under their numbers, in as many bands as the width asks for, all of about one length. Where that are many bands, all is smaller."""
    count, width = len(group.piles), pen.card.width
    while width > SMALLEST and -(-count // _fitting(wide, width)) > BANDS:
        width *= 0.95
    small = replace(pen, card=replace(pen.card, beside=True, width=width))
    bands = -(-count // _fitting(wide, width))
    across = -(-count // bands)
    drawn_ = [_numbered(pile, small, height, 10.0) for pile in group.piles]
    lines = [drawn_[n : n + across] for n in range(0, count, across)]
    return below((beside(line, _gap(width)) for line in lines), 4, middle=False)


def _fitting(wide: float, card: float) -> int:
    """How many columns stand side by side."""
    return max(1, int((wide + _gap(card)) / (card + _gap(card))))


def _gap(card: float) -> float:
    return max(3.0, card * 0.08)


def _numbered(pile: Pile, pen: Pen, height: float, size: float) -> Block:
    name = " ".join(which(pile, pen))
    drawn = stack(pile, pen, "", deep=0) if is_stack(pile, pen) else column(pile, pen, height, "")
    return below([text(name, size, pen.theme.faint, pen.card.width), drawn], 1, pen.card.width)


def most_columns(view: View) -> int:
    """How many piles the widest family of columns has."""
    groups = [group for group in _groups(view.piles, frozenset()) if group.layout == "column"]
    return max((len(group.piles) for group in groups), default=0)


def ground(block: Block, look: Theme, margin: float) -> str:
    return rectangle(0, 0, block.width + 2 * margin, block.height + 2 * margin, 0, fill=look.felt)
