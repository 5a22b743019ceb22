"""Tables of drafts: the moves that were made before an edit are made again, as far as they are legal."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from hoyle.game.game import Game, State
from hoyle.web import display, shelf
from hoyle.web.play.stored_tables import Operation
from hoyle.web.play.tables import HUMAN, Table

MOST_MOVES = 5_000
"""Moves that are made again."""
Json = dict[str, Any]


class Stopped(Struct, frozen=True):
    """The first move that is not legal any more, its number from 0, and why."""

    move: str
    index: int
    lines: Sequence[str]


def choose_players(game: Game, given: Mapping[str, str]) -> dict[str, str]:
    """Return the kind of player of every seat. Seats that were not given have bots; one person plays at least."""
    known = (HUMAN, *shelf.LEVELS)
    kinds = {seat: kind if (kind := given.get(seat, "")) in known else "normal" for seat in game.seats}
    return kinds if HUMAN in kinds.values() else {**kinds, game.seats[0]: HUMAN}


def set_up_table(
    game: Game, kinds: Mapping[str, str], seed: int, moves: Sequence[str], lang: str
) -> tuple[Table, Stopped | None]:
    """Return a table after the moves that are legal, and where they stop."""
    state, operations = game.start(seed), list[Operation]()
    stopped = None
    for index, ident in enumerate(moves[:MOST_MOVES]):
        seat = state.to_act
        if seat is None or all(move.id != ident for move in state.moves()):
            stopped = Stopped(ident, index, _explain(state, ident, seat, lang))
            break
        unasked = state.unasked if kinds[seat] == HUMAN else None
        operations.append(Operation("pass" if unasked is not None and unasked.id == ident else "move", seat, ident))
        state.play_here(ident)
    return Table(secrets.token_hex(12), game.start(seed), kinds, seed, operations, True), stopped


def _explain(state: State, ident: str, seat: str | None, lang: str) -> list[str]:
    if seat is None:
        return [display.translate(lang, "refused.over")]
    why = display.explain_move(state, [ident], seat, lang)
    return why.lines if why is not None else [display.translate(lang, "refused.move")]
