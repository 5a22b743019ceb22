"""Piles of one family and owner as a group with a caption; columns in bands below the others.

`Table` has everything that is drawn, and who sits where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from hoyle.pictures.blocks import Block, lower, place_below, place_beside, place_in_rows, text_block, text_width
from hoyle.pictures.cards import Card
from hoyle.pictures.counters import list_values
from hoyle.pictures.names import Names
from hoyle.pictures.pieces import Lit, Pen
from hoyle.pictures.piles import draw_chip, draw_column, draw_row, draw_stack, is_stack, label_parts
from hoyle.pictures.theme import Theme
from hoyle.view_data import BoardView, PileView, TableView

GAP = 10.0


class Group(Struct, frozen=True):
    """Piles of one family that belong to one seat, or to none."""

    family: str
    owner: str | None
    piles: tuple[PileView, ...]

    @property
    def layout(self) -> str:
        return self.piles[0].layout

    @property
    def count(self) -> int:
        return sum(pile.count for pile in self.piles)

    @property
    def has_known_size(self) -> bool:
        """True if the state tells how much lies here."""
        return bool(self.piles[0].told_by)


class Table(Struct, frozen=True):
    """A table to draw, with its width and card size.

    `height` limits columns if possible. `blind` computes the layout without drawing.
    """

    view: TableView
    names: Names
    theme: Theme
    width: float
    card: float
    height: float = 0
    lit: Lit = frozenset()
    blind: bool = False

    @property
    def bottom(self) -> str | None:
        """Seat at the bottom: the one that looks."""
        seats = self.names.seats
        return self.view.seat if self.view.seat in seats else seats[0] if seats else None

    def pen(self, scale: float = 1) -> Pen:
        return Pen(self.names, Card(self.card * scale, self.theme), self.lit, self.blind)

    @property
    def others(self) -> list[str]:
        """Other seats, from the left of the one at the bottom."""
        seats = self.names.seats
        turned = seats.index(self.bottom) + 1 if self.bottom is not None else 0
        return [*seats[turned:], *seats[: max(0, turned - 1)]]

    def named(self, group: Group) -> bool:
        """Return whether a group has a caption. A seat's only hand needs none, nor a group that the state tells."""
        hands = {pile.family for pile in self.view.piles if pile.owner == group.owner and pile.layout != "hidden"}
        return not (group.has_known_size or hands & self.names.hands == {group.family})


def group_piles(piles: Iterable[PileView], elsewhere: frozenset[str]) -> list[Group]:
    found: dict[tuple[str, str | None], list[PileView]] = {}
    for pile in piles:
        if pile.layout not in ("hidden", "board") and pile.key not in elsewhere:
            found.setdefault((pile.family, pile.owner), []).append(pile)
    return [Group(family, owner, tuple(members)) for (family, owner), members in found.items()]


def shown_boards(view: TableView) -> list[BoardView]:
    """Return the boards that are not hidden."""
    shown = {pile.key for pile in view.piles if pile.layout == "board"}
    return [found for found in view.boards if shown.issuperset(found.points)]


def keys_on_boards(table: Table) -> frozenset[str]:
    """Return the piles that are drawn on a board, not beside it."""
    return frozenset(key for found in shown_boards(table.view) for key in (*found.bar, *found.off))


def list_state_words(table: Table, seat: str | None) -> list[str]:
    """Describe the state of a seat, except what is drawn."""
    drawn_ = {found.name for found in table.view.sheets if found.sort != "deals"}
    drawn_ |= table.names.cubes if shown_boards(table.view) else frozenset()
    return list_values([item for item in table.view.state if item.name not in drawn_], seat, table.names)


def most_columns(view: TableView) -> int:
    """Return the number of piles of the largest family of columns."""
    groups = [group for group in group_piles(view.piles, frozenset()) if group.layout == "column"]
    return max((len(group.piles) for group in groups), default=0)


BANDS, SMALLEST = 3, 34.0
"""Most bands of columns, while cards stay wider than SMALLEST."""
CAPTION = 11.0
"""Font size of captions."""


def name_idle(groups: Sequence[Group], pen: Pen, wide: float) -> Block:
    """Draw only the names of empty places that would take a line for themselves."""
    return place_in_rows(
        (draw_chip(pile, pen, _pile_name(pile, pen), wide) for group in groups for pile in group.piles), wide, 6
    )


def spread_groups(groups: Sequence[Group], table: Table, pen: Pen, wide: float, first: Sequence[Block] = ()) -> Block:
    """Draw piles in one line, else columns below the others.

    If other piles take more than a line, empty places are only named."""
    if groups and not first and all(is_idle(group) for group in groups):
        return name_idle(groups, pen, wide)
    line = place_in_line(groups, table, pen, wide, first)
    if line.width <= wide:
        return line
    single = [group for group in groups if group.layout != "column"]
    columned = _add_captions([group for group in groups if group.layout == "column"], table, pen, wide)
    return place_below([_place_singles(single, table, pen, wide, first), place_in_rows(columned, wide, GAP * 1.6)], GAP)


