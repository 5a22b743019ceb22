"""What one seat sees. The only place that hides: whoever shows a game to somebody shows a View."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from interpreter.language.ir import ABSENT, NO_NUMBER
from interpreter.language.model import Family, StateFamily

if TYPE_CHECKING:
    from interpreter.game.game import Game, Move, State


@dataclass(frozen=True, slots=True)
class PieceView:
    """A piece as a seat sees it: `sign` is None for a back. `colour` is its row's `colour`, or its owner's seat."""

    sign: str | None
    up: bool
    colour: str


@dataclass(frozen=True, slots=True)
class PileView:
    """A pile: its family, the seat it belongs to, its member's name, its number, how it is laid out, how many pieces, and
    the pieces from bottom to top."""

    family: str
    owner: str | None
    member: str | None
    number: int | None
    key: str
    layout: str
    count: int
    pieces: tuple[PieceView, ...]


@dataclass(frozen=True, slots=True)
class StateView:
    """A value of the state: of which member, the plain value, its words by language, its track's holes (0: none), and the value
    before the last item scored (the back peg)."""

    name: str
    member: str | None
    value: Any
    texts: tuple[tuple[str, str], ...]
    track: int
    back: int | None = None


@dataclass(frozen=True, slots=True)
class View:
    seat: str | None
    to_act: str | None
    place: str
    piles: tuple[PileView, ...]
    state: tuple[StateView, ...]
    moves: tuple[Move, ...]


def view(state: State, seat: str | None) -> View:
    """What `seat` (None: an onlooker) sees of a state."""
    player = state.game.seats.index(seat) if seat is not None else ABSENT
    piles = tuple(_pile(state, n, player) for n in range(len(state.core.piles) - 1))
    moves = tuple(state.moves()) if seat is not None and state.to_act == seat else ()
    return View(seat, state.to_act, state.place, piles, tuple(_cells(state, player)), moves)


def sees(game: Game, pile: int, height: int, count: int, piece: int, player: int) -> bool:
    """May this player (ABSENT: an onlooker) see the piece at this height of a pile of so many?"""
    family = game.namer.family(pile)
    if family.face == "owner" and game.namer.owner(pile) == player and player >= 0:
        return True
    if family.face == "top seen" and height != count - 1:
        return False
    return bool(piece & 1)


def _pile(state: State, number: int, player: int) -> PileView:
    namer, pile = state.game.namer, state.core.piles[number]
    family = namer.family(number)
    pieces = tuple(_piece(state.game, number, i, len(pile), piece, player) for i, piece in enumerate(pile))
    owner = namer.owner(number)
    member = namer.member_name(family, namer.member(number)) if family.each is not None and owner < 0 else None
    return PileView(
        family.name,
        state.game.seats[owner] if owner >= 0 else None,
        member,
        namer.column(number) or None,
        namer.key(number),
        _layout(family),
        len(pile),
        pieces,
    )


def _layout(family: Family) -> str:
    if family.layout:
        return family.layout
    return "column" if family.has_columns else "row"


def _piece(game: Game, pile: int, height: int, count: int, piece: int, player: int) -> PieceView:
    if not sees(game, pile, height, count, piece, player):
        return PieceView(None, False, "")
    return PieceView(game.namer.signs[piece >> 1], bool(piece & 1), colour(game, piece))


def colour(game: Game, piece: int) -> str:
    """The row of the piece's `colour`, through any of its rows; else its owner's seat."""
    kind = game.namer.piece_kinds[piece >> 1]
    attributes = game.ruleset.attributes.by_name
    for name, of in kind.attributes.items():
        table = game.ruleset.tables.get(of.of)
        column = table.columns.get("colour") if table else None
        if table and column is not None and column.kind.name == "row":
            row = attributes[f"{table.name}.colour"][attributes[f"{kind.name}.{name}"][piece]]
            return game.ruleset.tables[column.kind.of].rows[row]
    if "owner" in kind.attributes and len(kind.attributes) == 1:
        return game.seats[attributes[f"{kind.name}.owner"][piece]]
    return ""


def _cells(state: State, player: int) -> list[StateView]:
    found = []
    for family in state.game.ruleset.state.values():
        if family.layout == "hidden":
            continue
        for member in range(family.size):
            if not family.secret or (
                family.each is not None and family.each.name == "player" and _first(family, state, member) == player
            ):
                found.append(_cell(state, family, member))
    return found


def _first(family: StateFamily, state: State, member: int) -> int:
    return member // max(1, family.size // len(state.game.seats)) if family.also else member


def _cell(state: State, family: StateFamily, member: int) -> StateView:
    namer, value = state.game.namer, state.core.cells[family.base + member]
    texts = tuple((lang, namer.value(value, family.kind, lang)) for lang in ("en", "fr"))
    return StateView(
        family.name,
        member_name(state.game, family, member),
        plain(state.game, value, family),
        texts,
        family.track,
        _back(state, family.base + member) if family.track else None,
    )


def _back(state: State, cell: int) -> int:
    """The value before the last item scored."""
    items = (e[1] for e in reversed(state.core.log or ()) if e[0] == "score" and e[3] == cell)
    return int(state.core.cells[cell]) - int(next(items, 0))


def member_name(game: Game, family: StateFamily, member: int) -> str | None:
    """A member of a state family as positions write it: `A`, `A of plis`, `3`."""
    if family.each is None:
        return None
    if family.also is None:
        return game.namer.key_name(family.each, member)
    inner = size_of(game, family) // family_outer(game, family)
    return f"{game.namer.key_name(family.each, member // inner)} of {game.namer.key_name(family.also, member % inner)}"


def size_of(game: Game, family: StateFamily) -> int:
    return family.size


def family_outer(game: Game, family: StateFamily) -> int:
    """How many values the first key has."""
    each = family.each
    if each is None:
        return 1
    sizes = {"player": len(game.seats), "pair": len(game.machine.constants["MEMBERS"]) - 1}
    if each.name == "row":
        return len(game.ruleset.tables[each.of].rows)
    if each.name == "piece":
        return len(game.ruleset.pieces[each.of].classes)
    return sizes.get(each.name, each.high - each.low + 1)


def plain(game: Game, value: int, family: StateFamily) -> Any:
    """A cell as positions write it: a number, true or false, a name, or None."""
    kind = family.kind
    if kind.name == "bool":
        return bool(value)
    if kind.name == "number":
        return None if value == NO_NUMBER else value
    return (
        None
        if value == ABSENT
        else game.namer.key_name(kind, value)
        if kind.name != "piece"
        else game.namer.signs[value >> 1]
    )
