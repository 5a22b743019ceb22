"""Display hints: how piles, state and values are shown. Nothing in play depends on them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from hoyle.language.ir import Expr, Var
from hoyle.language.steps import Loop

Words = dict[str, str]


class Board(Struct, frozen=True):
    """A family of piles as points of a board.

    number  the number of a `place` for the player `viewer`; None if places have names
    bar     the family of men that have to enter; empty without
    off     the family of men that are borne off; empty without
    """

    number: Expr | None
    place: Var
    viewer: Var
    bar: str = ""
    off: str = ""


class Holder(Struct, frozen=True):
    """The player who has something now, as a formula with the acting player `me`."""

    player: Expr
    me: Var


class PileHint(Struct, frozen=True):
    """How a family of piles is shown.

    shown    the condition for showing it; None: always
    order    the numbers and rows of a `card` that sort its pieces
    holder   who has it now, if no player owns it by the rules
    spread   in pictures, all pieces spread out or only the top one; None: as its face says
    middle   in pictures, does it lie in the middle before its player?
    told_by  the state that says how many pieces lie there
    phases   the phases in which it is shown though it is empty; none: any
    """

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
    """The boxes of a score sheet that can still be filled in, with a name for each key."""

    open: Expr
    keys: tuple[Var, ...]


class StateHint(Struct, frozen=True):
    """How an entry of the state is shown.

    shown   the condition for showing it; None: always
    holder  who has it now, if no player owns it by the rules
    by      for pairs: the state that says which of the two
    called  the names of its numbers from 1 on, by language
    boxes   the boxes of a score sheet
    total   the state with the total of a score sheet; empty without
    """

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
    """A formula that is shown like state, for each item of the `loop` if there is one, while `shown` holds."""

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
    """Shapes of kinds of pieces, and figures of rows by their tables, for pictures."""

    shapes: dict[str, str] = {}
    figures: dict[str, dict[str, str]] = {}


class Display(Struct, frozen=True):
    """All display hints of a ruleset, by family or name."""

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