def _place_singles(groups: Sequence[Group], table: Table, pen: Pen, wide: float, first: Sequence[Block]) -> Block:
    """Place the groups that do not lie in columns."""
    every = [*first, *_add_captions(groups, table, pen, wide)]
    if sum(block.width + GAP for block in every) - GAP <= wide:
        return place_beside(every, GAP)
    busy = _add_captions([group for group in groups if not is_idle(group)], table, pen, wide)
    named = name_idle([group for group in groups if is_idle(group)], pen, wide)
    return place_below([place_in_rows([*first, *busy], wide, GAP), named], GAP)


def place_in_line(groups: Sequence[Group], table: Table, pen: Pen, wide: float, first: Sequence[Block] = ()) -> Block:
    return place_beside([*first, *_add_captions(groups, table, pen, wide)], GAP * 1.6)


def _add_captions(groups: Sequence[Group], table: Table, pen: Pen, wide: float) -> list[Block]:
    """Draw groups with captions, columns last."""
    named = any(table.named(group) for group in groups)
    ordered = sorted(groups, key=lambda group: group.layout == "column")
    return [_add_caption(group, pen, wide, table, named) for group in ordered]


def is_idle(group: Group) -> bool:
    """Return whether a group is an empty place where nothing is built: a seat's, or the only pile of its family."""
    return not group.count and group.layout != "column" and (group.owner is not None or len(group.piles) == 1)


def _pile_name(pile: PileView, pen: Pen) -> str:
    return " ".join([pen.names.label(pile.family, "piles"), *label_parts(pile, pen)])


def _add_caption(group: Group, pen: Pen, wide: float, table: Table, named: bool) -> Block:
    """Draw a group with its caption, or with room for one if its neighbours have captions."""
    inner = _draw_columns(group, pen, wide, table.height) if group.layout == "column" else _draw_piles(group, pen, wide)
    if table.named(group):
        return add_title(group.family, inner, pen, wide)
    return lower(inner, CAPTION * 1.3 + 2) if named else inner


def add_title(family: str, inner: Block, pen: Pen, wide: float) -> Block:
    """Add the name of a family above its piles."""
    label = pen.names.label(family, "piles")
    room = max(inner.width, min(wide, text_width(label, CAPTION), max(112.0, pen.card.width * 1.9)))
    return place_below([text_block(label, CAPTION, pen.theme.faint, room), inner], 2)


def _draw_piles(group: Group, pen: Pen, wide: float) -> Block:
    room = (
        wide
        if len(group.piles) == 1
        else max(pen.card.width, (wide - 6 * (len(group.piles) - 1)) / min(2, len(group.piles)))
    )
    return place_in_rows((_draw_pile(pile, pen, room, len(group.piles) > 1) for pile in group.piles), wide, 6)


def _draw_pile(pile: PileView, pen: Pen, wide: float, several: bool) -> Block:
    label = _pile_label(pile, pen) if several else ""
    if is_stack(pile, pen) or (len(pile.pieces) < pile.count):
        return draw_stack(pile, pen, label)
    return draw_row(pile, pen, wide, label)


def _pile_label(pile: PileView, pen: Pen) -> str:
    return pen.names.symbol(pile.family, pile.member) or " ".join(label_parts(pile, pen))


def _draw_columns(group: Group, pen: Pen, wide: float, height: float) -> Block:
    """Draw columns side by side under their numbers, in bands if needed. Cards shrink if there were too many bands."""
    count, width = len(group.piles), pen.card.width
    while width > SMALLEST and -(-count // _columns_that_fit(wide, width)) > BANDS:
        width *= 0.95
    small = replace(pen, card=replace(pen.card, beside=True, width=width))
    bands = -(-count // _columns_that_fit(wide, width))
    across = -(-count // bands)
    drawn_ = [_draw_numbered(pile, small, height, 10.0) for pile in group.piles]
    lines = [drawn_[n : n + across] for n in range(0, count, across)]
    return place_below((place_beside(line, _column_gap(width)) for line in lines), 4, middle=False)


def _columns_that_fit(wide: float, card: float) -> int:
    """Return how many columns fit side by side."""
    return max(1, int((wide + _column_gap(card)) / (card + _column_gap(card))))


def _column_gap(card: float) -> float:
    return max(3.0, card * 0.08)


def _draw_numbered(pile: PileView, pen: Pen, height: float, size: float) -> Block:
    name = " ".join(label_parts(pile, pen))
    drawn = draw_stack(pile, pen, "", deep=0) if is_stack(pile, pen) else draw_column(pile, pen, height, "")
    return place_below([text_block(name, size, pen.theme.faint, pen.card.width), drawn], 1, pen.card.width)
