"""`hoyle show`: the table of a position, or of a recorded game, as a picture."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from hoyle.cli.catalogue import lang, t
from hoyle.cli.files import write
from hoyle.cli.inputs import is_record, position_tree
from hoyle.cli.options import (
    File,
    OneOf,
    Settings,
    Whole,
    Word,
    game_argument,
    lang_option,
    open_game,
    position_option,
    seed_option,
    set_option,
)
from hoyle.cli.output import Trouble, note
from hoyle.cli.shell import command, option
from hoyle.pictures.picture import NARROWEST, WIDEST, WIDTH
from hoyle.pictures.theme import theme

if TYPE_CHECKING:
    from hoyle.game.game import State


@command("show")
@game_argument
@option("--seat", type=Word("seat"))
@option("--svg", "form", flag_value="svg")
@option("--png", "form", flag_value="png")
@option("--theme", "tone", type=OneOf("light", "dark"), default="light")
@option("--four-colour", "four_colours", is_flag=True)
@option("--width", type=Whole(NARROWEST), default=WIDTH)
@option("--height", type=Whole(NARROWEST))
@option("--output", "-o", type=File())
@set_option
@position_option
@option("--to", type=Whole(0))
@seed_option
@lang_option
def show_command(
    game: str,
    seat: str | None,
    form: str | None,
    tone: str,
    four_colours: bool,
    width: int,
    height: int | None,
    output: str | None,
    settings: Settings,
    position: str | None,
    to: int | None,
    seed: int | None,
) -> int:
    if max(width, height or 0) > WIDEST:
        raise Trouble(t("show.too_wide", most=WIDEST), code=2)
    recorded = _recorded(game, position)
    if recorded is None and to is not None:
        raise Trouble(t("show.to_of_record"), code=2)
    if recorded is not None and (settings or seed is not None):
        raise Trouble(t("show.record_knows"), code=2)
    before, state = _replayed(*recorded, to) if recorded else (None, _state(game, settings, position, seed))
    look = theme("dark" if tone == "dark" else "light", four_colours)
    drawn = state.picture(_seat(state, seat), lang(), look, width, height, before)
    as_png = form == "png" or (form is None and output is not None and output.lower().endswith(".png"))
    write(output or "-", _png(drawn) if as_png else drawn + "\n")
    return 0


def _recorded(game: str, position: str | None) -> tuple[str, str | None] | None:
    """The file of a record, if one is given, and the game that it is of, if that is said too."""
    if position is not None and is_record(position):
        return position, game
    return (game, None) if position is None and is_record(game) else None


def _replayed(record: str, game: str | None, to: int | None) -> tuple[State | None, State]:
    """How a recorded game stands after so many moves, and how it stood before the last of these. Raises Refused."""
    from hoyle.cli.inputs import record_source
    from hoyle.game.records.records import replay

    earlier: deque[State] = deque(maxlen=1)
    found = replay(record_source(record), to, game, lambda before, after: earlier.append(before))
    return earlier[-1] if earlier else None, found.state


def _state(name: str, settings: Settings, position: str | None, seed: int | None) -> State:
    """The position given, or the start of a game."""
    data = position_tree(position) if position is not None else None
    game = open_game(name, settings)
    if data is not None:
        return game.position(data, seed or 0)
    if seed is None:
        note(t("moves.start"))
    return game.start(seed or 0)


def _seat(state: State, asked: str | None) -> str | None:
    """The seat that is asked for, by its name or by what it is called; else the one that is to act."""
    seats = state.game.seats
    if asked is None:
        return state.to_act
    called = {state.game.labels(lang())["seats"].get(seat, seat).casefold(): seat for seat in seats}
    found = called.get(asked.casefold()) or next((seat for seat in seats if seat.casefold() == asked.casefold()), None)
    if found is None:
        raise Trouble(t("analyse.no_seat", seat=asked[:40], seats=", ".join(seats)), code=2)
    return found


def _png(drawn: str) -> bytes:
    from hoyle.pictures.png import Missing, png

    try:
        return png(drawn)
    except Missing:
        raise Trouble(t("show.no_png"), code=2) from None
