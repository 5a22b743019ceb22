"""Tables of drafts: the moves that were made before an edit are made again, as far as they are legal."""

from __future__ import annotations

import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from hoyle.game.game import Game, State
from hoyle.web import display, shelf
from hoyle.web.play.tables import HUMAN, Table, TableError
from hoyle.web.play.temporary_tables import write_nothing

MOST_MOVES, REPLAY_AIM = 5_000, 6.0
"""Moves that are made again, and seconds after which no further one is."""
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
    """Return a table after the moves that are legal, and where they stop. They also stop when they take too long."""
    table, until = Table(secrets.token_hex(12), game.start(seed), kinds, seed, (), True), time.monotonic() + REPLAY_AIM
    for index, ident in enumerate(moves[:MOST_MOVES]):
        if time.monotonic() > until:
            return table, Stopped(ident, index, [display.translate(lang, "refused.heavy")])
        try:
            table.repeat(ident, write_nothing)
        except TableError:
            return table, Stopped(ident, index, _explain(table.state, ident, lang))
    return table, None


def _explain(state: State, ident: str, lang: str) -> Sequence[str]:
    if state.to_act is None:
        return [display.translate(lang, "refused.over")]
    why = display.explain_move(state, [ident], state.to_act, lang)
    return why.lines if why is not None else [display.translate(lang, "refused.move")]
