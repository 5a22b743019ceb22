"""Hints at how things lie, for whoever draws a table. Nothing in play hangs on them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from interpreter.language.ir import Expr, Var
from interpreter.language.steps import Loop

Words = dict[str, str]


class Board(Struct, frozen=True):
    """Piles that are the places of a board: the `number` by which the player `viewer` calls each `place` (None: it has a name), and the
    families of men that have to enter (`bar`) and that are out of the race (`off`); empty where there are none."""

    number: Expr | None
    place: Var
    viewer: Var
    bar: str = ""
    off: str = ""


class PileHint(Struct, frozen=True):
    """Of a family of piles: `shown` while this holds (None: always), its pieces in the `order` of these numbers and rows of a `card`; in pictures all
    `spread` out or only the top one seen (None: as its face says)."""

    shown: Expr | None
    order: tuple[Expr, ...]
    card: Var
    board: Board | None
    spread: bool | None = None

    @property
    def formulas(self) -> Iterator[Expr]:
        numbered = self.board.number if self.board is not None else None
        yield from (e for e in (self.shown, *self.order, numbered) if e is not None)


class ShownValue(Struct, frozen=True):
    """A value that is shown as if it were state, one for each item of the `loop` if there is one, while `shown` holds."""

    name: str
    loop: Loop | None
    value: Expr
    shown: Expr | None
    words: Words

    @property
    def formulas(self) -> Iterator[Expr]:
        yield from self.loop.formulas if self.loop is not None else ()
        yield from (e for e in (self.value, self.shown) if e is not None)


class Looks(Struct, frozen=True):
    """What pictures want to know of things: the shapes of kinds of pieces, the figures of rows by their tables, and the states that are cubes, each
    with the state that says who holds it."""

    shapes: dict[str, str] = {}
    figures: dict[str, dict[str, str]] = {}
    cubes: dict[str, str] = {}


class Display(Struct, frozen=True):
    """Hints by families of piles, while which condition an entry of the state is shown, the values that are shown beside the state, and how things
    look."""

    piles: dict[str, PileHint] = {}
    state: dict[str, Expr] = {}
    values: dict[str, ShownValue] = {}
    looks: Looks = Looks()

    @property
    def formulas(self) -> Iterator[Expr]:
        for hint in self.piles.values():
            yield from hint.formulas
        for value in self.values.values():
            yield from value.formulas
        yield from self.state.values()
