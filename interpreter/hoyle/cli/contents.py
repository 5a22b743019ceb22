"""`hoyle eval --each`: a file that says line by line what lies in some piles."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from hoyle.cli.catalogue import system_words, t
from hoyle.cli.output import Trouble

if TYPE_CHECKING:
    from hoyle.game.evaluators import Evaluator

AT_ONCE = 1 << 16
"""Lines that are looked at together."""
Line = tuple[int, str]
Row = list[list[str]]
"""The signs of what lies in each pile."""


class Batch(Struct, frozen=True):
    """Some lines: the number of each, and what it says."""

    numbers: Sequence[int]
    rows: Sequence[Row]

    def values(self, evaluator: Evaluator) -> Sequence[int]:
        """Raises Refused, with the line."""
        from hoyle.diagnostics import Refused, verbatim

        try:
            return evaluator.many(*map(list, zip(*self.rows, strict=True)))
        except Refused as refused:
            if len(self.rows) == 1:
                note = verbatim(t("eval.in_line", line=self.numbers[0]))
                raise Refused(msgspec.structs.replace(d, notes=(*d.notes, note)) for d in refused.diagnostics) from None
            middle = len(self.rows) // 2
            halves = [Batch(self.numbers[part], self.rows[part]) for part in (slice(middle), slice(middle, None))]
            return [*chain.from_iterable(half.values(evaluator) for half in halves)]


class Contents(Struct, frozen=True):
    """The piles that the file names, and its lines: JSON objects that all have these piles, or signs, with `|` between piles."""

    piles: list[str]
    lines: Iterator[Line]
    in_json: bool

    def batches(self) -> Iterator[Batch]:
        while some := [*islice(self.lines, AT_ONCE)]:
            yield Batch([number for number, _ in some], [self._row(number, line) for number, line in some])

    def _row(self, number: int, line: str) -> Row:
        found = _object(number, line) if self.in_json else dict(zip(self.piles, _parts(line), strict=False))
        if found.keys() != {*self.piles} or (not self.in_json and line.count("|") != len(self.piles) - 1):
            raise Trouble(t("eval.other_piles", line=number, piles=" | ".join(self.piles)))
        signs = (found[pile] for pile in self.piles)
        return [one.split() if isinstance(one, str) else one for one in signs]


@contextmanager
def opened(name: str) -> Iterator[Contents]:
    """Its first line that is not empty says what the piles are. Raises Trouble, also while it is read."""
    try:
        with nullcontext(sys.stdin) if name == "-" else open(name, encoding="utf-8-sig") as file:
            yield _begun(file)
    except UnicodeDecodeError:
        raise Trouble(t("file.not_text", name=name)) from None
    except (OSError, ValueError) as error:
        raise Trouble(t("file.not_read", name=name, why=system_words(error))) from None


def _begun(file: Iterable[str]) -> Contents:
    lines = ((number, line.strip()) for number, line in enumerate(file, 1) if line.strip())
    first = next(lines, None)
    if first is None:
        raise Trouble(t("eval.no_lines"))
    if first[1].startswith("{"):
        return Contents([*_object(*first)], chain([first], lines), True)
    return Contents(_parts(first[1]), lines, False)


def _parts(line: str) -> list[str]:
    return [" ".join(part.split()) for part in line.split("|")]


def _object(number: int, line: str) -> dict[str, Any]:
    try:
        return msgspec.json.decode(line, type=dict[str, str | list[str]])
    except (ValueError, RecursionError) as error:
        raise Trouble(t("eval.no_object", line=number, why=error)) from None
