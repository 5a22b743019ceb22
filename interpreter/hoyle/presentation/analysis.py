"""Format the report of `hoyle analyse` as text, data and HTML: the cost of each move, and the effect of luck."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from hoyle.presentation.catalogue import format_error, format_number, lang, t
from hoyle.presentation.hints import describe_line, describe_outcome
from hoyle.presentation.look import Look, draw_text, make_look
from hoyle.presentation.play_text import fill_text, format_result, name_decision
from hoyle.presentation.table.table import draw_table

if TYPE_CHECKING:
    from hoyle.game.game import Game, State
    from hoyle.players.judgement import Judgement
    from hoyle.players.move_evaluation import RatedMove
    from hoyle.players.record_analysis import Prospects, RecordedGame, SeatSummary
    from hoyle.series.analysis import Order


Account = tuple[str, ...]
"""A seat and its formatted figures."""
PAGE = 720
"""Width of a picture on the page."""
INDENT, HIGH = 4, 20


class MoveAccount(Struct, frozen=True):
    """A judged move as text. `number` counts from 1; `picture` is SVG for the page, `small` a table for terminals."""

    number: int
    seat: str
    made: str
    best: str
    title: str
    loss: str
    is_sure: bool
    lines: list[str]
    picture: str
    small: list[str]


class MoveSection(Struct, frozen=True):
    """Moves under a heading, with a note."""

    head: str
    found: list[MoveAccount]
    note: str = ""


def get_headings() -> Account:
    return ("", *(t(f"analyse.{name}") for name in ("decisions", "mean", "errors", "points", "luck", "deal")))


def format_accounts(totals: Mapping[str, SeatSummary], look: Look) -> list[Account]:
    return [_format_account(look.seat(seat), total) for seat, total in totals.items()]


def _format_account(seat: str, total: SeatSummary) -> Account:
    luck = _format_with_error(total.luck, total.luck_error)
    points, mean = format_number(total.points, 1), format_number(100 * total.mean, 1)
    deal = _format_with_error(total.deal, total.deal_error)
    return seat, str(total.decisions), mean, str(total.errors), points, luck, deal


def _format_with_error(points: float | None, error: float) -> str:
    return f"{format_number(points, 1, signed=True)} (±{format_error(error)})" if points is not None else "—"


def format_account_table(accounts: Sequence[Account]) -> list[str]:
    """Return the accounts below their headings, in aligned columns."""
    cells = [get_headings(), *accounts]
    wide = [max(len(row[n]) for row in cells) for n in range(len(cells[0]))]
    return ["  " + "  ".join(_align_cell(text, wide[n], n) for n, text in enumerate(row)).rstrip() for row in cells]


def _align_cell(text: str, wide: int, column: int) -> str:
    return text.ljust(wide) if column == 0 else text.rjust(wide)


def describe_judged_move(judged: Judgement, state: State, look: Look) -> MoveAccount:
    """Describe a judged move, without colours."""
    plain, seat = replace(look, colour=False), state.to_act
    return MoveAccount(
        judged.number + 1,
        plain.seat(seat),
        _format_move(judged.own, state, plain),
        _format_move(judged.best if judged.loss > 0 else judged.own, state, plain),
        _make_title(judged, state, plain),
        _format_loss(judged),
        judged.is_sure,
        _describe_choice(judged, state, plain),
        state.picture(seat, lang(), width=PAGE),
        draw_table(state.view(seat), state.game.seats, replace(plain, width=look.width - INDENT, height=HIGH)),
    )


def _format_move(weight: RatedMove, state: State, look: Look) -> str:
    return draw_text(state.moves()[weight.number].text(lang()), look)


def _format_loss(judged: Judgement) -> str:
    """Return the cost of a move with its error, or an empty string if no other move is better."""
    if judged.loss <= 0:
        return ""
    return format_number(100 * judged.loss, 1) + ("" if judged.is_exact else f" (±{format_error(100 * judged.error)})")


def _make_title(judged: Judgement, state: State, look: Look) -> str:
    key = "analyse.cost_exact" if judged.is_exact else "analyse.left_way" if judged.has_left else "analyse.cost"
    cost = t(key, loss=format_number(100 * judged.loss, 1), error=format_error(100 * judged.error))
    if not judged.is_notable and not judged.has_left:
        cost = t("analyse.cost_points", points=format_number(judged.points, 1))
    place = name_decision(state, look)
    key = "analyse.bad" if place else "analyse.bad_move"
    return t(key, seat=look.seat(state.to_act), number=judged.number + 1, place=place, cost=cost)


def _describe_choice(judged: Judgement, state: State, look: Look) -> list[str]:
    """Return sentences: the move made, the best move and its continuation, other better moves."""
    made, best = (
        (_format_move(weight, state, look), _describe_outcome(weight, judged, state))
        for weight in (judged.own, judged.best)
    )
    told = [t("analyse.made", move=made[0], outcome=made[1])]
    if judged.has_left:
        return [*told, *_describe_way(judged, state, look)]
    told.append(t("analyse.better", move=best[0], outcome=best[1]))
    line = describe_line(state, judged.line[1:], look)
    if line:
        told.append(t("outcome.at_best" if judged.is_exact else "outcome.mostly", move=best[0], line=line))
    others = _find_other_moves(judged, state, look, {made[0], best[0]})
    return [
        *told,
        *(t("analyse.other", move=text, outcome=_describe_outcome(weight, judged, state)) for text, weight in others),
    ]


def _describe_way(judged: Judgement, state: State, look: Look) -> Iterator[str]:
    """Describe the winning line that the move missed."""
    if judged.way is not None:
        move = draw_text(state.moves()[judged.way.number].text(lang()), look)
        yield t("analyse.way", move=move)
        if line := describe_line(state, judged.way.line[1:], look):
            yield t("outcome.surely", move=move, line=line)


def _find_other_moves(judged: Judgement, state: State, look: Look, told: set[str]) -> Iterator[tuple[str, RatedMove]]:
    """Yield other better moves; moves with the same text appear once."""
    for weight in judged.others:
        text = _format_move(weight, state, look)
        if text not in told:
            told.add(text)
            yield text, weight


def _describe_outcome(weight: RatedMove, judged: Judgement, state: State) -> str:
    """Describe a move's outcome in the same terms as the move made and the best one."""
    ended = judged.own.ended and judged.best.ended
    alike = f"{judged.own.outcome.share:.2f}" == f"{judged.best.outcome.share:.2f}"
    return describe_outcome(weight.outcome, ended, alike, len(state.game.sides))


