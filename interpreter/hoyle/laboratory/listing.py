"""What a state offers and what has happened in it, as tables."""

from __future__ import annotations

from hoyle.game.game import State
from hoyle.language.sentences import FALLBACK
from hoyle.series.tables import Column, Table


def moves_of(state: State, lang: str = FALLBACK) -> Table:
    """The legal moves of whoever acts: their ids, in words, and the clause that allows them."""
    moves = state.moves()
    return Table(
        (
            Column("id", str, tuple(move.id for move in moves)),
            Column("move", str, tuple(move.text(lang) for move in moves)),
            Column("clause", str, tuple(move.rule.at for move in moves)),
        )
    )


def events_of(state: State, seat: str | None = None, lang: str = FALLBACK) -> Table:
    """What has happened since the start, as a seat or an onlooker may know it: what that is nothing of is left out."""
    told = [(event, text) for event in state.events if (text := event.text(lang, seat))]
    return Table(
        (
            Column("kind", str, tuple(event.kind for event, _ in told)),
            Column("seat", str, tuple(event.seat for event, _ in told)),
            Column("event", str, tuple(text for _, text in told)),
        )
    )
