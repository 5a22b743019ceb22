"""`hoyle show`, `import` and `replay`: positions and records of games."""

from __future__ import annotations

import json
from collections import deque
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hoyle.cli.files import is_record, load_position, write, write_new
from hoyle.cli.options import (
    FileName,
    OneOf,
    RulesetName,
    Settings,
    Text,
    WholeNumber,
    game_argument,
    json_option,
    lang_option,
    position_option,
    seed_option,
    set_option,
)
from hoyle.cli.output import diagnose, emit, note, say, show
from hoyle.cli.rulesets import apply_settings, open_game
from hoyle.cli.shell import argument, command, option
from hoyle.pictures.picture import NARROWEST, WIDEST, WIDTH
from hoyle.pictures.theme import find_theme
from hoyle.presentation.catalogue import UserError, lang, t
from hoyle.presentation.terminal import has_unicode, use_ascii

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoyle.diagnostics import Diagnostic, Refused
    from hoyle.game.game import Game, State
    from hoyle.game.records.records import Replayed


@command("show")
@game_argument
@option("--seat", type=Text("seat"))
@option("--svg", "form", flag_value="svg")
@option("--png", "form", flag_value="png")
@option("--theme", "tone", type=OneOf("light", "dark"), default="light")
@option("--four-colour", "four_colours", is_flag=True)
@option("--width", type=WholeNumber(NARROWEST), default=WIDTH)
@option("--height", type=WholeNumber(NARROWEST))
@option("--output", "-o", type=FileName())
@set_option
@position_option
@option("--to", type=WholeNumber(0))
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
        raise UserError(t("show.too_wide", most=WIDEST), code=2)
    recorded = _find_record(game, position)
    if recorded is None and to is not None:
        raise UserError(t("show.to_of_record"), code=2)
    if recorded is not None and (settings or seed is not None):
        raise UserError(t("show.record_knows"), code=2)
    before, state = _replay_to(*recorded, to) if recorded else (None, _open_state(game, settings, position, seed))
    look = find_theme("dark" if tone == "dark" else "light", four_colours)
    drawn = state.picture(_choose_seat(state, seat), lang(), look, width, height, before)
    as_png = form == "png" or (form is None and output is not None and output.lower().endswith(".png"))
    write(output or "-", _make_png(drawn) if as_png else drawn + "\n")
    return 0


def _find_record(game: str, position: str | None) -> tuple[str, str | None] | None:
    """Return the file of a record, and the game if that is given as well."""
    if position is not None and is_record(position):
        return position, game
    return (game, None) if position is None and is_record(game) else None


def _replay_to(record: str, game: str | None, to: int | None) -> tuple[State | None, State]:
    """Return the states before and after the last of the moves. Raises Refused."""
    from hoyle.cli.files import load_record
    from hoyle.game.records.records import replay

    earlier: deque[State] = deque(maxlen=1)
    found = replay(load_record(record), to, game, lambda before, after: earlier.append(before))
    return earlier[-1] if earlier else None, found.state


def _open_state(name: str, settings: Settings, position: str | None, seed: int | None) -> State:
    """Return the given position, or the start of a game."""
    data = load_position(position) if position is not None else None
    game = open_game(name, settings)
    if data is not None:
        return game.position(data, seed or 0)
    if seed is None:
        note(t("moves.start"))
    return game.start(seed or 0)


def _choose_seat(state: State, asked: str | None) -> str | None:
    """Return the seat with this name or label, or the one to act."""
    seats = state.game.seats
    if asked is None:
        return state.to_act
    called = {state.game.labels(lang())["seats"].get(seat, seat).casefold(): seat for seat in seats}
    found = called.get(asked.casefold()) or next((seat for seat in seats if seat.casefold() == asked.casefold()), None)
    if found is None:
        raise UserError(t("analyse.no_seat", seat=asked[:40], seats=", ".join(seats)), code=2)
    return found


def _make_png(drawn: str) -> bytes:
    from hoyle.pictures.png import Missing, render_png

    try:
        return render_png(drawn)
    except Missing:
        raise UserError(t("show.no_png"), code=2) from None


