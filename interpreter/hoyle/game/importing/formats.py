"""Formats of other programs as data: where they stand, and which one a text is written in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from hoyle.diagnostics import Diagnostic, Refused, Source, Span
from hoyle.language.sentences import said
from hoyle.reading.sources import read
from hoyle.reading.yaml_tree import load
from hoyle.resources import folder

LONGEST_LINE = 1000
"""In characters."""


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

    def begun_by(self, line: str) -> dict[str, Any] | None:
        """The options that a first line stands for; None if it is no such line."""
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

    def begun_by(self, line: str) -> dict[str, Any] | None:
        """No options, if this may be a first line; else None."""
        return {} if re.fullmatch(self.begins, line) else None

    def skips(self, line: str) -> bool:
        return False


Format = Turns | Board
"""`like`: how its lines or parts are written, the first one first."""


@cache
def formats() -> tuple[Format, ...]:
    """Every format there is."""
    found = sorted((folder("grammar") / "formats").glob("*.yaml"))
    return tuple(msgspec.convert(load(read(path)).plain(), Format) for path in found)


def lines_of(source: Source) -> Iterator[tuple[int, Span]]:
    """Each line without the blanks around it, and where it begins with them. Raises Refused for one that is too long."""
    start = 0
    for line in source.text.split("\n"):
        bare = line.strip()
        at = start + line.find(bare) if bare else start
        if len(line) > LONGEST_LINE:
            message = said("long_line", most=f"{LONGEST_LINE:,}")
            raise Refused([Diagnostic("R823", message, Span(source, start, start + len(line)))])
        yield start, Span(source, at, at + len(bare))
        start += len(line) + 1


def recognise(source: Source) -> tuple[Format, dict[str, Any], Span]:
    """The format of a text, the options that its first line stands for, and that line. Raises Refused if no format begins so."""
    for _, span in lines_of(source):
        line = span.text
        for form in formats():
            options = form.begun_by(line)
            if options is not None:
                return form, options, span
        if line and not any(form.skips(line) for form in formats()):
            raise _unknown(span)
    raise _unknown(Span(source, 0, 0))


def _unknown(span: Span) -> Refused:
    first = ", ".join(f"`{form.like[0]}`" for form in formats())
    return Refused([Diagnostic("R822", said("no_format"), span, help=said("formats_like", known=first))])


def not_in_format(form: Format, span: Span) -> Refused:
    """Return the diagnostic for text that a format does not have."""
    known = ", ".join(f"`{text}`" for text in form.like)
    return Refused([Diagnostic("R823", said("not_in_format"), span, help=said("parts_like", known=known))])
