"""What an analysis found, in words: an account of each seat, and moves that were not the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from interpreter.cli.catalogue import lang, t
from interpreter.cli.drawing.ink import Look, suited
from interpreter.cli.drawing.lines import place_words
from interpreter.cli.drawing.outcomes import outcome_words
from interpreter.cli.drawing.table import table

if TYPE_CHECKING:
    from interpreter.game.game import State
    from interpreter.players.analysis import Judged, Total

Account = tuple[str, ...]
"""A seat, and its figures as they are shown."""
PAGE = 100
"""Columns of a table that is drawn on a page."""
INDENT, HIGH = 4, 20
"""Columns that a table is set in by among lines; if it is higher than so many, piles lie in strips."""


class Said(Struct, frozen=True):
    """A judged move: after how many, whose, where; what was made and what it comes to; the same of the best; what it cost, whether surely; and the table as the seat saw it, for a page and `small` for a terminal."""

    number: int
    seat: str
    place: str
    made: str
    made_outcome: str
    best: str
    best_outcome: str
    cost: str
    loss: str
    is_sure: bool
    table: list[str]
    small: list[str]


def heads() -> Account:
    return ("", *(t(f"analyse.{name}") for name in ("decisions", "mean", "errors", "points", "luck", "deal")))


def accounts(totals: Mapping[str, Total], look: Look) -> list[Account]:
    return [_account(look.seat(seat), total) for seat, total in totals.items()]


def _account(seat: str, total: Total) -> Account:
    luck = _with_error(total.luck, total.luck_error)
    points = f"{round(total.points, 1) + 0.0:.1f}"
    mean = f"{round(100 * total.mean, 1) + 0.0:.1f}"
    deal = _with_error(total.deal, total.deal_error)
    return seat, str(total.decisions), mean, str(total.errors), points, luck, deal


def _with_error(points: float | None, error: float) -> str:
    return f"{round(points, 1) + 0.0:+.1f} (±{max(0.1, error):.1f})" if points is not None else "—"


def rows(found: Sequence[Account]) -> list[str]:
    """The accounts below their heads, each column as wide as it must be."""
    cells = [heads(), *found]
    wide = [max(len(row[n]) for row in cells) for n in range(len(cells[0]))]
    return ["  " + "  ".join(_cell(text, wide[n], n) for n, text in enumerate(row)).rstrip() for row in cells]


def _cell(text: str, wide: int, column: int) -> str:
    return text.ljust(wide) if column == 0 else text.rjust(wide)


def said(one: Judged, state: State, look: Look) -> Said:
    """Without colours."""
    plain, seat, moves = replace(look, colour=False, width=PAGE, height=None), state.to_act, state.moves()
    ended = one.own.ended and one.best.ended
    alike = f"{one.own.outcome.share:.2f}" == f"{one.best.outcome.share:.2f}"
    words = [outcome_words(w.outcome, ended, alike, len(state.game.sides)) for w in (one.own, one.best)]
    texts = [suited(moves[number].text(lang()), plain) for number in (one.own.number, one.best.number)]
    loss, error = f"{100 * one.loss:.1f}", f"{max(0.1, 100 * one.error):.1f}"
    return Said(
        one.number + 1,
        plain.seat(seat),
        place_words(state.place, plain),
        texts[0],
        words[0],
        texts[1],
        words[1],
        t("analyse.cost_exact" if one.is_exact else "analyse.cost", loss=loss, error=error),
        loss,
        one.is_sure,
        table(state.view(seat), state.game.seats, plain, state.game.title(lang())),
        table(state.view(seat), state.game.seats, replace(plain, width=look.width - INDENT, height=HIGH)),
    )


def head_of(one: Said) -> str:
    return t("analyse.bad", seat=one.seat, number=one.number, place=one.place)


def bad_lines(found: Sequence[Said]) -> list[str]:
    """The moves that cost most, and what was better."""
    if not found:
        return [t("analyse.none")]
    lines = [t("analyse.worst")]
    for one in found:
        lines += [
            "",
            f"  {head_of(one)}: {one.cost}",
            f"    {t('analyse.made', move=one.made, outcome=one.made_outcome)}",
        ]
        lines.append(f"    {t('analyse.better', move=one.best, outcome=one.best_outcome)}")
        lines += ["", *(f"{' ' * INDENT}{line}".rstrip() for line in one.small)]
    return lines
