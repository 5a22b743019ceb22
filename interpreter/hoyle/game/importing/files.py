"""A file of another program → a position, or a game with all its moves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Diagnostic, Refused, Source
from hoyle.game.game import Game, State, load
from hoyle.game.importing.boards import read_board
from hoyle.game.importing.enacting import Enactment
from hoyle.game.importing.formats import Board, recognise
from hoyle.game.importing.transcript import read_transcript
from hoyle.language.sentences import said


class Imported(Struct, frozen=True):
    """An imported file: the state; `played` if it has moves; `drew` if dice were drawn that the file does not have."""

    state: State
    played: bool
    drew: bool = False


Open = Callable[[str, dict[str, Any]], Game]
"""Opens a game with the options that a file stands for."""


def import_text(source: Source, game: str = "", open_game: Open = load) -> Imported:
    """Import a file of another program as the game of its format, or as a variant of it. Raises Refused."""
    form, begun, first = recognise(source)
    try:
        opened = open_game(game or form.game, begun)
    except Refused as refused:
        raise refused.at(first) from None
    if form.game not in (file.stem for file in opened.merged.files):
        raise Refused([Diagnostic("R822", said("other_format", game=opened.name, known=form.game), first)])
    if isinstance(form, Board):
        return Imported(read_board(form, source, opened), played=False)
    enactment = Enactment(form, opened, read_transcript(form, source, first))
    return Imported(enactment.play(), played=True, drew=enactment.drew)