@command("import")
@argument("file", type=FileName())
@option("--output", "-o", type=FileName(), default="-")
@option("--game", type=RulesetName())
@set_option
@lang_option
def import_command(file: str, output: str, game: str | None, settings: Settings) -> int:
    from hoyle.game.game import load
    from hoyle.game.records.importing import import_text
    from hoyle.game.records.records import record_lines
    from hoyle.reading.sources import read

    def opened(name: str, options: dict[str, Any]) -> Game:
        return apply_settings(lambda one, values: load(one, {**options, **values}), name, settings)

    found = import_text(read(file), game or "", opened)
    state = found.state
    text = "\n".join(record_lines(state, None, folder=Path(output).parent)) if found.played else _format_position(state)
    write_new(output, f"{text}\n")
    key = "import.record" if found.played else "import.position"
    note(t(key, game=state.game.name, moves=state.decisions))
    if found.drew:
        note(t("import.drew"))
    return 0


def _format_position(state: State) -> str:
    """Format a position as YAML, one pile a line."""
    from hoyle.game.positions import to_position

    found = to_position(state.game.compiled, state.core, everything=True)
    piles = [f"  {json.dumps(name)}: {json.dumps(held)}" for name, held in found["piles"].items()]
    other = [f"{name}: {json.dumps(value)}" for name, value in found.items() if name != "piles"]
    return "\n".join([*other, "piles:", *piles])


@command("replay")
@argument("record", type=FileName())
@option("--to", type=WholeNumber(0))
@option("--game", type=FileName())
@json_option
@lang_option
def replay_command(record: str, to: int | None, game: str | None, as_json: bool) -> int:
    from hoyle.cli.files import load_record
    from hoyle.diagnostics import Refused
    from hoyle.game.records.records import is_finished_record, replay

    try:
        source = load_record(record)
        found = replay(source, to, game)
    except Refused as refused:
        return _report_difference(refused, as_json)
    if as_json:
        emit("replay", _make_replay_data(found))
    else:
        _print_replay(found, to, is_finished_record(source))
    return 0


def _report_difference(refused: Refused, as_json: bool) -> int:
    if as_json:
        emit("replay", {"ok": False, "problems": [_make_problem_data(d) for d in refused.diagnostics]})
    else:
        diagnose(refused.diagnostics)
    return 1


def _make_problem_data(diagnostic: Diagnostic) -> dict[str, Any]:
    line = {"line": diagnostic.span.line} if diagnostic.span else {}
    return {"code": diagnostic.code, "message": diagnostic.in_language(lang()).message, **line}


def _make_replay_data(replayed: Replayed) -> dict[str, Any]:
    from hoyle.game.positions import to_position

    state = replayed.state
    result = {"scores": state.scores, "winners": state.winners} if state.is_over else {}
    said = {"game": replayed.header["game"], "lines": replayed.lines, "ok": True, "over": state.is_over}
    return {**said, **result, "position": to_position(state.game.compiled, state.core, everything=True)}


def _list_events(state: State, openly: bool) -> Iterator[str]:
    """Yield the events, moves with numbers. `openly` tells them as their seats know them."""
    from hoyle.game.events import list_told_events

    moves = 0
    for _, event in list_told_events(state.game.compiled, state.core):
        moves += event.kind == "move"
        text = event.text(lang(), event.seat if openly and event.seat in state.game.seats else None)
        if text:
            yield f"{str(moves) if event.kind == 'move' else '':>4}  {text}"


def _print_replay(replayed: Replayed, to: int | None, openly: bool) -> None:
    """Print the events, the last table and the verdict. `openly` shows all hands."""
    from hoyle.game.views.view import make_open_view
    from hoyle.presentation.look import draw_text, make_look
    from hoyle.presentation.play_text import format_result
    from hoyle.presentation.table.table import draw_table

    if not has_unicode():
        use_ascii()
    state = replayed.state
    look = make_look(state.game)
    for line in _list_events(state, openly):
        show(draw_text(line, look))
    say()
    view = make_open_view(state.game.compiled, state.core) if openly else state.view(None)
    for line in draw_table(view, state.game.seats, look, state.game.title(lang())):
        show(line)
    for line in format_result(state, look) if state.is_over else []:
        show(line)
    key = "replay.same" if state.is_over else "replay.part" if to is not None else "replay.open"
    say(t(key, lines=replayed.lines, moves=sum(event.kind == "move" for event in state.events)))
