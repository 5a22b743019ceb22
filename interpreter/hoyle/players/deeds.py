"""What becomes of pieces in a move, and what rules look at, deed by deed."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from hoyle.running.state import Action, Core

Role = int | tuple[int, int]
"""How a hidden piece was looked at: among all of a pile, or alone, by pile and height."""
Outcome = tuple[object, ...]
"""Where a block came to, and everything that a seat sees then."""


class Left(Struct, frozen=True):
    """A piece has left a pile: where it lay, what the seat saw of the pile, and whether all know by its place which it was."""

    piece: int
    sort: int
    pile: int
    height: int
    seen: tuple[bool, ...]
    by_place: bool


class Came(Struct, frozen=True):
    """A piece has come to lie on top of a pile."""

    piece: int
    pile: int


class New(Struct, frozen=True):
    """A piece lies on top of a pile, and all know what it is: packs begin in order."""

    piece: int
    pile: int
    sort: int


class Mixed(Struct, frozen=True):
    """The pieces of a pile were mixed; by which numbers they are followed from then on."""

    pile: int
    pieces: tuple[int, ...]


class Confused(Struct, frozen=True):
    """Pieces moved by their places, but how many hung on what is secret: which of these lies where is not known."""

    pieces: tuple[int, ...]


class Put(Struct, frozen=True):
    """A pile has these pieces again, from bottom to top: they were there before, or are its own still."""

    pile: int
    pieces: tuple[int, ...]


class Ran(Struct, frozen=True):
    """Rules looked at what is hidden, asked nobody though they would have, or set what is secret, in a block or (with an action) in what a move does
    at once: the state before it; what the seat saw come of it; the pieces looked at; the secret cells that were set, and whether some were
    looked at; and the lots that were drawn, None if there was chance that is not for all to know."""

    core: Core
    pc: int
    action: Action | None
    outcome: Outcome
    looked_at: dict[int, Role]
    cells: tuple[int, ...]
    secrets: bool
    lots: tuple[Any, ...] | None


class Done(Struct, frozen=True):
    """The block is at its end."""


class Renewed(Struct, frozen=True):
    """Secret cells are again as everybody knows them to be."""

    cells: dict[int, Any]


Deed = Renewed | Left | Came | New | Mixed | Confused | Put | Ran | Done


class Course(Struct, frozen=True):
    """A move from the decision to the next: what happened, in order, what the seat was told of pieces by their numbers, and where the
    pieces lie that `take_back` would restore."""

    deeds: list[Deed]
    told: dict[int, int]
    kept: list[list[int]] | None
    end: Core
    next: int
    listed: dict[int, Role]
    """The pieces looked at to say that the move was legal."""
