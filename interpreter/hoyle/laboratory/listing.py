"""Tables of the legal moves and of the events of a state."""

from __future__ import annotations

from hoyle.game.game import State
from hoyle.language.sentences import FALLBACK
from hoyle.series.tables import Column, Table


def moves_of(state: State, lang: str = FALLBACK) -> Table:
    """Return a table of the legal moves: id, words, clauses."""
    moves = state.moves()
    return Table(
        (
            Column("id", str, tuple(move.id for move in moves)),
            Column("move", str, tuple(move.text(lang) for move in moves)),
            Column("clause", str, tuple(move.rule.at for move in moves)),
        )
    )


def events_of(state: State, seat: str | None = None, lang: str = FALLBACK) -> Table:
    """Return a table of the events since the start that a seat, or a spectator, may know."""
    told = [(event, text) for event in state.events if (text := event.text(lang, seat))]
    return Table(
        (
            Column("kind", str, tuple(event.kind for event, _ in told)),
            Column("seat", str, tuple(event.seat for event, _ in told)),
            Column("event", str, tuple(text for _, text in told)),
        )
    )
