"""Formats of files of other programs, and their parsers: transcripts of matches, and boards.

Formats are data in `grammar/formats`. Nothing here knows the rules of a game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from hoyle.diagnostics import Diagnostic, Refused, Source, Span
from hoyle.game.game import Game, State
from hoyle.game.spelling import fold_sign, sign_codes
from hoyle.language.sentences import make_message
from hoyle.reading.sources import read
from hoyle.reading.tree import Node
from hoyle.reading.yaml_tree import load as load_yaml
from hoyle.resources import folder


class Scores(Struct, frozen=True):
    """Points of each seat at the beginning of a game."""

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
        raise Refused([Diagnostic("R823", make_message("no_turns"), after)])
    return found


class _Columns:
    """Reads a line of turns. `second`: column where the second seat's entries begin."""

    def __init__(self, form: Turns, line: Span, start: int, second: int | None) -> None:
        self.form, self.line, self.start, self.second = form, line, start, second
        self.found: list[Win | Turn] = []

    def read(self) -> list[Win | Turn]:
        number = re.match(self.form.number, self.line.text)
        at = number.end() if number is not None else 0
        while (word := re.compile(r"\S+").search(self.line.text, at)) is not None:
            at = self._read_entry(word.start()) or self._read_play(word.start(), word.end())
        return self.found

    def _span(self, start: int, end: int) -> Span:
        return Span(self.line.source, self.line.start + start, self.line.start + end)

    def _match(self, pattern: str, at: int) -> re.Match[str] | None:
        return re.compile(rf"(?:{pattern})(?!\S)").match(self.line.text, at)

    def _read_entry(self, at: int) -> int | None:
        """Read an entry that may begin a column. Returns where it ends, or None."""
        if (dice := self._match(self.form.dice, at)) is not None:
            self.found.append(
                Turn(self._span(at, dice.end()), self._seat_of_column(at, dice.end()), dice=dice.groups(), plays=[])
            )
            return dice.end()
        if (wins := self._match(self.form.wins, at)) is not None:
            self.found.append(Win(self._span(at, wins.end()), self._seat_of_column(at, wins.end()), int(wins[1])))
            return wins.end()
        for pattern, word in self.form.words.items():
            if (said_so := self._match(pattern, at)) is not None:
                number = int(said_so[1]) if said_so.groups() else None
                seat = self._seat_of_column(at, said_so.end())
                self.found.append(Turn(self._span(at, said_so.end()), seat, word, number))
                return said_so.end()
        return None

    def _seat_of_column(self, start: int, end: int) -> int:
        """Return the seat of a column."""
        if self.second is None or any(item.seat == 1 for item in self.found):
            raise self._refused(start, end)
        return int(self.line.start + start - self.start >= self.second or self.found != [])

    def _read_play(self, start: int, end: int) -> int:
        """Read a play that follows dice. Returns where it ends."""
        last = self.found[-1] if self.found else None
        if not isinstance(last, Turn) or not last.dice:
            raise self._refused(start, end)
        if (nothing := self._match(self.form.nothing, start)) is not None:
            return nothing.end()
        last.plays.append(self._span(start, end))
        return end

    def _refused(self, start: int, end: int) -> Refused:
        return not_in_format(self.form, self._span(start, end))


MOST_LINES = 1000
"""Most lines of a board. A longer text is something else."""


def read_board(form: Board, source: Source, game: Game) -> State:
    """The position of a board. Raises Refused with everything wrong in it."""
    piles: dict[str, tuple[Node, Node]] = {}
    blank: list[Span] = []
    for count, (_, span) in enumerate(lines_of(source)):
        if count >= MOST_LINES:
            raise not_in_format(form, span)
        if not span.text:
            blank.append(span)
            continue
        row, held = _parse_line(form, span)
        _, lying = piles.setdefault(
            row.piles, (_make_scalar(span, row.piles), Node("map" if row.built_to else "list", held))
        )
        if row.built_to:
            for word in _words(held):
                _lay_built_pile(form, game, row, word, lying)
        elif row.alone:
            lying.items += [_make_scalar(word) for word in _words(held)]
        else:  # a blank line between piles is an empty one
            lying.items += [_make_scalar(empty) for empty in blank if lying.items]
            lying.items.append(_make_scalar(held))
        blank.clear()
    whole = Span(source, 0, len(source.text))
    said_so = {name: (_make_scalar(whole, name), _make_scalar(whole, value)) for name, value in form.position.items()}
    keys = {"piles": (_make_scalar(whole, "piles"), Node("map", whole, pairs=piles))}
    state = game.position(Node("map", whole, pairs=said_so | keys))
    _check_whole(state, whole)
    return state


def _parse_line(form: Board, span: Span) -> tuple[Row, Span]:
    """Match a line of a board. Raises Refused if the format has no such line."""
    for pattern, row in form.lines.items():
        if (found := re.fullmatch(pattern, span.text)) is not None:
            return row, Span(span.source, span.start + found.start(1), span.start + found.end(1))
    raise not_in_format(form, span)


def _words(span: Span) -> Iterator[Span]:
    for word in re.finditer(r"\S+", span.text):
        yield Span(span.source, span.start + word.start(), span.start + word.end())


def _make_scalar(span: Span, text: str | None = None) -> Node:
    raw = span.text if text is None else text
    return Node("scalar", span, value=raw or None, raw=raw)