def format_sections(parts: Sequence[MoveSection], look: Look) -> list[str]:
    """Return the lines of all sections, with an empty line between two sections."""
    return [line for part in parts for line in ["", *_format_section(part, look)]][1:]


def _format_section(part: MoveSection, look: Look) -> list[str]:
    lines = [part.head] if part.found else []
    lines += fill_text(part.note, look)
    for one in part.found:
        told = [line for text in one.lines for line in fill_text(text, replace(look, width=look.width - INDENT))]
        title = fill_text(one.title, replace(look, width=look.width - 2))
        lines += ["", *_indent(title, 2), *_indent(told), "", *_indent(one.small)]
    return lines


def _indent(lines: Sequence[str], by: int = INDENT) -> list[str]:
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


def render_page(
    title: str,
    notes: Sequence[str],
    accounts: Sequence[Account],
    bad: Sequence[MoveSection],
    all_: Sequence[MoveAccount],
) -> str:
    """Render one self-contained HTML page; texts from records and rulesets are escaped."""
    parts = [
        f"<h1>{escape(title)}</h1>",
        _render_table(get_headings(), accounts, range(1, 7)),
        *(f"<p>{escape(note)}</p>" for note in notes),
        *(line for part in bad for line in _render_section(part)),
        f"<h2>{escape(t('analyse.all'))}</h2>",
        _render_all_moves(all_),
    ]
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    body = "\n".join(parts)
    return f'<!doctype html>\n<html lang="{lang()}">\n<head>{head}\n<style>\n{_STYLE}</style></head>\n<body>\n{body}\n</body>\n</html>\n'


