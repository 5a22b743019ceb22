"""Records of games (docs/language.md, section 18), written line by line and verified line by line.

Verifying needs no random generator: a record has all outcomes of chance."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from hoyle import packs
from hoyle.diagnostics import Diagnostic, Refused, Source, Span
from hoyle.game.events import make_recorded_event
from hoyle.game.game import Game, State, load
from hoyle.game.records.tape import Line, Tape, read_lines
from hoyle.language.sentences import make_message
from hoyle.resources import find_beside, name_below
from hoyle.running.state import Action

FORMAT = 1
LONGEST_MOVE, LONGEST_TOLD = 2_000, 60
"""Longest move that is looked up, and longest quotation of one; in characters."""


def make_header(
    state: State,
    seed: int | None,
    index: int = 0,
    seats: dict[str, str] | None = None,
    folder: Path | None = None,
    lang: str | None = None,
) -> dict[str, Any]:
    """Return the first line of a record.

    `folder`: where the record will be (None: the current folder). `lang`: language in which people were told the
    game."""
    game = state.game
    return {
        "record": FORMAT,
        "game": _ruleset_name(game.merged.files[-1], folder or Path()),
        "digest": game.digest,
        "language": 1,
        "options": game.options,
        "seed": seed,
        "index": index,
        "seats": seats or {},
        **({"lang": lang} if lang else {}),
    }


def _ruleset_name(path: Path, folder: Path) -> str:
    """Return how a record in this folder names a ruleset. One that is elsewhere must be given when the record is
    replayed."""
    if packs.find(path.stem) == path:
        return path.stem
    return name_below(path, folder) or path.name


def record_lines(
    state: State,
    seed: int | None,
    index: int = 0,
    seats: dict[str, str] | None = None,
    folder: Path | None = None,
    lang: str | None = None,
) -> Iterator[str]:
    """Yield the lines of a record of the whole game, with the result if the game is over. See `make_header`."""
    yield _to_line(make_header(state, seed, index, seats, folder, lang))
    yield from _event_lines(state)
    if state.is_over:
        yield _to_line(_result_data(state))


def _event_lines(state: State) -> Iterator[str]:
    for raw in state.core.log or []:
        found = make_recorded_event(state.game.compiled, raw)
        if found is not None:
            yield _to_line(found.data)


def _result_data(state: State) -> dict[str, Any]:
    return {"over": True, "scores": state.scores, "winners": state.winners}


def _to_line(data: Any) -> str:
    return json.dumps(dict(data), ensure_ascii=False)


class Replayed(Struct):
    """A verified record: its header, the last state replayed, and the number of lines read."""

    header: dict[str, Any]
    state: State
    lines: int
    complete: bool


Visit = Callable[[State, State], None]
"""Called with the states before and after a move."""
Watch = Callable[[State], None]
"""Called with the state at the start and after each move. The next move changes the state, so keep copies only."""


def replay(
    source: Source,
    to: int | None = None,
    game: str | Path | Game | None = None,
    visit: Visit | None = None,
    watch: Watch = lambda state: None,
) -> Replayed:
    """Verify a record: chance outcomes fit, moves are legal, consequences are as recorded.

    Args:
        to: stop after this many moves.
        game: the game, or its path. By default the header names a shipped game or a file beside or below the record.
        visit: called for each move. It costs a copy of all events each time; `watch` does not.

    Raises:
        Refused: at the first difference."""
    lines = read_lines(source)
    first = next(lines, None)
    if first is None:
        raise Refused([Diagnostic("R812", make_message("empty_record"), Span(source, 0, 0))])
    _check_header(first)
    opened = _open_game(first, game if game is not None else _find_ruleset(first))
    tape = Tape(opened, lines)
    state = _start_game(opened, tape)
    watch(state)
    moves = 0
    while not state.is_over and (to is None or moves < to):
        tape.compare(state)
        line = tape.line()
        if line is None:
            break
        before, state = state, _make_recorded_move(state, line, visit is None)
        if visit is not None:
            visit(before, state)
        watch(state)
        moves += 1
    tape.compare(state)
    complete = to is None and _check_end(state, tape)
    return Replayed(first.data, state, tape.count + 1, complete)


def is_finished_record(source: Source) -> bool:
    """Return whether the last line of a record is the end of its game, so that nothing is secret any more."""
    try:
        last = json.loads(source.text.rstrip().rpartition("\n")[2])
    except (ValueError, RecursionError):  # with `to`, the last line was not verified
        return False
    return isinstance(last, dict) and last.get("over") is True


def read_header(source: Source) -> dict[str, Any]:
    """Return the first line of a record. Raises Refused if it is no header."""
    first = next(read_lines(source), None)
    if first is None:
        raise Refused([Diagnostic("R812", make_message("empty_record"), Span(source, 0, 0))])
    _check_header(first)
    return first.data


def _is_whole(found: Any) -> bool:
    return found is None or (isinstance(found, int) and not isinstance(found, bool))


_HEADER: dict[str, Callable[[Any], bool]] = {
    "record": lambda found: found == FORMAT,
    "game": lambda found: isinstance(found, str),
    "options": lambda found: found is None or isinstance(found, dict),
    "digest": lambda found: found is None or isinstance(found, str),
    "seed": _is_whole,
    "index": _is_whole,
    "lang": lambda found: found is None or isinstance(found, str),
    "seats": lambda found: (
        found is None or (isinstance(found, dict) and all(isinstance(kind, str) for kind in found.values()))
    ),
}


def _check_header(first: Line) -> None:
    wrong = [key for key, fits in _HEADER.items() if not fits(first.data.get(key))]
    if wrong:
        note = make_message("wrong_keys", keys=", ".join(wrong))
        raise Refused(
            [Diagnostic("R813", make_message("no_header"), first.span, notes=(note,), help=make_message("header_has"))]
        )


def _find_ruleset(first: Line) -> Path:
    """Find the ruleset that a header names. A record is data, so it cannot name just any file."""
    name = first.data["game"]
    found = packs.find(name) or find_beside(name, Path(first.span.source.name).parent)
    if found is None:
        message, note = make_message("not_beside", name=name), make_message("record_names")
        raise Refused([Diagnostic("R821", message, first.span, notes=(note,), help=make_message("give_game"))])
    return found


def _open_game(first: Line, game: str | Path | Game) -> Game:
    data = first.data
    named, given = Path(data["game"]).stem, game.name if isinstance(game, Game) else Path(game).stem
    opened = game if isinstance(game, Game) else _load_game(first, game, named != given)
    if named != given and data.get("digest") not in (None, opened.digest):
        raise _other_game(first, named, opened.name)
    if data.get("digest") not in (None, opened.digest):
        raise Refused([Diagnostic("R814", make_message("other_rules", opened=opened.name), first.span)])
    return opened


def _load_game(first: Line, game: str | Path, is_other: bool) -> Game:
    try:
        return load(game, first.data.get("options") or {})
    except Refused as refused:
        named = Path(first.data["game"]).stem
        raise (_other_game(first, named, load(game).name) if is_other else refused.at(first.span)) from None


def _other_game(first: Line, named: str, opened: str) -> Refused:
    return Refused([Diagnostic("R814", make_message("other_game", named=named, opened=opened), first.span)])


def _start_game(game: Game, tape: Tape) -> State:
    core = game.machine.start(tape, log=True)  # type: ignore[arg-type]
    return State(game, core)


def _make_recorded_move(state: State, line: Line, in_place: bool) -> State:
    """Return the state after the move of a line. `in_place` changes the given state."""
    if "move" not in line.data:
        raise Refused([Diagnostic("R816", make_message("no_move_line"), line.span)])
    try:
        action = _find_action(state, str(line.data["move"]))
    except Refused as refused:
        raise refused.at(line.span) from None
    if line.data.get("by") not in (None, state.to_act):
        message = make_message("wrong_turn", seat=state.to_act, other=line.data["by"])
        raise Refused([Diagnostic("R815", message, line.span)])
    core = state.core if in_place else state.core.copy()
    state.game.machine.play(core, action)
    return State(state.game, core)


def _find_action(state: State, move: str) -> Action:
    """Return the action of the move that a line names, usually by its full id. Raises IllegalMove."""
    if len(move) > LONGEST_MOVE:
        raise Refused([Diagnostic("R801", make_message("no_move", move=f"{move[:LONGEST_TOLD]}…"))])
    core = state.core
    ids = state.game.namer.ids(core, core.acts, core.actor)
    return core.acts[ids.index(move)] if move in ids else state.find(move).action


def _check_end(state: State, tape: Tape) -> bool:
    """Return whether the whole record was read and the result is as recorded."""
    last = tape.line()
    if not state.is_over:
        return False
    wanted = _result_data(state)
    if last is None or last.data.get("over") is not True:
        place = last.span if last else tape.last
        raise Refused([Diagnostic("R816", make_message("end_unsaid"), place)])
    for key in {**wanted, **last.data}:
        if key not in wanted or last.data.get(key) != wanted[key]:
            message = make_message("other_result", key=key, found=last.data.get(key), wanted=wanted.get(key))
            raise Refused([Diagnostic("R817", message, last.span)])
    more = tape.line(1)
    if more is not None:
        raise Refused([Diagnostic("R816", make_message("after_end"), more.span)])
    return True
