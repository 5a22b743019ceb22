"""The lines of a record as they are needed: a source of chance that gives what was recorded, compared with what happens."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from hoyle.diagnostics import Diagnostic, Refused, Said, Source, Span
from hoyle.game.events import make_recorded_event
from hoyle.game.game import Game, State
from hoyle.game.spelling import value_name
from hoyle.language.sentences import said
from hoyle.running.state import CHANCE
from hoyle.running.state import Event as CoreEvent

LONGEST_LINE = 1_000_000
MOST_AHEAD = 100_000
"""How many lines may stand between what has happened and the chance that comes next."""


_WRITTEN = re.compile(r"\S")
_ESCAPED = re.compile(r"\\u[dD][89a-fA-F]")


class Line(Struct, frozen=True):
    """A line of a record with its place."""

    data: dict[str, Any]
    span: Span


def read_lines(source: Source) -> Iterator[Line]:
    """The lines of a record, one after the other. Raises Refused at the first that is not a JSON object."""
    text, end = source.text, 0
    while (found := _WRITTEN.search(text, end)) is not None:
        start = text.rfind("\n", end, found.start()) + 1 or end
        end = text.find("\n", found.start())
        end = end if end >= 0 else len(text)
        yield _line(Span(source, start, end))


def _line(span: Span) -> Line:
    if span.end - span.start > LONGEST_LINE:
        raise _refused("R811", said("long_line", most=f"{LONGEST_LINE:,}"), span)
    try:
        data = json.loads(span.text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise _refused("R811", said("damaged"), span) from None
    if not isinstance(data, dict):
        raise _refused("R811", said("not_object"), span)
    if _ESCAPED.search(span.text) and not is_text(data):
        raise _refused("R811", said("damaged"), span)
    return Line(data, span)


def is_text(data: Any) -> bool:
    """Can all strings of this JSON be written? Those with half a surrogate pair cannot, though Python reads them."""
    try:
        json.dumps(data, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_constant(word: str) -> None:
    """`NaN` and `Infinity` are no JSON, though Python reads them."""
    raise ValueError(word)


def _refused(code: str, message: Said, span: Span | None) -> Refused:
    return Refused([Diagnostic(code, message, span)])


class Tape:
    """A source of chance that gives what was recorded, and compares everything else with what happens.

    `ahead` are the lines that were read and not compared yet; of these, `drawn` were looked at for chance. `draws` is what it gave, for `Repeated`."""

    def __init__(self, game: Game, found: Iterator[Line]) -> None:
        self.game, self._rest = game, found
        self.ahead: deque[Line] = deque()
        self.last: Span | None = None
        self.drawn, self.heard, self.count = 0, 0, 0
        self.draws: list[Any] = []
        self._dice: list[str] = []
        self._thrown: Span | None = None

    def copy(self) -> Tape:
        return self

    def to_json(self) -> list[str]:
        return ["0" * 16, "1".zfill(16)]

    def line(self, number: int = 0) -> Line | None:
        """The next line that has not been compared, or the one so many behind it; None at the end."""
        while len(self.ahead) <= number:
            found = next(self._rest, None)
            if found is None:
                return None
            self.ahead.append(found)
            self.last = found.span
            self.count += 1
        return self.ahead[number]

    def _take(self) -> None:
        self.ahead.popleft()
        self.drawn = max(0, self.drawn - 1)

    # ---- chance ------------------------------------------------------------------------------------------------------

    def _next(self, kind: str) -> Line:
        line = self.line(self.drawn)
        while line is not None and not any(key in line.data for key in CHANCE) and self.drawn < MOST_AHEAD:
            self.drawn += 1
            line = self.line(self.drawn)
        if line is None or self.drawn >= MOST_AHEAD:
            raise _refused("R818", said("ends_early", kind=said(f"due.{kind}")), self.last)
        if kind not in line.data:
            raise _refused("R818", said("is_due", kind=said(f"due.{kind}")), line.span)
        self.drawn += 1
        return line

    def shuffle(self, pile: int, items: list[int], least: int | None = None) -> list[int]:
        kind = "shuffle" if least is None else "cut"
        line, name = self._next(kind), self.game.namer.key(pile)
        if line.data[kind] != name:
            raise _refused("R818", said("other_pile", name=name, other=line.data[kind]), line.span)
        left: dict[str, list[int]] = {}
        for item in items:
            left.setdefault(self.game.namer.signs[item >> 1], []).append(item)
        signs = _signs(line, "cards")
        found = [left[sign].pop(0) for sign in signs if left.get(sign)]
        if len(found) != len(items) or len(found) != len(signs):
            raise _refused("R819", said("other_pieces", count=len(items), name=name), line.span)
        self.draws.append(tuple(found))
        return found

    def roll(self, kinds: Sequence[int]) -> int:
        """One die at a time; a line has all dice of one throw."""
        if not self._dice:
            line = self._next("roll")
            self._dice, self._thrown = _signs(line, "roll"), line.span
        sign = self._dice.pop(0) if self._dice else ""
        found = next((kind for kind in kinds if self.game.namer.signs[kind] == sign), None)
        if found is None:
            raise _refused("R819", said("not_faces"), self._thrown)
        self.draws.append(found)
        return found

    def lots(self, items: Sequence[int], label: int) -> int:
        line = self._next("lots")
        row = self.game.machine.labels[label].row
        assert row is not None
        kind = row.kind.maybe(False)
        for item in items:
            if value_name(self.game.compiled, item, kind) == str(line.data["lots"]):
                self.draws.append(item)
                return item
        raise _refused("R819", said("not_lots", name=line.data["lots"]), line.span)

    # ---- everything else ---------------------------------------------------------------------------------------------

    def agree(self, state: State) -> None:
        """Compare what has happened with the lines so far, as many as there are. Raises Refused at the first that differs."""
        log: list[CoreEvent] = state.core.log or []
        found = [make_recorded_event(state.game.compiled, raw) for raw in log[self.heard :]]
        self.heard = len(log)
        for happened in found:
            line = self.line()
            if happened is None or line is None:
                continue
            if not _agrees(dict(happened.data), line.data):
                written, played = _short(line.data), _short(dict(happened.data))
                raise _refused("R820", said("otherwise", written=written, played=played), line.span)
            self._take()


class Repeated:
    """A source of chance that gives `draws` again, from some place on."""

    def __init__(self, draws: Sequence[Any], at: int) -> None:
        self._draws, self._at = draws, at

    def copy(self) -> Repeated:
        return Repeated(self._draws, self._at)

    def to_json(self) -> list[str]:
        return ["0" * 16, "1".zfill(16)]

    def _next(self) -> Any:
        self._at += 1
        return self._draws[self._at - 1]

    def shuffle(self, pile: int, items: list[int]) -> list[int]:
        return list(self._next())

    def roll(self, kinds: Sequence[int]) -> int:
        found: int = self._next()
        return found

    def lots(self, items: Sequence[int], label: int) -> int:
        found: int = self._next()
        return found


def _signs(line: Line, key: str) -> list[str]:
    found = line.data.get(key)
    return [str(s) for s in found] if isinstance(found, list) else []


def _short(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False)[:120]


def _agrees(happened: dict[str, Any], recorded: dict[str, Any]) -> bool:
    """Every value recorded is what happened; a record typed by hand may leave some out."""
    return all(
        (key in happened and happened[key] == value)
        or (key == "move" and str(value).casefold() in str(happened.get(key)).casefold())
        for key, value in recorded.items()
    )
