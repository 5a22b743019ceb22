"""Records of games (the language, 18): written line by line, and verified line by line without the random generator."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct, structs

from interpreter.diagnostics import Diagnostic, Refused, Source, Span
from interpreter.game.events import recorded
from interpreter.game.game import Game, State, load
from interpreter.game.tape import Line, Tape, read_lines
from interpreter.language.sentences import FALLBACK, LANGUAGES, Sentence
from interpreter.resources import beside, name_below, shipped

FORMAT = 1
_OTHER_GAME, _OTHER_RULES = Sentence("record.other_game"), Sentence("record.other_rules")


def header(
    state: State,
    seed: int | None,
    index: int = 0,
    seats: dict[str, str] | None = None,
    folder: Path | None = None,
    lang: str | None = None,
) -> dict[str, Any]:
    """The first line of a record that will stand in this folder (without one: the current). `lang`: what people were told it in."""
    game = state.game
    return {
        "record": FORMAT,
        "game": _name(game.merged.files[-1], folder or Path()),
        "digest": game.digest,
        "language": 1,
        "options": game.options,
        "seed": seed,
        "index": index,
        "seats": seats or {},
        **({"lang": lang} if lang else {}),
    }


def _name(path: Path, folder: Path) -> str:
    """How a record in this folder names a ruleset. One that is elsewhere has to be named again by who replays it."""
    if shipped().get(path.stem) == path:
        return path.stem
    return name_below(path, folder) or path.name


def lines(
    state: State,
    seed: int | None,
    index: int = 0,
    seats: dict[str, str] | None = None,
    folder: Path | None = None,
    lang: str | None = None,
) -> Iterator[str]:
    """A record of everything since the start, and the result if the game is over. `folder`, `lang`: see `header`."""
    yield _json(header(state, seed, index, seats, folder, lang))
    yield from _event_lines(state)
    if state.is_over:
        yield _json(_result(state))


def _event_lines(state: State) -> Iterator[str]:
    for raw in state.core.log or []:
        found = recorded(state.game.compiled, raw)
        if found is not None:
            yield _json(found.data)


def _result(state: State) -> dict[str, Any]:
    return {"over": True, "scores": state.scores, "winners": state.winners}


def _json(data: Any) -> str:
    return json.dumps(dict(data), ensure_ascii=False)


class Replayed(Struct):
    """A verified record: its header and the state after each line of the game so far asked for."""

    header: dict[str, Any]
    state: State
    lines: int
    complete: bool


Visit = Callable[[State, State], None]
"""Is given the states before and after a move."""


def replay(
    source: Source, to: int | None = None, game: str | Path | None = None, visit: Visit = lambda before, after: None
) -> Replayed:
    """Verify a record: every chance outcome fits, every move is legal, every consequence is as recorded.

    `to`: stop after that many moves. `game`: the game it is of; without it the header's, which is a shipped name or a file beside
    or below the record. `visit` is called for each move. Raises Refused at the first difference."""
    lines = read_lines(source)
    first = next(lines, None)
    if first is None:
        raise Refused([Diagnostic("R812", "the record is empty", Span(source, 0, 0))])
    _check_header(first)
    opened = _game(first, game if game is not None else _named(first))
    tape = Tape(opened, lines)
    state = _started(opened, tape)
    moves = 0
    while not state.is_over and (to is None or moves < to):
        tape.agree(state)
        line = tape.line()
        if line is None:
            break
        before, state = state, _moved(state, line)
        visit(before, state)
        moves += 1
    tape.agree(state)
    complete = to is None and _ended(state, tape)
    return Replayed(first.data, state, tape.count + 1, complete)


def says_over(source: Source) -> bool:
    """Whether the last line of a record is the end of its game: then nobody plays on who must not know what others held."""
    try:
        last = json.loads(source.text.rstrip().rpartition("\n")[2])
    except (ValueError, RecursionError):  # with `to`, nobody has read so far
        return False
    return isinstance(last, dict) and last.get("over") is True


def read_header(source: Source) -> dict[str, Any]:
    """The first line of a record, as it is. Raises Refused if it is none."""
    first = next(read_lines(source), None)
    if first is None:
        raise Refused([Diagnostic("R812", "the record is empty", Span(source, 0, 0))])
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
        help = 'it has "record": 1, "game", "digest", "options", "seed", "index", "seats"'
        note = f"not as it must be: {', '.join(wrong)}"
        message = "the first line of a record is its header"
        raise Refused([Diagnostic("R813", message, first.span, notes=(note,), help=help)])


def _named(first: Line) -> Path:
    """The ruleset that a header names: the record is data, so it cannot name any file there is."""
    name = first.data["game"]
    found = shipped().get(name) or beside(name, Path(first.span.source.name).parent)
    if found is None:
        message = f"there is no ruleset `{name}` beside this record"
        note = "a record names a shipped ruleset, or a `.yaml` file beside or below itself"
        help = "`--game` says where the ruleset is"
        raise Refused([Diagnostic("R821", message, first.span, notes=(note,), help=help)])
    return found


def _game(first: Line, game: str | Path) -> Game:
    data = first.data
    named, given = Path(data["game"]).stem, Path(game).stem
    try:
        opened = load(game, data.get("options") or {})
    except Refused as refused:
        raise (_other_game(first, named, load(game).name) if named != given else refused.at(first.span)) from None
    if named != given and data.get("digest") not in (None, opened.digest):
        raise _other_game(first, named, opened.name)
    if data.get("digest") not in (None, opened.digest):
        found = _said(_OTHER_RULES, first, opened=opened.name)
        raise Refused([structs.replace(found, notes=(f"recorded {data['digest']}, now {opened.digest}",))])
    return opened


def _other_game(first: Line, named: str, opened: str) -> Refused:
    return Refused([_said(_OTHER_GAME, first, named=named, opened=opened)])


def _said(sentence: Sentence, first: Line, **names: str) -> Diagnostic:
    """That a record is not of this game: whoever wants to play on is told so in his language."""
    texts = {lang: sentence[lang].format(**names) for lang in LANGUAGES}
    return Diagnostic("R814", texts[FALLBACK], first.span, translations=tuple(texts.items()))


def _started(game: Game, tape: Tape) -> State:
    core = game.machine.start(tape, log=True)  # type: ignore[arg-type]
    return State(game, core)


def _moved(state: State, line: Line) -> State:
    if "move" not in line.data:
        raise Refused([Diagnostic("R816", "here a move of the game should stand", line.span)])
    try:
        move = state.find(str(line.data["move"]))
    except Refused as refused:
        raise refused.at(line.span) from None
    if line.data.get("by") not in (None, state.to_act):
        raise Refused([Diagnostic("R815", f"it is {state.to_act}'s turn, not {line.data['by']}'s", line.span)])
    core = state.core.copy()
    state.game.machine.play(core, move.action)
    return State(state.game, core)


def _ended(state: State, tape: Tape) -> bool:
    """Is the whole record used, and the result as recorded?"""
    last = tape.line()
    if not state.is_over:
        return False
    wanted = _result(state)
    if last is None or last.data.get("over") is not True:
        place = last.span if last else tape.last
        raise Refused([Diagnostic("R816", "the game is over here, but the record does not say so", place)])
    for key in {**wanted, **last.data}:
        if key not in wanted or last.data.get(key) != wanted[key]:
            message = f"{key} recorded {last.data.get(key)}, played {wanted.get(key)}"
            raise Refused([Diagnostic("R817", message, last.span)])
    more = tape.line(1)
    if more is not None:
        raise Refused([Diagnostic("R816", "nothing may follow the end of the game", more.span)])
    return True
