"""Requests of a seat besides moves: a hint, why a move is not legal, rules, links, and after the game record and analysis."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from hoyle.game.game import Game
from hoyle.game.records.records import record_lines
from hoyle.presentation.catalogue import t, use_language
from hoyle.printable import printable
from hoyle.web import display
from hoyle.web.play.drag_targets import resolve_drop
from hoyle.web.play.open_table import OpenTable
from hoyle.web.play.table_manager import LONGEST_THOUGHT, TableManager
from hoyle.web.play.tables import Table, TableError
from hoyle.web.protocol import Message

Send = Callable[[Message], None]
HINT_SECONDS = 1.0
"""How long a hint is searched."""
LONGEST_MOVE = 300
"""Characters of a move in words."""
JUDGE, OTHER_DEALS = "normal", 10
"""The kind of bot that judges a game, and how many other deals are played for comparison."""


class _Cancelled(Exception):
    """The visitor who asked for an analysis has gone."""


async def answer_request(
    manager: TableManager,
    at: OpenTable,
    seat: str | None,
    lang: str,
    message: Mapping[str, Any],
    send: Send,
    client: str,
) -> Message:
    """Return the answer. `send` sends progress before that. Raises TableError."""
    table = at.table
    match message.get("t"):
        case "hint":
            return await _find_hint(manager, at, seat, lang, client)
        case "why":
            return await manager.run_at(at, partial(_explain, table, seat, lang, message))
        case "rules":
            describe = partial(display.describe_rules, table.game, lang)
            rules = await manager.run_in(manager.reading, at, client, describe)
            return {"t": "rules", **(rules if not at.is_temporary else {**rules, "picture": "", "book": ""})}
        case "links":
            return _create_links(manager, table, seat, lang)
    if not table.is_over:  # a record shows hidden hands
        raise TableError("playing")
    match message.get("t"):
        case "again":
            return await _play_again(manager, at, seat)
        case "record":
            text = await manager.run_in(manager.reading, at, client, partial(write_record, table, lang))
            return {"t": "record", "name": f"{table.game.name}.jsonl", "text": text}
    return await _analyse(manager, at, lang, send, client)


def write_record(table: Table, lang: str) -> str:
    """Return the game so far in the format of `hoyle replay`."""
    return "".join(f"{line}\n" for line in record_lines(table.state, table.seed, seats=dict(table.kinds), lang=lang))


def _create_links(manager: TableManager, table: Table, seat: str | None, lang: str) -> Message:
    """Create links of the other seats and of spectators. Only for the person who created the table."""
    if seat is None:
        raise TableError("guest")
    people, namer, seats = table.people, table.game.compiled.namer, table.game.seats
    if seat != people[0]:
        raise TableError("began")
    links = [[other, namer.seat(seats.index(other), lang), manager.add_link(table.id, other)] for other in people[1:]]
    return {"t": "links", "seats": links, "onlooker": manager.add_link(table.id, None)}


async def _play_again(manager: TableManager, at: OpenTable, seat: str | None) -> Message:
    """Return the seat's token at the next table. The first request creates the table and tells the other visitors."""
    is_first = at.next_table is None
    created = await manager.play_again(at)
    if is_first:
        manager.notify(at)
    return {"t": "again", "token": created.tokens[seat] if seat is not None else manager.add_link(created.id, None)}


async def _find_hint(manager: TableManager, at: OpenTable, seat: str | None, lang: str, client: str) -> Message:
    if seat is None or at.table.state.to_act != seat or at.table.is_over:
        raise TableError("turn_hint")
    number, moves = at.table.number, [move.move for move in at.table.moves]
    best, text = await manager.run_in(manager.hints, at, client, partial(_search_hint, at, seat, moves, lang))
    return {"t": "hint", "n": number, "id": best, "lines": text}


