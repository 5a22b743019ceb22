"""What a game that is watched has come to: which steps and formulas of the ruleset, and what conditions were worth there."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct

from hoyle.diagnostics import Span

Seen = TypeVar("Seen")
Stretch = tuple[str, int, int]
"""A part of a ruleset: its file, and where it begins and ends there."""


class Counts(Struct):
    """How often something was come to: a condition that did not hold (`no`), one that held (`yes`), anything else (`other`); `known`: what a
    condition is wherever the options decide it."""

    no: int = 0
    yes: int = 0
    other: int = 0
    known: set[bool] = set()

    @property
    def all(self) -> int:
        """How often in all."""
        return self.no + self.yes + self.other

    def add(self, more: Counts, sign: int = 1) -> None:
        """Also those; with the sign -1, without them."""
        self.no += sign * more.no
        self.yes += sign * more.yes
        self.other += sign * more.other
        self.known |= more.known


class Watch:
    """Counts what a machine comes to. Parts are numbered while it is written."""

    def __init__(self) -> None:
        self.counts: list[Counts] = []
        self.numbers: dict[Stretch, int] = {}

    def number(self, span: Span) -> int:
        """That of a part of the ruleset."""
        place = (span.source.name, span.start, span.end)
        if place not in self.numbers:
            self.numbers[place] = len(self.counts)
            self.counts.append(Counts())
        return self.numbers[place]

    def settle(self, span: Span, value: bool) -> None:
        """The options decide what this is, in one of the places where it is asked."""
        self.counts[self.number(span)].known.add(value)

    def held(self, number: int, value: Seen) -> Seen:
        """Called by what is generated where a condition is asked: its value goes on as it is."""
        counts = self.counts[number]
        if value:
            counts.yes += 1
        else:
            counts.no += 1
        return value

    def came(self, number: int, value: Seen) -> Seen:
        """The same of a step, and of a formula that is no condition."""
        self.counts[number].other += 1
        return value

    def found(self) -> dict[Stretch, Counts]:
        """What has been counted so far, as it is now."""
        return {place: _copy(self.counts[number]) for place, number in self.numbers.items()}


def _copy(counts: Counts) -> Counts:
    return Counts(counts.no, counts.yes, counts.other, set(counts.known))
