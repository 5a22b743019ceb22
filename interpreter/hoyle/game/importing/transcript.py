"""The text of a match in columns → what it says, turn by turn, each with its place. It knows nothing of the rules."""

from __future__ import annotations

import re

from msgspec import Struct

from hoyle.diagnostics import Diagnostic, Refused, Source, Span
from hoyle.game.importing.formats import Turns, Word, lines_of, not_in_format
from hoyle.language.sentences import said


class Scores(Struct, frozen=True):
    """What each seat has at the beginning of a game."""

    span: Span
    points: tuple[int, ...]


class Win(Struct, frozen=True):
    """The end of a game."""

    span: Span
    seat: int
    points: int


class Turn(Struct):
    """Turn of a seat: a word, or dice with the moves played."""

    span: Span
    seat: int
    word: Word | None = None
    number: int | None = None
    dice: tuple[str, ...] = ()
    plays: list[Span] = []


Item = Scores | Win | Turn


def read_transcript(form: Turns, source: Source, after: Span) -> list[Item]:
    """Parse the text after the first line. Raises Refused at the first part that the format does not have."""
    found: list[Item] = []
    second: int | None = None
    for start, span in lines_of(source):
        if span.start <= after.start or not span.text or form.skips(span.text):
            continue
        scores = re.fullmatch(form.scores, span.text)
        if scores is not None:
            second = span.start + scores.start(2) - start
            found.append(Scores(span, (int(scores[1]), int(scores[3]))))
        else:
            found += _Columns(form, span, start, second).read()
    if not any(isinstance(item, Turn) for item in found):
        raise Refused([Diagnostic("R823", said("no_turns"), after)])
    return found


class _Columns:
    """Reads a line of turns. `second`: where the second column begins, counted from where the line begins."""

    def __init__(self, form: Turns, line: Span, start: int, second: int | None) -> None:
        self.form, self.line, self.start, self.second = form, line, start, second
        self.found: list[Win | Turn] = []

    def read(self) -> list[Win | Turn]:
        number = re.match(self.form.number, self.line.text)
        at = number.end() if number is not None else 0
        while (word := re.compile(r"\S+").search(self.line.text, at)) is not None:
            at = self._item(word.start()) or self._play(word.start(), word.end())
        return self.found

    def _span(self, start: int, end: int) -> Span:
        return Span(self.line.source, self.line.start + start, self.line.start + end)

    def _match(self, pattern: str, at: int) -> re.Match[str] | None:
        return re.compile(rf"(?:{pattern})(?!\S)").match(self.line.text, at)

    def _item(self, at: int) -> int | None:
        """Read what may begin a column here; where it ends, or None."""
        if (dice := self._match(self.form.dice, at)) is not None:
            self.found.append(
                Turn(self._span(at, dice.end()), self._seat(at, dice.end()), dice=dice.groups(), plays=[])
            )
            return dice.end()
        if (wins := self._match(self.form.wins, at)) is not None:
            self.found.append(Win(self._span(at, wins.end()), self._seat(at, wins.end()), int(wins[1])))
            return wins.end()
        for pattern, word in self.form.words.items():
            if (said_so := self._match(pattern, at)) is not None:
                number = int(said_so[1]) if said_so.groups() else None
                seat = self._seat(at, said_so.end())
                self.found.append(Turn(self._span(at, said_so.end()), seat, word, number))
                return said_so.end()
        return None

    def _seat(self, start: int, end: int) -> int:
        """The seat in whose column this stands."""
        if self.second is None or any(item.seat == 1 for item in self.found):
            raise self._refused(start, end)
        return int(self.line.start + start - self.start >= self.second or self.found != [])

    def _play(self, start: int, end: int) -> int:
        """Read something that is played with the dice before it; where it ends."""
        last = self.found[-1] if self.found else None
        if not isinstance(last, Turn) or not last.dice:
            raise self._refused(start, end)
        if (nothing := self._match(self.form.nothing, start)) is not None:
            return nothing.end()
        last.plays.append(self._span(start, end))
        return end

    def _refused(self, start: int, end: int) -> Refused:
        return not_in_format(self.form, self._span(start, end))
