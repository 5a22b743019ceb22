"""`hoyle replay`: plays a record again and verifies every line of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hoyle.cli.catalogue import lang, t
from hoyle.cli.options import File, Whole, json_option, lang_option
from hoyle.cli.output import diagnose, emit, plainly, say, show, unicode_terminal
from hoyle.cli.shell import argument, command, option

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hoyle.diagnostics import Diagnostic, Refused
    from hoyle.game.game import State
    from hoyle.game.records.records import Replayed


@command("replay")
@argument("record", type=File())
@option("--to", type=Whole(0))
@option("--game", type=File())
@json_option
@lang_option
def replay_command(record: str, to: int | None, game: str | None, as_json: bool) -> int:
    from hoyle.cli.inputs import record_source
    from hoyle.diagnostics import Refused
    from hoyle.game.records.records import replay, says_over

    try:
        source = record_source(record)
        found = replay(source, to, game)
    except Refused as refused:
        return _differs(refused, as_json)
    if as_json:
        emit("replay", _data(found))
    else:
        _tell(found, to, says_over(source))
    return 0


def _differs(refused: Refused, as_json: bool) -> int:
    if as_json:
        emit("replay", {"ok": False, "problems": [_problem(d) for d in refused.diagnostics]})
    else:
        diagnose(refused.diagnostics)
    return 1


def _problem(found: Diagnostic) -> dict[str, Any]:
    line = {"line": found.span.line} if found.span else {}
    return {"code": found.code, "message": found.in_language(lang()).message, **line}


def _data(found: Replayed) -> dict[str, Any]:
    from hoyle.game.positions import to_position

    state = found.state
    result = {"scores": state.scores, "winners": state.winners} if state.is_over else {}
    said = {"game": found.header["game"], "lines": found.lines, "ok": True, "over": state.is_over}
    return {**said, **result, "position": to_position(state.game.compiled, state.core, everything=True)}


def _listed(state: State, openly: bool) -> Iterator[str]:
    """What happened, the moves with their numbers; openly, as whoever did it knows."""
    from hoyle.game.events import told

    moves = 0
    for _, event in told(state.game.compiled, state.core):
        moves += event.kind == "move"
        text = event.text(lang(), event.seat if openly and event.seat in state.game.seats else None)
        if text:
            yield f"{str(moves) if event.kind == 'move' else '':>4}  {text}"


def _tell(found: Replayed, to: int | None, openly: bool) -> None:
    """What happened, the table at the end, and the verdict; openly, with all hands."""
    from hoyle.cli.drawing.ink import suited
    from hoyle.cli.drawing.lines import look_of, result_lines
    from hoyle.cli.drawing.table import table
    from hoyle.game.views.view import view_of_all

    if not unicode_terminal():
        plainly()
    state = found.state
    look = look_of(state.game)
    for line in _listed(state, openly):
        show(suited(line, look))
    say()
    view = view_of_all(state.game.compiled, state.core) if openly else state.view(None)
    for line in table(view, state.game.seats, look, state.game.title(lang())):
        show(line)
    for line in result_lines(state, look) if state.is_over else []:
        show(line)
    key = "replay.same" if state.is_over else "replay.part" if to is not None else "replay.open"
    say(t(key, lines=found.lines, moves=sum(event.kind == "move" for event in state.events)))