def _render_section(part: MoveSection) -> Iterator[str]:
    yield f"<h2>{escape(part.head)}</h2>"
    if part.note:
        yield f"<p>{escape(part.note)}</p>"
    yield from map(_render_move, part.found)


def _render_move(account: MoveAccount) -> str:
    told = "<br>".join(map(escape, account.lines))
    return f"<h3>{escape(account.title)}</h3>\n<p>{told}</p>\n<figure>{account.picture}</figure>"


def _render_all_moves(accounts: Sequence[MoveAccount]) -> str:
    names = ("move", "seat", "played", "best", "lost")
    rows = [(str(one.number), one.seat, one.made, one.best, one.loss) for one in accounts]
    bad = [one.is_sure for one in accounts]
    return _render_table([t(f"analyse.{name}") for name in names], rows, (0, 4), bad)


def _render_table(
    head: Sequence[str], rows: Sequence[Sequence[str]], numbers: Iterable[int], bad: Sequence[bool] = ()
) -> str:
    right = set(numbers)
    lines = [
        _render_row(head, "th", right),
        *(_render_row(row, "td", right, n < len(bad) and bad[n]) for n, row in enumerate(rows)),
    ]
    return "<table>\n" + "\n".join(lines) + "\n</table>"


def _render_row(cells: Sequence[str], tag: str, right: set[int], bad: bool = False) -> str:
    inner = "".join(f"<{tag}{_NUMBER * (n in right)}>{escape(cell)}</{tag}>" for n, cell in enumerate(cells))
    return f"<tr{_BAD * bad}>{inner}</tr>"


_NUMBER, _BAD = ' class="n"', ' class="bad"'


WORST = 5
"""Number of moves that are described in detail."""


