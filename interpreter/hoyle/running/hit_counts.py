"""Counts of how often each step and formula of a ruleset was reached, and the values of conditions there."""

from __future__ import annotations

from typing import TypeVar

from msgspec import Struct

from hoyle.diagnostics import Span

Seen = TypeVar("Seen")
Stretch = tuple[str, int, int]
"""A part of a ruleset: file, begin, end."""


class Counts(Struct):
    """How often a part was reached: as a false condition (`no`), a true one (`yes`), or anything else (`other`).

    `known`: the values of a condition wherever options decide it.
    """

    no: int = 0
    yes: int = 0
    other: int = 0
    known: set[bool] = set()

    @property
    def all(self) -> int:
        """The sum of all counts."""
        return self.no + self.yes + self.other

    def add(self, more: Counts, sign: int = 1) -> None:
        """Add other counts; with sign -1 subtract them."""
        self.no += sign * more.no
        self.yes += sign * more.yes
        self.other += sign * more.other
        self.known |= more.known


class Watch:
    """Counts the parts that a machine reaches. Parts are numbered while code is generated."""

    def __init__(self) -> None:
        self.counts: list[Counts] = []
        self.numbers: dict[Stretch, int] = {}

    def number(self, span: Span) -> int:
        """The number of a part."""
        place = (span.source.name, span.start, span.end)
        if place not in self.numbers:
            self.numbers[place] = len(self.counts)
            self.counts.append(Counts())
        return self.numbers[place]

    def settle(self, span: Span, value: bool) -> None:
        """Record that options decide the condition to this value in at least one instance."""
        self.counts[self.number(span)].known.add(value)

    def held(self, number: int, value: Seen) -> Seen:
        """Called by generated code: count a condition and return its value."""
        counts = self.counts[number]
        if value:
            counts.yes += 1
        else:
            counts.no += 1
        return value

    def came(self, number: int, value: Seen) -> Seen:
        """Called by generated code: count a step or another formula and return its value."""
        self.counts[number].other += 1
        return value

    def found(self) -> dict[Stretch, Counts]:
        """The counts so far."""
        return {place: _copy(self.counts[number]) for place, number in self.numbers.items()}


def _copy(counts: Counts) -> Counts:
    return Counts(counts.no, counts.yes, counts.other, set(counts.known))
