"""Views made by hand, to try the table without a game."""

from __future__ import annotations

from dataclasses import dataclass, field

from hoyle.game.paper import SheetView


@dataclass(frozen=True)
class FakePiece:
    sign: str | None
    up: bool = True
    colour: str = ""


@dataclass(frozen=True)
class FakePile:
    family: str
    owner: str | None
    number: int | None
    layout: str
    pieces: tuple[FakePiece, ...] = ()
    member: str | None = None
    places: tuple[int, ...] | None = None
    """In which order they are shown."""
    told_by: str = ""
    stacked: bool = False

    @property
    def count(self) -> int:
        return len(self.pieces)

    @property
    def key(self) -> str:
        return " ".join(str(part) for part in (self.family, self.owner, self.member, self.number) if part is not None)

    @property
    def order(self) -> tuple[int, ...]:
        return tuple(range(self.count)) if self.places is None else self.places


@dataclass(frozen=True)
class FakeItem:
    name: str
    member: str | None
    value: object
    track: int = 0
    back: int | None = None

    @property
    def texts(self) -> tuple[tuple[str, str], ...]:
        return (("en", str(self.value)),)


@dataclass(frozen=True)
class FakeBoard:
    family: str
    points: tuple[str, ...]
    labels: tuple[str, ...]
    numbered: bool = True
    bar: tuple[str, ...] = ()


@dataclass(frozen=True)
class FakeView:
    seat: str | None
    to_act: str | None
    piles: list[FakePile] = field(default_factory=list)
    state: list[FakeItem] = field(default_factory=list)
    boards: list[FakeBoard] = field(default_factory=list)
    sheets: list[SheetView] = field(default_factory=list)


def pieces(text: str, up: bool = True) -> tuple[FakePiece, ...]:
    """`KH ? ?*3 7C`: signs, and `?` for what may not be seen."""
    found: list[FakePiece] = []
    for word in text.split():
        sign, _, times = word.partition("*")
        colour = "" if sign == "?" else "red" if sign[-1] in "HD" else "black"
        piece = FakePiece(None if sign == "?" else sign, up and sign != "?", colour)
        found += [piece] * int(times or 1)
    return tuple(found)


def pile(family: str, text: str = "", layout: str = "row", owner: str | None = None, up: bool = True) -> FakePile:
    return FakePile(family, owner, None, layout, pieces(text, up))


def columns(family: str, texts: list[str], owner: str | None = None, layout: str = "column") -> list[FakePile]:
    return [FakePile(family, owner, n, layout, pieces(text)) for n, text in enumerate(texts, 1)]
