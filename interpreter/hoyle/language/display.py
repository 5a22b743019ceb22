"""Hints at how things lie, for whoever draws a table. Nothing in play hangs on them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from hoyle.language.ir import Expr, Var
from hoyle.language.steps import Loop

Words = dict[str, str]


class Board(Struct, frozen=True):
    """Piles that are the places of a board: the `number` by which the player `viewer` calls each `place` (None: it has a name), and the
    families of men that have to enter (`bar`) and that are out of the race (`off`); empty where there are none."""

    number: Expr | None
    place: Var
    viewer: Var
    bar: str = ""
    off: str = ""


class Holder(Struct, frozen=True):
    """Whose something is now, where `me` decides."""

    player: Expr
    me: Var


class PileHint(Struct, frozen=True):
    """Of a family of piles: `shown` while this holds (None: always), its pieces in the `order` of these numbers and rows of a `card`, and
    whose it is now, if it is nobody's by the rules; in pictures all `spread` out or only the top one seen (None: as its face says), or in the
    `middle` before its player. `told_by` is the state that says how much lies there; `phases` those in which it is a place though it is empty (none: any)."""

    shown: Expr | None
    order: tuple[Expr, ...]
    card: Var
    board: Board | None
    holder: Holder | None = None
    spread: bool | None = None
    middle: bool = False
    told_by: str = ""
    phases: tuple[str, ...] = ()

    @property
    def formulas(self) -> Iterator[Expr]:
        numbered = self.board.number if self.board is not None else None
        holder = self.holder.player if self.holder is not None else None
        yield from (e for e in (self.shown, *self.order, numbered, holder) if e is not None)


class Boxes(Struct, frozen=True):
    """Which places of a sheet are there to be written in, by a name for each key."""

    open: Expr
    keys: tuple[Var, ...]


class StateHint(Struct, frozen=True):
    """Of an entry of the state: `shown` while this holds (None: always), whose it is now, if it is nobody's by the rules; of one for each pair the state
    that says `by` whom of the two; what its numbers from 1 on are called, by language; of a sheet its `boxes`, and the state that says the `total` of
    each who writes on it (empty: none does)."""

    shown: Expr | None
    holder: Holder | None = None
    by: str = ""
    called: dict[str, tuple[str, ...]] = {}
    boxes: Boxes | None = None
    total: str = ""

    @property
    def formulas(self) -> Iterator[Expr]:
        holder = self.holder.player if self.holder is not None else None
        boxes = self.boxes.open if self.boxes is not None else None
        yield from (e for e in (self.shown, holder, boxes) if e is not None)


class ShownValue(Struct, frozen=True):
    """A value that is shown as if it were state, one for each item of the `loop` if there is one, while `shown` holds; and whose it is now."""

    name: str
    loop: Loop | None
    value: Expr
    shown: Expr | None
    words: Words
    holder: Holder | None = None

    @property
    def formulas(self) -> Iterator[Expr]:
        yield from self.loop.formulas if self.loop is not None else ()
        holder = self.holder.player if self.holder is not None else None
        yield from (e for e in (self.value, self.shown, holder) if e is not None)


class Looks(Struct, frozen=True):
    """What pictures want to know of things: the shapes of kinds of pieces, and the figures of rows by their tables."""

    shapes: dict[str, str] = {}
    figures: dict[str, dict[str, str]] = {}


class Display(Struct, frozen=True):
    """Hints by families of piles and of state, the values that are shown beside the state, and how things look."""

    piles: dict[str, PileHint] = {}
    state: dict[str, StateHint] = {}
    values: dict[str, ShownValue] = {}
    looks: Looks = Looks()

    @property
    def formulas(self) -> Iterator[Expr]:
        for pile in self.piles.values():
            yield from pile.formulas
        for state in self.state.values():
            yield from state.formulas
        for value in self.values.values():
            yield from value.formulas
