"""What a table has to show, in how much room, and who sits where."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from hoyle.pictures.cards import Card
from hoyle.pictures.counters import told
from hoyle.pictures.lit import Lit
from hoyle.pictures.names import Names
from hoyle.pictures.pieces import Pen
from hoyle.pictures.theme import Theme
from hoyle.views import BoardView, PileView, TableView

GAP = 10.0


class Group(Struct, frozen=True):
    """The piles of one family that belong to one seat, or to nobody."""

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
    def told(self) -> bool:
        """Does the state say how much lies here?"""
        return bool(self.piles[0].told_by)


class Table(Struct, frozen=True):
    """What is drawn, how wide, and how: cards of the seats that do not look may be smaller. Columns are no higher than `height` if they can;
    `blind`: it is only laid out."""

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
        """The seat that sits at the bottom: the one that looks."""
        seats = self.names.seats
        return self.view.seat if self.view.seat in seats else seats[0] if seats else None

    def pen(self, scale: float = 1) -> Pen:
        return Pen(self.names, Card(self.card * scale, self.theme), self.lit, self.blind)

    @property
    def others(self) -> list[str]:
        """The other seats, from the left of the one at the bottom."""
        seats = self.names.seats
        turned = seats.index(self.bottom) + 1 if self.bottom is not None else 0
        return [*seats[turned:], *seats[: max(0, turned - 1)]]

    def named(self, group: Group) -> bool:
        """Does a name stand above these piles? A hand is known by where it lies, and of what the state tells its words say enough."""
        hands = {pile.family for pile in self.view.piles if pile.owner == group.owner and pile.layout != "hidden"}
        return not (group.told or hands & self.names.hands == {group.family})


def groups_of(piles: Iterable[PileView], elsewhere: frozenset[str]) -> list[Group]:
    found: dict[tuple[str, str | None], list[PileView]] = {}
    for pile in piles:
        if pile.layout not in ("hidden", "board") and pile.key not in elsewhere:
            found.setdefault((pile.family, pile.owner), []).append(pile)
    return [Group(family, owner, tuple(members)) for (family, owner), members in found.items()]


def boards_of(view: TableView) -> list[BoardView]:
    """Those that are not hidden."""
    shown = {pile.key for pile in view.piles if pile.layout == "board"}
    return [found for found in view.boards if shown.issuperset(found.points)]


def on_boards(table: Table) -> frozenset[str]:
    """Piles that are drawn on a board and not beside it."""
    return frozenset(key for found in boards_of(table.view) for key in (*found.bar, *found.off))


def in_words(table: Table, seat: str | None) -> list[str]:
    """What the state says of a seat, without what is drawn."""
    drawn_ = {found.name for found in table.view.sheets if found.sort != "deals"}
    drawn_ |= table.names.cubes if boards_of(table.view) else frozenset()
    return told([item for item in table.view.state if item.name not in drawn_], seat, table.names)


def most_columns(view: TableView) -> int:
    """How many piles the widest family of columns has."""
    groups = [group for group in groups_of(view.piles, frozenset()) if group.layout == "column"]
    return max((len(group.piles) for group in groups), default=0)