def _search_hint(at: OpenTable, seat: str, moves: Sequence[str], lang: str) -> tuple[str, list[str]]:
    """Return the id of the best move, and the reasons as the terminal gives them."""
    from hoyle.presentation.hints import advise

    state, knowledge = at.bots.recall(seat, moves)
    with use_language(lang):
        best, text = advise(state, (), display.get_look(state.game, lang), knowledge, HINT_SECONDS, at.bots.wins)
    return best.id, text


def _explain(table: Table, seat: str | None, lang: str, message: Mapping[str, Any]) -> Message:
    """Explain why a move is legal or not: one given in words or by id (`move`), or a drop."""
    if seat is None or table.state.to_act != seat or table.is_over:
        raise TableError("turn_why")
    text = message.get("move")
    if isinstance(text, str):
        moves: Sequence[str] = [text[:LONGEST_MOVE]]
        default = display.translate(lang, "said.words", words=printable(text[:LONGEST_MOVE]))
    else:
        moves = resolve_drop(table.state, message)
        if message.get("to") is not None:
            default = display.translate(lang, "refused.nothing")
        else:  # a piece that was only picked up may still go to several places
            default = display.translate(lang, "refused.idle") if message.get("sign") is None else ""
    why = display.explain_move(table.state, moves, seat, lang)
    if why is None:
        why = display.Explanation([default] if default else [], [], [], [])
    return {"t": "why", "lines": why.lines, "source": why.source, "more": why.more, "at": why.at}


# ---- analysis --------------------------------------------------------------------------------------------------------


async def _analyse(manager: TableManager, at: OpenTable, lang: str, send: Send, client: str) -> Message:
    """Analyse a finished game in a worker thread, and send progress. Cancelling stops the work at its next step."""
    loop, cancelled = asyncio.get_running_loop(), threading.Event()

    def report_progress(done: int, total: int) -> None:
        if cancelled.is_set():
            raise _Cancelled
        loop.call_soon_threadsafe(send, {"t": "analysing", "done": done, "of": total})
        manager.pause_for_short_work()

    def work() -> Message:
        return _judge_moves(write_record(at.table, lang), at.table.game, lang, report_progress)

    try:
        return await manager.run_in(manager.analyses, at, client, work, LONGEST_THOUGHT)
    finally:
        cancelled.set()


def _judge_moves(record: str, game: Game, lang: str, report_progress: Callable[[int, int], None]) -> Message:
    """Return the report of `hoyle analyse` as data. Raises Refused if the record does not fit the rules."""
    from hoyle.players.record_analysis import apply_hindsight
    from hoyle.presentation.analysis import AnalysisReport, get_headings
    from hoyle.series.analysis import Order, judge_choices, play_other_deals

    order = Order("game", record, game.name, JUDGE, 0, game.engine)
    with use_language(lang):
        course = order.course(game)
        numbers, judgements = [*range(len(course.decisions))], []
        for done, judgement in enumerate(judge_choices(order, course, numbers), 1):
            judgements += [judgement] if judgement is not None else []
            report_progress(done, len(numbers))
        judgements = apply_hindsight(course, judgements)
        deals = [] if judgements and judgements[0].is_kept else list(play_other_deals(order, course, OTHER_DEALS))
        report = AnalysisReport(order, course, judgements, len(numbers), deals)
        return {
            "t": "analysis",
            "title": report.title(seeded=False),
            "heads": list(get_headings()),
            "accounts": [list(row) for row in report.accounts()],
            "notes": report.facts(),
            "parts": [
                {
                    "head": part.head,
                    "note": part.note,
                    "moves": [{"title": move.title, "at": move.number - 1, "told": move.lines} for move in part.found],
                }
                for part in report.parts
            ],
            "columns": [t(f"analyse.{name}") for name in ("move", "seat", "played", "best", "lost")],
            "moves": [
                [row.number, row.seat, row.made, row.best, row.loss] for row in report.describe_moves(report.found)
            ],
        }