class AnalysisReport:
    """An analysis as lines of text, data and an HTML page."""

    def __init__(
        self, order: Order, course: RecordedGame, judged: Sequence[Judgement], wanted: int, deals: Sequence[Prospects]
    ) -> None:
        """`wanted` is the number of choices to judge; `deals` estimate the luck of the deal."""
        from hoyle.game.game import State
        from hoyle.players.bots import find_limits
        from hoyle.players.record_analysis import select_worst, summarize_seats
        from hoyle.players.search.driver import prepare_search

        self.order, self.course, self.found, self.wanted = order, course, judged, wanted
        self.game: Game = course.state.game
        self.look = make_look(self.game)
        self.states = {one.number: State(self.game, one.core) for one in course.decisions}
        self.iterations, self.seconds = find_limits(order.kind, prepare_search(self.game, order.engine))
        self.totals: dict[str, SeatSummary] = summarize_seats(course, judged, deals)
        self.worst = select_worst(judged, WORST)
        self.left = [one for one in judged if one.has_left][-WORST:]
        """The last moves that lost a known winning line, at most WORST."""
        self.parts = self._parts()
        self.is_partial = len(judged) < len(course.decisions)

    # ---- data ----

    def data(self) -> dict[str, Any]:
        head = {"game": self.game.name, "iterations": self.iterations, "seconds": self.seconds, "seed": self.order.seed}
        ends = {"choices": self.wanted, "interrupted": len(self.found) < self.wanted, "over": self.course.state.is_over}
        seats = {seat: self._total(total) for seat, total in self.totals.items()}
        worst = [one.number + 1 for one in self.worst]
        return {**head, **ends, "seats": seats, "worst": worst, "decisions": [self._choice(one) for one in self.found]}

    def _total(self, total: SeatSummary) -> dict[str, Any]:
        sums = {"decisions": total.decisions, "loss": total.loss, "mean": total.mean, "errors": total.errors}
        return {
            **sums,
            "points": total.points,
            "luck": total.luck,
            "luck_error": total.luck_error,
            "deal": total.deal,
            "deal_error": total.deal_error,
        }

    def _choice(self, judged: Judgement) -> dict[str, Any]:
        moves = self.states[judged.number].moves()
        ids = {"made": moves[judged.own.number].id, "best": moves[judged.best.number].id}
        costs = {"loss": judged.loss, "error": judged.error, "points": judged.points, "exact": judged.is_exact}
        place = {
            "number": judged.number + 1,
            "seat": self.game.seats[judged.actor],
            "place": self.states[judged.number].place,
        }
        known = [
            {
                "move": moves[weight.number].id,
                "tried": weight.tried.tried,
                "worth": weight.tried.mean,
                "over": weight.outcome.over,
                "won": weight.outcome.share if weight.outcome.over else None,
                "gain": weight.outcome.gain + 0.0,  # avoids -0.0
            }
            for weight in judged.moves
        ]
        way = moves[judged.way.number].id if judged.way is not None else None
        further = {
            "way": way,
            "others": [moves[weight.number].id for weight in judged.others],
            "line": self._line(judged),
        }
        return {**place, **ids, **costs, **further, "moves": known}

    def _line(self, judged: Judgement) -> list[str]:
        """Return the continuation after the best move, as its seat sees it."""
        state = self.states[judged.number]
        told = (step.event(self.game.compiled).text(lang(), state.to_act) for step in judged.line)
        return [text for text in told if text]

    # ---- text ----

    def title(self, seeded: bool = True) -> str:
        """Return the title. `seeded` adds the number of games and the seed, which reproduce the result."""
        named = {"game": self.game.title(lang()), "decisions": len(self.found)}
        if self.iterations is None:
            return t("analyse.timed", seconds=self.seconds, **named)
        key = "title" if seeded else "unseeded"
        return t(f"analyse.{key}", games=self.iterations, seed=self.order.seed, **named)

    def notes(self) -> list[str]:
        """Return the facts, and the command that shows a move in the terminal."""
        first = next((one for part in self.parts for one in part.found), None)
        where = [t("analyse.numbers", record=self._record(), number=first.number - 1)] if first is not None else []
        return [*self.facts(), *where]

    def facts(self) -> list[str]:
        done = len(self.found)
        cut = [t("analyse.interrupted", decisions=done, wanted=self.wanted)] if done < self.wanted else []
        state = self.course.state
        ended = format_result(state, replace(self.look, colour=False)) if state.is_over else [t("analyse.open")]
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
        """Return the name of the record for commands."""
        return t("metavar.record") if self.order.name == "<stdin>" else self.order.name

    def accounts(self) -> list[Account]:
        return format_accounts(self.totals, self.look)

    def describe_moves(self, judged: Sequence[Judgement]) -> list[MoveAccount]:
        return [describe_judged_move(one, self.states[one.number], self.look) for one in judged]

    def _parts(self) -> list[MoveSection]:
        """Return the sections of moves; each move appears once.

        If no move has a notable loss, the moves that cost points are listed instead.
        """
        from hoyle.players.record_analysis import select_dearest

        worst = self.describe_moves([one for one in self.worst if one not in self.left])
        cost = MoveSection(t("analyse.worst"), worst, "" if worst else t("analyse.none"))
        if not worst and (dear := [one for one in select_dearest(self.found, WORST) if one not in self.left]):
            cost = MoveSection(t("analyse.dearest"), self.describe_moves(dear), t("analyse.dearest_note"))
        left = MoveSection(t("analyse.left"), self.describe_moves(self.left), t("analyse.left_note"))
        return [left, cost] if left.found else [cost]

    def lines(self) -> list[str]:
        return [
            self.title(),
            "",
            *format_account_table(self.accounts()),
            "",
            *(line for note in self.notes() for line in fill_text(note, self.look)),
            "",
            *format_sections(self.parts, self.look),
        ]

    def page(self) -> str:
        return render_page(self.title(), self.notes(), self.accounts(), self.parts, self.describe_moves(self.found))
