"""Make views, which have what a seat sees of a state.

Nothing else hides information, so every display is made from a view."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from hoyle.game.compiled import Compiled
from hoyle.game.moves.legal import Move, legal_moves
from hoyle.game.pieces import piece_colour
from hoyle.game.spelling import inner_count, member_name, to_plain
from hoyle.game.views.display import (
    PublicState,
    ShownEntry,
    current_layouts,
    display_order,
    find_holder,
    is_state_shown,
    list_shown_values,
    make_public_state,
    view_boards,
)
from hoyle.game.views.sheets import sheets
from hoyle.language.ir import ABSENT
from hoyle.language.model import StateFamily, texts_of
from hoyle.running.state import Core
from hoyle.view_data import BACK, PieceView, PileView, SheetView, StateView, TableView

EVERYBODY = ABSENT - 1
"""Number that stands for all players together."""


class View(TableView, frozen=True):
    """A view with the legal moves of the seat, if it is to act."""

    moves: tuple[Move, ...] = ()


def make_view(game: Compiled, core: Core, seat: str | None, moves: Callable[[], Sequence[Move]] | None = None) -> View:
    """Return what a seat sees of a state; `None` is a spectator. `moves` returns the legal moves, if they are known."""
    return _make_view(game, core, seat, seat_number(game, seat), moves=moves)


def make_open_view(game: Compiled, core: Core, seat: str | None = None) -> View:
    """Return what all seats together see, from the side of one seat. Used after the end of a game."""
    return replace(_make_view(game, core, None, EVERYBODY, seat_number(game, seat)), seat=seat)


def _make_view(
    game: Compiled,
    core: Core,
    seat: str | None,
    player: int,
    side: int | None = None,
    moves: Callable[[], Sequence[Move]] | None = None,
) -> View:
    """Return what a player sees. Boards are turned to him, or to the player `side`."""
    to_act = game.to_act(core)
    place = game.place(core)
    acts = seat is not None and to_act == seat and bool(place)
    own = tuple(moves() if moves is not None else legal_moves(game, core)) if acts else ()
    known = make_public_state(
        game, core, lambda n, height, count, piece: can_see(game, n, height, count, piece, ABSENT)
    )
    piles, state = _view_piles(game, core, player, known), _view_state(game, core, player, known)
    lies, written = view_boards(game, known, player if side is None else side), _view_sheets(game, core, player, known)
    return View(seat, to_act, place, piles, state, lies, written, own)


def seat_number(game: Compiled, seat: str | None) -> int:
    """Return the number of a seat, or ABSENT for a spectator."""
    return game.seats.index(seat) if seat is not None else ABSENT


# ---- pieces ----------------------------------------------------------------------------------------------------------


def can_see(game: Compiled, pile: int, height: int, count: int, piece: int, player: int) -> bool:
    """Return whether a player (ABSENT: a spectator, EVERYBODY: any player) sees the piece at this height of a pile of `count` pieces."""
    owner, top_alone = game.namer.openness[pile]
    if owner >= 0 and (player in (owner, EVERYBODY)):
        return True
    if top_alone and height != count - 1:
        return False
    return piece & 1 == 1


def _view_piles(game: Compiled, core: Core, player: int, known: PublicState) -> tuple[PileView, ...]:
    lies = current_layouts(game, known, core)
    found = tuple(_view_pile(game, core, n, player, known, lies) for n in range(len(core.piles) - 1))
    held = {name: find_holder(game, known, core, name) for name in game.ruleset.display.piles}
    return tuple(replace(pile, owner=held[pile.family]) if held.get(pile.family) else pile for pile in found)


def _view_pile(
    game: Compiled, core: Core, number: int, player: int, known: PublicState, lies: Mapping[str, str]
) -> PileView:
    pile, family = core.piles[number], game.namer.family(number)
    seen = [piece if can_see(game, number, i, len(pile), piece, player) else None for i, piece in enumerate(pile)]
    pieces = tuple(_view_piece(game, piece) for piece in seen)
    place = game.cached(("pile", number), lambda: _pile_constants(game, number))
    hint = game.ruleset.display.piles.get(family.name)
    told_by, stacked = (hint.told_by, hint.spread is False) if hint is not None else ("", False)
    shown = display_order(game, known, family, seen)
    return PileView(*place, lies[family.name], len(pile), pieces, shown, told_by, stacked)


def _pile_constants(game: Compiled, number: int) -> tuple[str, str | None, str | None, int | None, str]:
    """Constant attributes of a pile."""
    namer = game.namer
    family, owner = namer.family(number), namer.owner(number)
    member = namer.member_name(family, namer.member(number)) if family.each is not None and owner < 0 else None
    seat = game.seats[owner] if owner >= 0 else None
    return family.name, seat, member, namer.column(number) or None, namer.key(number)


def _view_piece(game: Compiled, piece: int | None) -> PieceView:
    if piece is None:
        return BACK
    return game.cached(
        ("piece", piece),
        lambda: PieceView(game.namer.signs[piece >> 1], bool(piece & 1), piece_colour(game, piece)),
    )


# ---- state -----------------------------------------------------------------------------------------------------------


def can_know(game: Compiled, family: StateFamily, member: int, player: int) -> bool:
    """Return whether a player (ABSENT: a spectator, EVERYBODY: any player) knows the value of this state."""
    if not family.secret:
        return True
    owned = family.secret == "owner" and family.each is not None and family.each.name == "player"
    return owned and player in (member // inner_count(game, family), EVERYBODY)


def _view_state(game: Compiled, core: Core, player: int, known: PublicState) -> tuple[StateView, ...]:
    """Return the state that a player knows and displays show, and the values shown beside it."""
    kept = [
        _view_cell(game, core, family, member)
        for family in game.ruleset.state.values()
        if family.layout != "hidden" and is_state_shown(game, known, family.name)
        for member in range(family.size)
        if can_know(game, family, member, player)
    ]
    display = game.ruleset.display
    held = {name: find_holder(game, known, core, name) for name in (*display.state, *display.values)}
    every = (*kept, *(_view_shown_value(game, found) for found in list_shown_values(game, known)))
    return tuple(replace(value, member=held[value.name]) if held.get(value.name) else value for value in every)


def _view_sheets(game: Compiled, core: Core, player: int, known: PublicState) -> tuple[SheetView, ...]:
    families = [f for f in game.ruleset.state.values() if f.layout != "hidden" and is_state_shown(game, known, f.name)]
    hidden = (f.base + m for f in families for m in range(f.size) if not can_know(game, f, m, player))
    return sheets(game, core, known, families, frozenset(hidden))


def _view_shown_value(game: Compiled, found: ShownEntry) -> StateView:
    value = to_plain(game, found.value, found.type)
    texts = texts_of(lambda lang: game.namer.value(found.value, found.type, lang), game.ruleset.languages)
    return StateView(found.name, found.member, value, texts, 0)


def _view_cell(game: Compiled, core: Core, family: StateFamily, member: int) -> StateView:
    cell = family.base + member
    value, back = core.cells[cell], _back_peg(core, cell) if family.track else None
    return game.cached(("cell", cell, value, back), lambda: _make_state_view(game, family, member, value, back))


def _make_state_view(game: Compiled, family: StateFamily, member: int, value: int, back: int | None) -> StateView:
    return StateView(
        family.name,
        member_name(game, family, member),
        to_plain(game, value, family.type),
        texts_of(lambda lang: game.namer.value(value, family.type, lang), game.ruleset.languages),
        family.track,
        back,
    )


def _back_peg(core: Core, cell: int) -> int:
    """Return the value before the last score: the back peg."""
    items = (e[1] for e in reversed(core.log or ()) if e[0] == "score" and e[3] == cell)
    return int(core.cells[cell]) - int(next(items, 0))
