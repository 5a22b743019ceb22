"""What a score sheet is, as data: rows and columns with their words, what is written in them, and totals."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hoyle.game.compiled import Compiled
from hoyle.game.spelling import value_name
from hoyle.language.kinds import Kind, Number
from hoyle.language.model import Texts, texts_of
from hoyle.language.sentences import Sentence, integer
from hoyle.views import SheetCell, SheetKey, SheetRow

_TOTAL = Sentence("sheet.total")


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
