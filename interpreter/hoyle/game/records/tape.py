"""Lines of a record, read as they are needed: a source of chance that repeats what was recorded."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Diagnostic, LocalizedText, Refused, Source, Span
from hoyle.game.events import make_recorded_event
from hoyle.game.game import Game, State
from hoyle.game.spelling import value_name
from hoyle.language.sentences import make_message
from hoyle.running.state import CHANCE
from hoyle.running.state import Event as CoreEvent

LONGEST_LINE = 1_000_000
MOST_AHEAD = 100_000
"""Most lines between the last event and the next chance."""


_NON_BLANK = re.compile(r"\S")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


class Line(Struct, frozen=True):
    """A line of a record with its place."""

    data: dict[str, Any]
    span: Span


def read_lines(source: Source) -> Iterator[Line]:
    """Yield the lines of a record. Raises Refused at the first that is not a JSON object."""
    text, end = source.text, 0
    while (found := _NON_BLANK.search(text, end)) is not None:
        start = text.rfind("\n", end, found.start()) + 1 or end
        end = text.find("\n", found.start())
        end = end if end >= 0 else len(text)
        yield _read_line(Span(source, start, end))


def _read_line(span: Span) -> Line:
    if span.end - span.start > LONGEST_LINE:
        raise _refused("R811", make_message("long_line", most=f"{LONGEST_LINE:,}"), span)
    try:
        data = json.loads(span.text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        raise _refused("R811", make_message("damaged"), span) from None
    if not isinstance(data, dict):
        raise _refused("R811", make_message("not_object"), span)
    if _SURROGATE.search(span.text) and not is_text(data):
        raise _refused("R811", make_message("damaged"), span)
    return Line(data, span)


def is_text(data: Any) -> bool:
    """Return whether all strings can be encoded. Those with half a surrogate pair cannot, though Python reads them."""
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _refuse_constant(word: str) -> None:
    """Refuse `NaN` and `Infinity`, which are not JSON, though Python reads them."""
    raise ValueError(word)


def _refused(code: str, message: LocalizedText, span: Span | None) -> Refused:
    return Refused([Diagnostic(code, message, span)])


class Tape:
    """A source of chance that returns recorded outcomes, and compares other lines with what happens.

    `ahead` are lines that were read but not compared; up to `draw_position` they were searched for chance.
    `draws` are the outcomes returned, for `RepeatedChance`."""

    def __init__(self, game: Game, found: Iterator[Line]) -> None:
        self.game, self._rest = game, found
        self.ahead: deque[Line] = deque()
        self.last: Span | None = None
        self.draw_position, self.compared, self.count = 0, 0, 0
        self.draws: list[Any] = []
        self._dice: list[str] = []
        self._thrown: Span | None = None

    def copy(self) -> Tape:
        return self

    def to_json(self) -> list[str]:
        return ["0" * 16, "1".zfill(16)]

    def line(self, number: int = 0) -> Line | None:
        """Return the `number`-th line that has not been compared; None at the end."""
        while len(self.ahead) <= number:
            found = next(self._rest, None)
            if found is None:
                return None
            self.ahead.append(found)
            self.last = found.span
            self.count += 1
        return self.ahead[number]

    def _drop_line(self) -> None:
        self.ahead.popleft()
        self.draw_position = max(0, self.draw_position - 1)

    # ---- chance ------------------------------------------------------------------------------------------------------

    def _next_draw(self, kind: str) -> Line:
        line = self.line(self.draw_position)
        while line is not None and not any(key in line.data for key in CHANCE) and self.draw_position < MOST_AHEAD:
            self.draw_position += 1
            line = self.line(self.draw_position)
        if line is None or self.draw_position >= MOST_AHEAD:
            raise _refused("R818", make_message("ends_early", kind=make_message(f"due.{kind}")), self.last)
        if kind not in line.data:
            raise _refused("R818", make_message("is_due", kind=make_message(f"due.{kind}")), line.span)
        self.draw_position += 1
        return line

    def shuffle(self, pile: int, items: list[int], least: int | None = None) -> list[int]:
        kind = "shuffle" if least is None else "cut"
        line, name = self._next_draw(kind), self.game.namer.key(pile)
        if line.data[kind] != name:
            raise _refused("R818", make_message("other_pile", name=name, other=line.data[kind]), line.span)
        left: dict[str, list[int]] = {}
        for item in items:
            left.setdefault(self.game.namer.signs[item >> 1], []).append(item)
        signs = _signs(line, "cards")
        found = [left[sign].pop(0) for sign in signs if left.get(sign)]
        if len(found) != len(items) or len(found) != len(signs):
            raise _refused("R819", make_message("other_pieces", count=len(items), name=name), line.span)
        self.draws.append(tuple(found))
        return found

    def roll(self, kinds: Sequence[int]) -> int:
        """Return one die. A line has all dice of a throw."""
        if not self._dice:
            line = self._next_draw("roll")
            self._dice, self._thrown = _signs(line, "roll"), line.span
        sign = self._dice.pop(0) if self._dice else ""
        found = next((kind for kind in kinds if self.game.namer.signs[kind] == sign), None)
        if found is None:
            raise _refused("R819", make_message("not_faces"), self._thrown)
        self.draws.append(found)
        return found

    def lots(self, items: Sequence[int], label: int) -> int:
        line = self._next_draw("lots")
        row = self.game.machine.labels[label].row
        assert row is not None
        value_type = row.type.with_optional(False)
        for item in items:
            if value_name(self.game.compiled, item, value_type) == str(line.data["lots"]):
                self.draws.append(item)
                return item
        raise _refused("R819", make_message("not_lots", name=line.data["lots"]), line.span)

    # ---- everything else ---------------------------------------------------------------------------------------------

    def compare(self, state: State) -> None:
        """Compare the events so far with as many lines. Raises Refused at the first that differs."""
        log: list[CoreEvent] = state.core.log or []
        found = [make_recorded_event(state.game.compiled, raw) for raw in log[self.compared :]]
        self.compared = len(log)
        for happened in found:
            line = self.line()
            if happened is None or line is None:
                continue
            if not _is_same(dict(happened.data), line.data):
                written, played = _abbreviate(line.data), _abbreviate(dict(happened.data))
                raise _refused("R820", make_message("otherwise", written=written, played=played), line.span)
            self._drop_line()


class RepeatedChance:
    """A source of chance that repeats `draws` from an index on."""

    def __init__(self, draws: Sequence[Any], at: int) -> None:
        self._draws, self._at = draws, at

    def copy(self) -> RepeatedChance:
        return RepeatedChance(self._draws, self._at)

    def to_json(self) -> list[str]:
        return ["0" * 16, "1".zfill(16)]

    def _next_draw(self) -> Any:
        self._at += 1
        return self._draws[self._at - 1]

    def shuffle(self, pile: int, items: list[int]) -> list[int]:
        return list(self._next_draw())

    def roll(self, kinds: Sequence[int]) -> int:
        found: int = self._next_draw()
        return found

    def lots(self, items: Sequence[int], label: int) -> int:
        found: int = self._next_draw()
        return found


def _signs(line: Line, key: str) -> list[str]:
    found = line.data.get(key)
    return [str(s) for s in found] if isinstance(found, list) else []


def _abbreviate(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)[:120]


def _is_same(happened: dict[str, Any], recorded: dict[str, Any]) -> bool:
    """Return whether every recorded value agrees. A record typed by hand may leave some out."""
    return all(
        (key in happened and happened[key] == value)
        or (key == "move" and str(value).casefold() in str(happened.get(key)).casefold())
        for key, value in recorded.items()
    )
