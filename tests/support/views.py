"""Views made by hand, to draw tables without a game."""

from collections.abc import Sequence

from msgspec.structs import replace

from hoyle.view_data import BoardView, PieceView, PileView, SheetView, StateView, TableView


def make_pile(
    family: str,
    pieces: tuple[PieceView, ...] = (),
    layout: str = "row",
    owner: str | None = None,
    number: int | None = None,
    order: tuple[int, ...] | None = None,
) -> PileView:
    order = tuple(range(len(pieces))) if order is None else order
    return with_key(PileView(family, owner, None, number, "", layout, len(pieces), pieces, order))


def with_key(pile: PileView) -> PileView:
    parts = (pile.family, pile.owner, pile.member, pile.number)
    return replace(pile, key=" ".join(str(part) for part in parts if part is not None))


def make_value(name: str, member: str | None, value: object, track: int = 0, back: int | None = None) -> StateView:
    return StateView(name, member, value, (("en", str(value)),), track, back)


def make_view(
    piles: Sequence[PileView] = (),
    state: Sequence[StateView] = (),
    boards: Sequence[BoardView] = (),
    sheets: Sequence[SheetView] = (),
    seat: str | None = "A",
) -> TableView:
    return TableView(seat, "A", "", tuple(piles), tuple(state), tuple(boards), tuple(sheets))


def pieces(text: str, up: bool = True) -> tuple[PieceView, ...]:
    """Pieces from signs, `?` for a hidden one: `KH ? ?*3 7C`."""
    found: list[PieceView] = []
    for word in text.split():
        sign, _, times = word.partition("*")
        colour = "" if sign == "?" else "red" if sign[-1] in "HD" else "black"
        piece = PieceView(None if sign == "?" else sign, up and sign != "?", colour)
        found += [piece] * int(times or 1)
    return tuple(found)


def columns(family: str, texts: list[str], owner: str | None = None, layout: str = "column") -> list[PileView]:
    return [make_pile(family, pieces(text), layout, owner, n) for n, text in enumerate(texts, 1)]
