"""Records of games (the language, 18): written line by line, and verified line by line without the random generator."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.diagnostics import Diagnostic, Refused, Source, Span
from interpreter.game.events import event
from interpreter.game.game import Game, State, load
from interpreter.game.spelling import value_name
from interpreter.resources import shipped
from interpreter.running.state import Event as CoreEvent

FORMAT = 1
CHANCE = ("shuffle", "roll", "lots")


def header(state: State, seed: int | None, index: int = 0, seats: dict[str, str] | None = None) -> dict[str, Any]:
    """The first line of a record."""
    game = state.game
    path = game.merged.files[-1]
    name = path.stem if shipped().get(path.stem) == path else str(path)
    return {
        "record": FORMAT,
        "game": name,
        "digest": game.digest,
        "language": 1,
        "options": game.options,
        "seed": seed,
        "index": index,
        "seats": seats or {},
    }


def lines(state: State, seed: int | None, index: int = 0, seats: dict[str, str] | None = None) -> Iterator[str]:
    """A record of everything since the start, and the result if the game is over."""
    yield _json(header(state, seed, index, seats))
    yield from event_lines(state)
    if state.is_over:
        yield _json(_result(state))


def event_lines(state: State, first: int = 0) -> Iterator[str]:
    """The lines of what the log has from place `first` on."""
    for raw in (state.core.log or [])[first:]:
        found = event(state.game.compiled, raw)
        if found is not None:
            yield _json(found.data)


def result_line(state: State) -> str:
    return _json(_result(state))


def _result(state: State) -> dict[str, Any]:
    return {"over": True, "scores": state.scores, "winners": state.winners}


def _json(data: Any) -> str:
    return json.dumps(dict(data), ensure_ascii=False)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a record with its place."""

    data: dict[str, Any]
    span: Span


@dataclass(slots=True)
class Replayed:
    """A verified record: its header and the state after each line of the game so far asked for."""

    header: dict[str, Any]
    state: State
    lines: int
    complete: bool


def read_lines(source: Source) -> list[Line]:
    """The lines of a record. Raises Refused at the first that is not JSON of the right shape."""
    found, start = [], 0
    for text in source.text.split("\n"):
        span = Span(source, start, start + max(1, len(text.rstrip())))
        start += len(text) + 1
        if not text.strip():
            continue
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise Refused(
                [Diagnostic("R811", "this line is not JSON: the record is damaged or cut off here", span)]
            ) from None
        if not isinstance(data, dict):
            raise Refused([Diagnostic("R811", "a line of a record is a JSON object", span)])
        found.append(Line(data, span))
    if not found:
        raise Refused([Diagnostic("R812", "the record is empty", Span(source, 0, 0))])
    return found


def replay(source: Source, to: int | None = None) -> Replayed:
    """Verify a record: every chance outcome fits, every move is legal, every consequence is as recorded.

    `to`: stop after that many moves. Raises Refused at the first difference."""
    all_lines = read_lines(source)
    first, rest = all_lines[0], all_lines[1:]
    game = _game(first)
    tape = Tape(game, rest)
    state = _started(game, tape)
    moves = 0
    while not state.is_over and (to is None or moves < to):
        line = tape.agree(state)
        if line is None:
            break
        state = _moved(state, line, tape)
        moves += 1
    tape.agree(state, to is not None)
    return Replayed(first.data, state, len(all_lines), _ended(state, tape, to))


def _game(first: Line) -> Game:
    data = first.data
    if (
        data.get("record") != FORMAT
        or not isinstance(data.get("game"), str)
        or not isinstance(data.get("options", {}), dict)
    ):
        raise Refused(
            [
                Diagnostic(
                    "R813",
                    "the first line of a record is its header",
                    first.span,
                    help='it has "record": 1, "game", "digest", "options"',
                )
            ]
        )
    try:
        game = load(data["game"], data.get("options") or {})
    except Refused as refused:
        raise refused.at(first.span) from None
    if data.get("digest") not in (None, game.digest):
        raise Refused(
            [
                Diagnostic(
                    "R814",
                    f"`{data['game']}` has other rules now than when this was recorded",
                    first.span,
                    notes=(f"recorded {data['digest']}, now {game.digest}",),
                )
            ]
        )
    return game


def _started(game: Game, tape: Tape) -> State:
    core = game.machine.start(tape, log=True)  # type: ignore[arg-type]
    return State(game, core)


def _moved(state: State, line: Line, tape: Tape) -> State:
    try:
        move = state.find(str(line.data["move"]))
    except Refused as refused:
        raise refused.at(line.span) from None
    if line.data.get("by") not in (None, state.to_act):
        raise Refused([Diagnostic("R815", f"it is {state.to_act}'s turn, not {line.data['by']}'s", line.span)])
    core = state.core.copy()
    state.game.machine.play(core, move.action)
    return State(state.game, core)


