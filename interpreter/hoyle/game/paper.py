"""What a score sheet is, as data: rows and columns with their words, what is written in them, and totals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from hoyle.game.compiled import Compiled
from hoyle.game.spelling import value_name
from hoyle.language.kinds import Kind, Number
from hoyle.language.model import Texts, texts_of
from hoyle.language.sentences import Sentence, integer

_TOTAL = Sentence("sheet.total")


class SheetCell(Struct, frozen=True):
    """What is written on a sheet: the plain value (None: a box that is still empty), and its words by language."""

    value: Any
    texts: Texts


class SheetKey(Struct, frozen=True):
    """What heads a row or a column, as ids write it, and its words by language."""

    key: str
    texts: Texts


class SheetRow(Struct, frozen=True):
    """A row: what is written under each column (None: nothing), and what that is made of, as rows of their own."""

    head: SheetKey
    cells: tuple[SheetCell | None, ...]
    parts: tuple[SheetRow, ...] = ()


class SheetView(Struct, frozen=True):
    """A score sheet as a seat may know it. `name`: the state that it is of; `sort`: `state`, `square` (a player for each row and each column),
    or `deals` (a row for each deal); `totals`: what the columns come to, where they are added up; `legend`: what its numbers mean, by language."""

    name: str
    sort: str
    texts: Texts
    columns: tuple[SheetKey, ...]
    rows: tuple[SheetRow, ...]
    totals: SheetRow | None = None
    legend: Texts = ()


EMPTY = SheetCell(None, ())
"""A box that is there to be written in."""


def words(game: Compiled, text: Callable[[str], str]) -> Texts:
    return texts_of(text, game.ruleset.languages)


def head(game: Compiled, kind: Kind, n: int) -> SheetKey:
    """The n-th value of a kind."""
    namer = game.namer
    if kind.name == "pair":
        members = game.machine.constants["MEMBERS"][n]
        return SheetKey(
            namer.key_name(kind, n), words(game, lambda lang: "-".join(namer.seat(p, lang) for p in members))
        )
    held = n + (kind.low if isinstance(kind, Number) else 0)
    return SheetKey(value_name(game, held, kind), words(game, lambda lang: namer.value(held, kind, lang)))


def number(game: Compiled, value: int) -> SheetCell:
    return SheetCell(value, words(game, lambda lang: integer(value, lang)))


def totals(game: Compiled, sums: Sequence[int | None]) -> SheetRow:
    """The last row: what each column comes to."""
    key = SheetKey("", words(game, lambda lang: _TOTAL[lang]))
    return SheetRow(key, tuple(number(game, found) if found is not None else None for found in sums))


def is_blank(row: SheetRow) -> bool:
    return all(cell is None for cell in row.cells)
