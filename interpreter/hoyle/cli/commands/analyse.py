"""`hoyle analyse`: go through a record and report what each move cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hoyle.cli import output
from hoyle.cli.files import write
from hoyle.cli.options import (
    FileName,
    OneOf,
    Text,
    WholeNumber,
    engine_option,
    json_option,
    lang_option,
    report_engine_warnings,
)
from hoyle.cli.output import progress
from hoyle.cli.series_options import note_stop, open_kept, workers_options
from hoyle.cli.shell import INTERRUPTED, argument, command, option
from hoyle.presentation.catalogue import UserError, t
from hoyle.presentation.files import as_json as in_json
from hoyle.presentation.players import get_search_bounds
from hoyle.printable import printable_lines

if TYPE_CHECKING:
    from hoyle.players.judgement import Judgement
    from hoyle.players.record_analysis import Prospects, RecordedGame
    from hoyle.presentation.analysis import AnalysisReport
    from hoyle.running.machine import Engine
    from hoyle.series.analysis import Order
    from hoyle.series.result_file import ResultFile
    from hoyle.series.workers import Workers


@command("analyse")
@argument("record", type=FileName())
@option("--search", "far", type=Text("search"))
@option("--seat", type=Text("seat"))
@option("--deals", type=WholeNumber(0), default=20)
@workers_options
@option("--seed", type=WholeNumber(0), default=0)
@option("--game", type=FileName())
@engine_option
@option("--format", "form", type=OneOf("text", "json", "html"), default="text")
@json_option
@option("--out", type=FileName())
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
    from hoyle.cli.files import load_record
    from hoyle.players.record_analysis import apply_hindsight
    from hoyle.presentation.analysis import AnalysisReport
    from hoyle.series.analysis import FORMAT, Order, make_header

    source = load_record(record)
    order = Order(source.name, source.text, game, _parse_search(far), seed, engine)
    course = order.course()
    numbers = _select_decisions(course, seat)
    with open_kept(keep, lambda: make_header(order, course, numbers, deals), FORMAT) as kept:
        found, code = _judge(order, course, numbers, workers, kept)
        found = apply_hindsight(course, found)
        is_measured = not code and not (found and found[0].is_kept)
        others = _redeal(order, course, deals, workers, kept) if is_measured else []
    report = AnalysisReport(order, course, found, len(numbers), others)
    _write_report(report, "json" if as_json else form, None if code else out)  # the file is for all choices
    return code


def _write_report(report: AnalysisReport, form: str, out: str | None) -> None:
    if form == "text" and out is None:
        for line in report.lines():
            output.show(line)
    elif form == "text":
        write(out or "-", printable_lines("\n".join(report.lines())) + "\n")
    else:
        write(out or "-", f"{report.page() if form == 'html' else in_json('analyse', report.data())}\n")


def _parse_search(far: str | None) -> str:
    """Return the kind of player for `--search`."""
    from hoyle.players.bots import is_kind

    if far is None:
        return "normal"
    if ":" in far or not is_kind(f"search:{far}"):  # what a move costs is told of a win
        raise UserError(t("analyse.no_search", search=far[:40], **get_search_bounds()), code=2)
    return f"search:{far}"


def _select_decisions(course: RecordedGame, seat: str | None) -> list[int]:
    """Return the decisions to judge. A seat may be given by its label."""
    from hoyle.presentation.look import make_look

    game = course.state.game
    shown = {make_look(game).seat(own).casefold(): own for own in game.seats}
    called = {**shown, **{own.casefold(): own for own in game.seats}}
    if seat is not None and seat.casefold() not in called:
        raise UserError(t("analyse.no_seat", seat=seat[:40], seats=", ".join(game.seats)), code=2)
    wanted = called[seat.casefold()] if seat is not None else None
    return [n for n, one in enumerate(course.decisions) if wanted in (None, game.seats[one.actor])]


def _judge(
    order: Order, course: RecordedGame, numbers: list[int], workers: Workers, kept: ResultFile[Any] | None
) -> tuple[list[Judgement], int]:
    """Return the judged moves, and the exit code. Ctrl-C ends the judging."""
    from hoyle.series.analysis import judge_choices

    found: list[Judgement] = []
    with report_engine_warnings(), progress(t("analyse.working"), len(numbers), _count_kept(kept)) as tick:
        try:
            for one in judge_choices(order, course, numbers, workers, kept):
                found += [one] if one is not None else []
                tick(1)
        except KeyboardInterrupt:
            if not found:
                raise
            note_stop(kept)
            return found, INTERRUPTED
    return found, 0


def _redeal(
    order: Order, course: RecordedGame, deals: int, workers: Workers, kept: ResultFile[Any] | None
) -> list[Prospects]:
    """Return the prospects of other deals, or none after Ctrl-C."""
    from hoyle.series.analysis import play_other_deals

    found: list[Prospects] = []
    with (
        report_engine_warnings(),
        progress(t("analyse.dealing"), deals if course.is_dealt else 0, _count_kept(kept)) as tick,
    ):
        try:
            for one in play_other_deals(order, course, deals, workers, kept):
                found.append(one)
                tick(1)
        except KeyboardInterrupt:
            note_stop(kept)
            return []
    return found


def _count_kept(kept: ResultFile[Any] | None) -> int:
    return len(kept.found) if kept is not None else 0
