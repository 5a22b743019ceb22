"""`hoyle analyse`: a record gone through, what each move cost, and what came of luck."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from hoyle.cli import output
from hoyle.cli.catalogue import lang, t
from hoyle.cli.drawing.judged import Account, Part, Said, accounts, bad_lines, rows, said
from hoyle.cli.drawing.lines import filled, look_of, result_lines
from hoyle.cli.drawing.progress import progress
from hoyle.cli.engines import engine_option, telling_of_engines
from hoyle.cli.files import write
from hoyle.cli.inputs import STDIN
from hoyle.cli.options import File, OneOf, Whole, Word, json_option, lang_option
from hoyle.cli.playing.seats import search_bounds
from hoyle.cli.series import keeping, stopped, workers_options
from hoyle.cli.shell import INTERRUPTED, argument, command, option
from hoyle.printable import printable_lines

if TYPE_CHECKING:
    from hoyle.game.game import Game
    from hoyle.players.judgement import Judged
    from hoyle.players.record_analysis import Course, Prospects, Total
    from hoyle.running.machine import Engine
    from hoyle.series.analysis import Order
    from hoyle.series.result_file import Kept
    from hoyle.series.workers import Workers

WORST = 5
"""So many moves are told with what was better."""


@command("analyse")
@argument("record", type=File())
@option("--search", "far", type=Word("search"))
@option("--seat", type=Word("seat"))
@option("--deals", type=Whole(0), default=20)
@workers_options
@option("--seed", type=Whole(0), default=0)
@option("--game", type=File())
@engine_option
@option("--format", "form", type=OneOf("text", "json", "html"), default="text")
@json_option
@option("--out", type=File())
@lang_option
def analyse_command(
    record: str,
    far: str | None,
    seat: str | None,
    deals: int,
    workers: Workers,
    keep: str | None,
    seed: int,
    game: str | None,
    engine: Engine,
    form: str,
    as_json: bool,
    out: str | None,
) -> int:
    from hoyle.cli.inputs import record_source
    from hoyle.players.record_analysis import with_hindsight
    from hoyle.series.analysis import FORM, Order, head_of

    source = record_source(record)
    order = Order(source.name, source.text, game, _kind(far), seed, engine)
    course = order.course()
    numbers = _numbers(course, seat)
    with keeping(keep, lambda: head_of(order, course, numbers, deals), FORM) as kept:
        found, code = _judged(order, course, numbers, workers, kept)
        found = with_hindsight(course, found)
        is_measured = not code and not (found and found[0].is_kept)
        others = _redealt(order, course, deals, workers, kept) if is_measured else []
    report = Report(order, course, found, len(numbers), others)
    report.write("json" if as_json else form, None if code else out)  # the file is for all choices
    return code


def _kind(far: str | None) -> str:
    """The kind of player that searches so far."""
    from hoyle.players.bots import is_kind

    if far is None:
        return "normal"
    if ":" in far or not is_kind(f"search:{far}"):  # what a move costs is told of a win
        raise output.Trouble(t("analyse.no_search", search=far[:40], **search_bounds()), code=2)
    return f"search:{far}"


def _numbers(course: Course, seat: str | None) -> list[int]:
    """Which choices are to be judged; a seat may be called as it is shown."""
    game = course.state.game
    shown = {look_of(game).seat(own).casefold(): own for own in game.seats}
    called = {**shown, **{own.casefold(): own for own in game.seats}}
    if seat is not None and seat.casefold() not in called:
        raise output.Trouble(t("analyse.no_seat", seat=seat[:40], seats=", ".join(game.seats)), code=2)
    wanted = called[seat.casefold()] if seat is not None else None
    return [n for n, one in enumerate(course.decisions) if wanted in (None, game.seats[one.actor])]


def _judged(
    order: Order, course: Course, numbers: list[int], workers: Workers, kept: Kept[Any] | None
) -> tuple[list[Judged], int]:
    """What was found until all was done or Ctrl-C came, and the exit code."""
    from hoyle.series.analysis import judged

    found: list[Judged] = []
    with telling_of_engines(), progress(t("analyse.working"), len(numbers), _before(kept)) as tick:
        try:
            for one in judged(order, course, numbers, workers, kept):
                found += [one] if one is not None else []
                tick(1)
        except KeyboardInterrupt:
            if not found:
                raise
            stopped(kept)
            return found, INTERRUPTED
    return found, 0


def _redealt(order: Order, course: Course, deals: int, workers: Workers, kept: Kept[Any] | None) -> list[Prospects]:
    """What seats could expect of other deals; nothing if Ctrl-C came."""
    from hoyle.series.analysis import redealt

    found: list[Prospects] = []
    with telling_of_engines(), progress(t("analyse.dealing"), deals if course.is_dealt else 0, _before(kept)) as tick:
        try:
            for one in redealt(order, course, deals, workers, kept):
                found.append(one)
                tick(1)
        except KeyboardInterrupt:
            stopped(kept)
            return []
    return found


def _before(kept: Kept[Any] | None) -> int:
    return len(kept.found) if kept is not None else 0


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
        return t("metavar.record") if self.order.name == STDIN else self.order.name

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

    def write(self, form: str, out: str | None) -> None:
        """In this form (text, json, html), into this file if there is one."""
        if form == "text" and out is None:
            for line in self.lines():
                output.show(line)
            return
        made = {"text": self._plain, "json": lambda: output.as_json("analyse", self.data()), "html": self.page}
        write(out or "-", f"{made[form]()}\n")

    def _plain(self) -> str:
        return printable_lines("\n".join(self.lines()))

    def page(self) -> str:
        from hoyle.cli.drawing.page import page

        return page(self.title(), self.notes(), self.accounts(), self.parts, self.told(self.found))
