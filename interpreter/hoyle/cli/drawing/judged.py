"""What an analysis found, in words: an account of each seat, and moves that were not the best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from hoyle.cli.catalogue import lang, t
from hoyle.cli.drawing.figures import figure, within
from hoyle.cli.drawing.ink import Look, suited
from hoyle.cli.drawing.lines import asked_of, filled
from hoyle.cli.drawing.outcomes import line_words, outcome_words
from hoyle.cli.drawing.table import table

if TYPE_CHECKING:
    from hoyle.game.game import State
    from hoyle.players.judgement import Judged
    from hoyle.players.move_evaluation import Weight
    from hoyle.players.record_analysis import Total

Account = tuple[str, ...]
"""A seat, and its figures as they are shown."""
PAGE = 720
"""How wide a picture of a table is on a page."""
INDENT, HIGH = 4, 20
"""Columns that a table is set in by among lines; if it is higher than so many, piles lie in strips."""


class Said(Struct, frozen=True):
    """A judged move: which it is, counted from 1, and whose; what was made, and what was better, if anything was; where that was and what it cost, as a title, and as a number; whether surely;
    all that is told of it, sentence by sentence; and the table as the seat saw it, as a `picture` for a page and `small` for a terminal."""

    number: int
    seat: str
    made: str
    best: str
    title: str
    loss: str
    is_sure: bool
    told: list[str]
    picture: str
    small: list[str]


class Part(Struct, frozen=True):
    """Moves below a head, and what is told of all of them, or where there is none."""

    head: str
    found: list[Said]
    note: str = ""


def heads() -> Account:
    return ("", *(t(f"analyse.{name}") for name in ("decisions", "mean", "errors", "points", "luck", "deal")))


def accounts(totals: Mapping[str, Total], look: Look) -> list[Account]:
    return [_account(look.seat(seat), total) for seat, total in totals.items()]


def _account(seat: str, total: Total) -> Account:
    luck = _with_error(total.luck, total.luck_error)
    points, mean = figure(total.points, 1), figure(100 * total.mean, 1)
    deal = _with_error(total.deal, total.deal_error)
    return seat, str(total.decisions), mean, str(total.errors), points, luck, deal


def _with_error(points: float | None, error: float) -> str:
    return f"{figure(points, 1, signed=True)} (±{within(error)})" if points is not None else "—"


def rows(found: Sequence[Account]) -> list[str]:
    """The accounts below their heads, each column as wide as it must be."""
    cells = [heads(), *found]
    wide = [max(len(row[n]) for row in cells) for n in range(len(cells[0]))]
    return ["  " + "  ".join(_cell(text, wide[n], n) for n, text in enumerate(row)).rstrip() for row in cells]


def _cell(text: str, wide: int, column: int) -> str:
    return text.ljust(wide) if column == 0 else text.rjust(wide)


def said(one: Judged, state: State, look: Look) -> Said:
    """Without colours."""
    plain, seat = replace(look, colour=False), state.to_act
    return Said(
        one.number + 1,
        plain.seat(seat),
        _move(one.own, state, plain),
        _move(one.best if one.loss > 0 else one.own, state, plain),
        _title(one, state, plain),
        _lost(one),
        one.is_sure,
        _told(one, state, plain),
        state.picture(seat, lang(), width=PAGE),
        table(state.view(seat), state.game.seats, replace(plain, width=look.width - INDENT, height=HIGH)),
    )


def _move(weight: Weight, state: State, look: Look) -> str:
    return suited(state.moves()[weight.number].text(lang()), look)


def _lost(one: Judged) -> str:
    """What a move cost, and how sure that is; nothing where no other is claimed to be better."""
    if one.loss <= 0:
        return ""
    return figure(100 * one.loss, 1) + ("" if one.is_exact else f" (±{within(100 * one.error)})")


def _title(one: Judged, state: State, look: Look) -> str:
    key = "analyse.cost_exact" if one.is_exact else "analyse.left_way" if one.has_left else "analyse.cost"
    cost = t(key, loss=figure(100 * one.loss, 1), error=within(100 * one.error))
    if not one.is_notable and not one.has_left:
        cost = t("analyse.cost_points", points=figure(one.points, 1))
    place = asked_of(state, look)
    key = "analyse.bad" if place else "analyse.bad_move"
    return t(key, seat=look.seat(state.to_act), number=one.number + 1, place=place, cost=cost)


def _told(one: Judged, state: State, look: Look) -> list[str]:
    """What was made, what was better and how that goes on, and what else was better."""
    made, best = ((_move(weight, state, look), _outcome(weight, one, state)) for weight in (one.own, one.best))
    told = [t("analyse.made", move=made[0], outcome=made[1])]
    if one.has_left:
        return [*told, *_way(one, state, look)]
    told.append(t("analyse.better", move=best[0], outcome=best[1]))
    line = line_words(state, one.line[1:], look)
    if line:
        told.append(t("outcome.at_best" if one.is_exact else "outcome.mostly", move=best[0], line=line))
    others = _others(one, state, look, {made[0], best[0]})
    return [*told, *(t("analyse.other", move=text, outcome=_outcome(weight, one, state)) for text, weight in others)]


def _way(one: Judged, state: State, look: Look) -> Iterator[str]:
    """The way to win that was known."""
    if one.way is not None:
        move = suited(state.moves()[one.way.number].text(lang()), look)
        yield t("analyse.way", move=move)
        if line := line_words(state, one.way.line[1:], look):
            yield t("outcome.surely", move=move, line=line)


def _others(one: Judged, state: State, look: Look, told: set[str]) -> Iterator[tuple[str, Weight]]:
    """The best of what else was better; moves that read the same are told once."""
    for weight in one.others:
        text = _move(weight, state, look)
        if text not in told:
            told.add(text)
            yield text, weight


def _outcome(weight: Weight, one: Judged, state: State) -> str:
    """What a move comes to, in the same terms as the one that was made and the best."""
    ended = one.own.ended and one.best.ended
    alike = f"{one.own.outcome.share:.2f}" == f"{one.best.outcome.share:.2f}"
    return outcome_words(weight.outcome, ended, alike, len(state.game.sides))


def bad_lines(parts: Sequence[Part], look: Look) -> list[str]:
    """Moves that were not good, and what was better."""
    return [line for part in parts for line in ["", *_part(part, look)]][1:]


def _part(part: Part, look: Look) -> list[str]:
    lines = [part.head] if part.found else []
    lines += filled(part.note, look)
    for one in part.found:
        told = [line for text in one.told for line in filled(text, replace(look, width=look.width - INDENT))]
        title = filled(one.title, replace(look, width=look.width - 2))
        lines += ["", *_set_in(title, 2), *_set_in(told), "", *_set_in(one.small)]
    return lines


def _set_in(lines: Sequence[str], by: int = INDENT) -> list[str]:
    return [f"{' ' * by}{line}".rstrip() for line in lines]
