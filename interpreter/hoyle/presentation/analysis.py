"""What an analysis found, in words: an account of each seat, and moves that were not the best."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from hoyle.presentation.catalogue import figure, lang, t, within
from hoyle.presentation.hints import line_words, outcome_words
from hoyle.presentation.look import Look, look_of, suited
from hoyle.presentation.play_text import asked_of, filled, result_lines
from hoyle.presentation.table.table import table

if TYPE_CHECKING:
    from hoyle.game.game import Game, State
    from hoyle.players.judgement import Judged
    from hoyle.players.move_evaluation import Weight
    from hoyle.players.record_analysis import Course, Prospects, Total
    from hoyle.series.analysis import Order


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


_STYLE = """\
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1rem 0 }
th, td { padding: .25rem .75rem; border-bottom: 1px solid #8886; text-align: left }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums }
tr.bad td { background: #c002 }
figure { margin: 1rem 0 }
svg { max-width: 100%; height: auto }
"""


def analysis_page(
    title: str, notes: Sequence[str], accounts: Sequence[Account], bad: Sequence[Part], all_: Sequence[Said]
) -> str:
    parts = [
        f"<h1>{escape(title)}</h1>",
        _table_html(heads(), accounts, range(1, 7)),
        *(f"<p>{escape(note)}</p>" for note in notes),
        *(line for part in bad for line in _part_html(part)),
        f"<h2>{escape(t('analyse.all'))}</h2>",
        _all_html(all_),
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = "\n".join(parts)
    return f'<!doctype html>\n<html lang="{lang()}">\n<head>{head}\n<style>\n{_STYLE}</style></head>\n<body>\n{body}\n</body>\n</html>\n'


def _part_html(part: Part) -> Iterator[str]:
    yield f"<h2>{escape(part.head)}</h2>"
    if part.note:
        yield f"<p>{escape(part.note)}</p>"
    yield from map(_move_html, part.found)


def _move_html(one: Said) -> str:
    """The position as the seat saw it, what was made and what was better."""
    told = "<br>".join(map(escape, one.told))
    return f"<h3>{escape(one.title)}</h3>\n<p>{told}</p>\n<figure>{one.picture}</figure>"


def _all_html(found: Sequence[Said]) -> str:
    names = ("move", "seat", "played", "best", "lost")
    rows = [(str(one.number), one.seat, one.made, one.best, one.loss) for one in found]
    bad = [one.is_sure for one in found]
    return _table_html([t(f"analyse.{name}") for name in names], rows, (0, 4), bad)


def _table_html(
    head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Iterable[int], bad: Sequence[bool] = ()
) -> str:
    right = set(numbers)
    lines = [
        _row_html(head, "th", right),
        *(_row_html(row, "td", right, n < len(bad) and bad[n]) for n, row in enumerate(rows)),
    ]
    return "<table>\n" + "\n".join(lines) + "\n</table>"


def _row_html(cells: Sequence[str], tag: str, right: set[int], bad: bool = False) -> str:
    inner = "".join(f"<{tag}{_NUMBER * (n in right)}>{escape(cell)}</{tag}>" for n, cell in enumerate(cells))
    return f"<tr{_BAD * bad}>{inner}</tr>"


_NUMBER, _BAD = ' class="n"', ' class="bad"'


WORST = 5
"""So many moves are told with what was better."""


class Report:
    """What was found, as lines, as data, as a page."""

    def __init__(
        self, order: Order, course: Course, found: Sequence[Judged], wanted: int, deals: Sequence[Prospects]
    ) -> None:
        """`wanted`: how many choices were to be judged; `deals`: what seats could expect of others."""
        from hoyle.game.game import State
        from hoyle.players.bots import reach
        from hoyle.players.record_analysis import totals, worst
        from hoyle.players.search.driver import searching

        self.order, self.course, self.found, self.wanted = order, course, found, wanted
        self.game: Game = course.state.game
        self.look = look_of(self.game)
        self.states = {one.number: State(self.game, one.core) for one in course.decisions}
        self.iterations, self.seconds = reach(order.kind, searching(self.game, order.engine))
        self.totals: dict[str, Total] = totals(course, found, deals)
        self.worst = worst(found, WORST)
        self.left = [one for one in found if one.has_left][-WORST:]
        """Where a way to win was known, and none was found afterwards."""
        self.parts = self._parts()
        self.is_partial = len(found) < len(course.decisions)

    # ---- for programs ----

    def data(self) -> dict[str, Any]:
        head = {"game": self.game.name, "iterations": self.iterations, "seconds": self.seconds, "seed": self.order.seed}
        ends = {"choices": self.wanted, "interrupted": len(self.found) < self.wanted, "over": self.course.state.is_over}
        seats = {seat: self._total(total) for seat, total in self.totals.items()}
        worst = [one.number + 1 for one in self.worst]
        return {**head, **ends, "seats": seats, "worst": worst, "decisions": [self._choice(one) for one in self.found]}

    def _total(self, total: Total) -> dict[str, Any]:
        sums = {"decisions": total.decisions, "loss": total.loss, "mean": total.mean, "errors": total.errors}
        return {
            **sums,
            "points": total.points,
            "luck": total.luck,
            "luck_error": total.luck_error,
            "deal": total.deal,
            "deal_error": total.deal_error,
        }

    def _choice(self, one: Judged) -> dict[str, Any]:
        moves = self.states[one.number].moves()
        ids = {"made": moves[one.own.number].id, "best": moves[one.best.number].id}
        costs = {"loss": one.loss, "error": one.error, "points": one.points, "exact": one.is_exact}
        place = {"number": one.number + 1, "seat": self.game.seats[one.actor], "place": self.states[one.number].place}
        known = [
            {
                "move": moves[weight.number].id,
                "tried": weight.tried.tried,
                "worth": weight.tried.mean,
                "over": weight.outcome.over,
                "won": weight.outcome.share if weight.outcome.over else None,
                "gain": weight.outcome.gain + 0.0,  # no minus before nothing
            }
            for weight in one.moves
        ]
        way = moves[one.way.number].id if one.way is not None else None
        further = {"way": way, "others": [moves[weight.number].id for weight in one.others], "line": self._line(one)}
        return {**place, **ids, **costs, **further, "moves": known}

    def _line(self, one: Judged) -> list[str]:
        """How play went on mostly after the best, as its seat would be told of it."""
        state = self.states[one.number]
        told = (step.event(self.game.compiled).text(lang(), state.to_act) for step in one.line)
        return [text for text in told if text]

    # ---- for people ----

    def title(self, seeded: bool = True) -> str:
        """`seeded`: with what makes it find the same again."""
        named = {"game": self.game.title(lang()), "decisions": len(self.found)}
        if self.iterations is None:
            return t("analyse.timed", seconds=self.seconds, **named)
        key = "title" if seeded else "unseeded"
        return t(f"analyse.{key}", games=self.iterations, seed=self.order.seed, **named)

    def notes(self) -> list[str]:
        """With how to see a move at a terminal."""
        first = next((one for part in self.parts for one in part.found), None)
        where = [t("analyse.numbers", record=self._record(), number=first.number - 1)] if first is not None else []
        return [*self.facts(), *where]

    def facts(self) -> list[str]:
        done = len(self.found)
        cut = [t("analyse.interrupted", decisions=done, wanted=self.wanted)] if done < self.wanted else []
        state = self.course.state
        ended = result_lines(state, replace(self.look, colour=False)) if state.is_over else [t("analyse.open")]
        key = "alone" if self.is_partial else "unit"
        unit = t(f"analyse.{key if self.course.has_chance else 'no_chance'}")
        solved = sum(one.is_exact and not one.is_kept for one in self.found)
        kept = sum(one.is_kept for one in self.found)
        return [
            *cut,
            *ended,
            *([t("analyse.exact", decisions=solved)] if solved else []),
            *([t("analyse.kept", decisions=kept)] if kept else []),
            unit,
            t("analyse.points_note" if len(self.game.sides) > 1 else "analyse.points_alone"),
            *([t("analyse.deal_note")] if self.course.is_dealt else []),
            *([t("analyse.not_again")] if self.iterations is None else []),
        ]

    def _record(self) -> str:
        """As it may be named again."""
        return t("metavar.record") if self.order.name == "<stdin>" else self.order.name

    def accounts(self) -> list[Account]:
        return accounts(self.totals, self.look)

    def told(self, found: Sequence[Judged]) -> list[Said]:
        return [said(one, self.states[one.number], self.look) for one in found]

    def _parts(self) -> list[Part]:
        """The moves that are drawn, each once, below the heads that tell why. Where the win was out of reach, or certain, what counts is points."""
        from hoyle.players.record_analysis import dearest

        worst = self.told([one for one in self.worst if one not in self.left])
        cost = Part(t("analyse.worst"), worst, "" if worst else t("analyse.none"))
        if not worst and (dear := [one for one in dearest(self.found, WORST) if one not in self.left]):
            cost = Part(t("analyse.dearest"), self.told(dear), t("analyse.dearest_note"))
        left = Part(t("analyse.left"), self.told(self.left), t("analyse.left_note"))
        return [left, cost] if left.found else [cost]

    def lines(self) -> list[str]:
        return [
            self.title(),
            "",
            *rows(self.accounts()),
            "",
            *(line for note in self.notes() for line in filled(note, self.look)),
            "",
            *bad_lines(self.parts, self.look),
        ]

    def page(self) -> str:
        return analysis_page(self.title(), self.notes(), self.accounts(), self.parts, self.told(self.found))