def _lay_built_pile(form: Board, game: Game, row: Row, word: Span, lying: Node) -> None:
    """Lay the pieces of a pile's member up to the one named. Raises Refused if the word names none."""
    found = re.fullmatch(row.built_to, word.text)
    if found is None:
        if re.fullmatch(row.nothing, word.text):
            return
        raise not_in_format(form, word)
    family = game.ruleset.piles[row.piles]
    code = sign_codes(game.compiled, family.holds)[fold_sign(found[2] + found[1])] >> 1
    kind = game.namer.piece_kinds[code]
    own, by = sorted(kind.attributes, key=lambda name: kind.attributes[name] != family.each)
    top = kind.classes[code - kind.base]
    below = [n for n, each in enumerate(kind.classes) if each[own] == top[own] and each[by] <= top[by]]
    signs = [game.namer.signs[kind.base + n] for n in sorted(below, key=lambda n: kind.classes[n][by])]
    assert family.each is not None
    member = game.namer.key_name(family.each, top[own])
    if member in lying.pairs:
        raise Refused([Diagnostic("R823", make_message("pile_twice", name=word.text), word)])
    lying.pairs[member] = (_make_scalar(word, member), _make_scalar(word, " ".join(signs)))


def _check_whole(state: State, whole: Span) -> None:
    """Raises Refused if the board lacks pieces."""
    copies, namer = list(state.game.machine.copies), state.game.namer
    for pile in state.core.piles:
        for piece in pile:
            copies[piece >> 1] -= 1
    missing = [namer.signs[cls] for cls, left in enumerate(copies) if left > 0]
    if missing:
        shown = ", ".join(missing[:12]) + (" …" if len(missing) > 12 else "")
        end = Span(whole.source, len(whole.source.text.rstrip()), len(whole.source.text.rstrip()))
        raise Refused([Diagnostic("R824", make_message("pieces_missing", count=len(missing), signs=shown), end)])


LONGEST_LINE = 1000
"""Characters."""


class Word(Struct, frozen=True, forbid_unknown_fields=True):
    """A move that a word stands for. `value`: the formula whose value its number is."""

    move: str
    value: str = ""


class Turns(Struct, frozen=True, forbid_unknown_fields=True, tag_field="reads", tag="turns"):
    """Turns of a game, numbered, in a column for each seat."""

    game: str
    like: list[str]
    options: dict[str, Any]
    begins: dict[str, dict[str, Any]]
    skip: str
    scores: str
    score: str
    number: str
    dice: str
    throw: str
    nothing: str
    marks: str
    places: dict[str, str]
    words: dict[str, Word]
    wins: str
    gives_up: list[str]

    def options_of_first_line(self, line: str) -> dict[str, Any] | None:
        """Return the options that a first line stands for; None if it is not a first line."""
        for pattern, options in self.begins.items():
            if (found := re.fullmatch(pattern, line)) is not None:
                return {**self.options, **options, **{name: int(value) for name, value in found.groupdict().items()}}
        return None

    def skips(self, line: str) -> bool:
        return re.fullmatch(self.skip, line) is not None


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """Content of a line: a pile, piles of one piece (`alone`), or piles built up to the named piece (`built_to`)."""

    piles: str
    alone: bool = False
    built_to: str = ""
    nothing: str = ""


class Board(Struct, frozen=True, forbid_unknown_fields=True, tag_field="reads", tag="piles"):
    """Piles of a position, line by line."""

    game: str
    like: list[str]
    position: dict[str, str]
    begins: str
    lines: dict[str, Row]

    def options_of_first_line(self, line: str) -> dict[str, Any] | None:
        """Return no options if this may be a first line; else None."""
        return {} if re.fullmatch(self.begins, line) else None

    def skips(self, line: str) -> bool:
        return False


Format = Turns | Board
"""`like`: examples of its lines, the first line first."""


@cache
def formats() -> tuple[Format, ...]:
    found = sorted((folder("grammar") / "formats").glob("*.yaml"))
    return tuple(msgspec.convert(load_yaml(read(path)).plain(), Format) for path in found)


def lines_of(source: Source) -> Iterator[tuple[int, Span]]:
    """Yield each line without the blanks around it, and where it begins with them. Raises Refused for one that is
    too long."""
    start = 0
    for line in source.text.split("\n"):
        bare = line.strip()
        at = start + line.find(bare) if bare else start
        if len(line) > LONGEST_LINE:
            message = make_message("long_line", most=f"{LONGEST_LINE:,}")
            raise Refused([Diagnostic("R823", message, Span(source, start, start + len(line)))])
        yield start, Span(source, at, at + len(bare))
        start += len(line) + 1


def recognise(source: Source) -> tuple[Format, dict[str, Any], Span]:
    """Return the format of a text, the options that its first line stands for, and that line. Raises Refused."""
    for _, span in lines_of(source):
        line = span.text
        for form in formats():
            options = form.options_of_first_line(line)
            if options is not None:
                return form, options, span
        if line and not any(form.skips(line) for form in formats()):
            raise _refuse_format(span)
    raise _refuse_format(Span(source, 0, 0))


def _refuse_format(span: Span) -> Refused:
    first = ", ".join(f"`{form.like[0]}`" for form in formats())
    return Refused(
        [Diagnostic("R822", make_message("no_format"), span, help=make_message("formats_like", known=first))]
    )


def not_in_format(form: Format, span: Span) -> Refused:
    """Return the diagnostic for text that a format does not have."""
    known = ", ".join(f"`{text}`" for text in form.like)
    return Refused(
        [Diagnostic("R823", make_message("not_in_format"), span, help=make_message("parts_like", known=known))]
    )