def _ended(state: State, tape: Tape, to: int | None) -> bool:
    """Is the whole record used, and the result as recorded?"""
    last = tape.rest()
    if to is not None:
        return False
    if not state.is_over:
        if last:
            raise Refused([Diagnostic("R816", "here a move of the game should stand", last[0].span)])
        return False
    wanted = _result(state)
    if not last or last[0].data.get("over") is not True:
        place = last[0].span if last else (tape.lines[-1].span if tape.lines else None)
        raise Refused([Diagnostic("R816", "the game is over here, but the record does not say so", place)])
    for key in ("scores", "winners"):
        if last[0].data.get(key) != wanted[key]:
            raise Refused(
                [Diagnostic("R817", f"{key} recorded {last[0].data.get(key)}, played {wanted[key]}", last[0].span)]
            )
    if len(last) > 1:
        raise Refused([Diagnostic("R816", "nothing may follow the end of the game", last[1].span)])
    return True


class Tape:
    """A source of chance that gives what was recorded, and compares everything else with what happens."""

    def __init__(self, game: Game, found: Sequence[Line]) -> None:
        self.game, self.lines = game, list(found)
        self.read, self.drawn, self.heard = 0, 0, 0
        self._chance = [i for i, line in enumerate(found) if any(k in line.data for k in CHANCE)]
        self._dice: list[int] = []

    def copy(self) -> Tape:
        return self

    def to_json(self) -> list[str]:
        return ["0" * 16, "1".zfill(16)]

    def rest(self) -> list[Line]:
        return self.lines[self.read :]

    # ---- chance ------------------------------------------------------------------------------------------------------

    def _next(self, kind: str) -> Line:
        if self.drawn >= len(self._chance):
            place = self.lines[-1].span if self.lines else None
            raise Refused([Diagnostic("R818", f"the record ends before the {kind} that is due", place)])
        line = self.lines[self._chance[self.drawn]]
        if kind not in line.data:
            raise Refused([Diagnostic("R818", f"a {kind} is due, and this line is none", line.span)])
        self.drawn += 1
        return line

    def shuffle(self, pile: int, items: list[int]) -> list[int]:
        line = self._next("shuffle")
        name = self.game.namer.key(pile)
        if line.data["shuffle"] != name:
            raise Refused([Diagnostic("R818", f"`{name}` is shuffled here, not `{line.data['shuffle']}`", line.span)])
        left: dict[str, list[int]] = {}
        for item in items:
            left.setdefault(self.game.namer.signs[item >> 1], []).append(item)
        found = [left[sign].pop(0) for sign in self._signs(line, "cards") if left.get(sign)]
        if len(found) != len(items) or len(found) != len(line.data.get("cards", ())):
            raise Refused([Diagnostic("R819", f"these are not the {len(items)} pieces of `{name}`", line.span)])
        return found

    def _signs(self, line: Line, key: str) -> Iterable[str]:
        found = line.data.get(key)
        return [str(s) for s in found] if isinstance(found, list) else []

    def roll(self, kinds: Sequence[int]) -> int:
        """One die at a time; a line has all dice of one throw."""
        if not self._dice:
            line = self._next("roll")
            by_sign = {self.game.namer.signs[k]: k for k in kinds}
            self._dice = [by_sign.get(s, -1) for s in self._signs(line, "roll")]
            if not self._dice or -1 in self._dice:
                raise Refused([Diagnostic("R819", "these are not faces of the dice", line.span)])
        return self._dice.pop(0)

    def lots(self, items: Sequence[int], label: int) -> int:
        line = self._next("lots")
        row = self.game.machine.labels[label].row
        assert row is not None
        kind = row.kind.maybe(False)
        for item in items:
            if value_name(self.game.compiled, item, kind) == str(line.data["lots"]):
                return item
        raise Refused([Diagnostic("R819", f"`{line.data['lots']}` is not among the lots", line.span)])

    # ---- everything else ---------------------------------------------------------------------------------------------

    def agree(self, state: State, partial: bool = False) -> Line | None:
        """Compare what has happened with the lines so far; the next line, if it is a move to be made."""
        log: list[CoreEvent] = state.core.log or []
        found = [event(state.game.compiled, raw) for raw in log[self.heard :]]
        self.heard = len(log)
        for raw in found:
            if raw is None:
                continue
            if self.read >= len(self.lines):
                return None
            line = self.lines[self.read]
            if not _agrees(dict(raw.data), line.data):
                raise Refused(
                    [
                        Diagnostic(
                            "R820",
                            f"recorded {json.dumps(line.data, ensure_ascii=False)[:120]}, and what happens is "
                            f"{json.dumps(dict(raw.data), ensure_ascii=False)[:120]}",
                            line.span,
                        )
                    ]
                )
            self.read += 1
        if partial or self.read >= len(self.lines) or state.is_over:
            return None
        line = self.lines[self.read]
        if "move" not in line.data:
            raise Refused([Diagnostic("R816", "here a move of the game should stand", line.span)])
        return line


def _agrees(happened: dict[str, Any], recorded: dict[str, Any]) -> bool:
    """Every value recorded is what happened; a record typed by hand may leave some out."""
    return all(
        happened.get(key) == value or (key == "move" and str(value).casefold() in str(happened.get(key)).casefold())
        for key, value in recorded.items()
    )
