"""What a seat may ask besides moving: a hint, why a move is not legal, and after the end the record and what each move cost."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from hoyle.cli.catalogue import speaking, t
from hoyle.game.records.records import lines
from hoyle.printable import printable
from hoyle.web import display
from hoyle.web.display import rules
from hoyle.web.play.table_manager import House, Open
from hoyle.web.play.tables import NotNow, Table
from hoyle.web.protocol import Message

Tell = Callable[[Message], None]
SECONDS = 1.0
"""How long a hint is looked for."""
LONGEST = 300
"""Characters of a move that is asked about."""


class Gone(Exception):
    """Nobody waits for an analysis any more."""


async def answer(
    house: House, at: Open, seat: str | None, lang: str, said: Mapping[str, Any], tell: Tell, client: str
) -> Message:
    """Raises NotNow."""
    kind = str(said.get("t"))
    if kind == "hint":
        return await _hint(house, at, seat, lang, client)
    if kind == "why":
        return _why(at.table, seat, lang, said)
    if kind == "rules":
        return {"t": "rules", **await house.reading.do(client, rules, at.table.game, lang)}
    if kind == "links":
        return {"t": "links", **_links(house, at.table, seat, lang)}
    if not at.table.over:  # a record says what others hold
        raise NotNow("playing")
    if kind == "again":
        return await _again(house, at, seat)
    if kind == "record":
        return {
            "t": "record",
            "name": f"{at.table.game.name}.jsonl",
            "text": await house.reading.do(client, record, at.table, lang),
        }
    return await _analysis(house, at.table, lang, tell, client)


def record(table: Table, lang: str) -> str:
    """The game so far, as `hoyle replay` reads it."""
    found = lines(table.state, table.seed, seats=dict(table.kinds), lang=lang)
    return "".join(f"{line}\n" for line in found)


# ---- who else may come, and once more -------------------------------------------------------------------------------


def _links(house: House, table: Table, seat: str | None, lang: str) -> Message:
    """What opens the seats of the others, and what lets somebody look on: for whoever began the table. What was told before goes on leading there."""
    if seat is None:
        raise NotNow("guest")
    people, namer, seats = table.people, table.game.compiled.namer, table.game.seats
    if seat != people[0]:
        raise NotNow("began")
    links = [[one, namer.seat(seats.index(one), lang), house.link(table.id, one)] for one in people[1:]]
    return {"seats": links, "onlooker": house.link(table.id, None)}


async def _again(house: House, at: Open, seat: str | None) -> Message:
    """The same game with the same options and seats: one table, whoever asks first; the others are told that it is there."""
    is_first = at.again is None
    begun = await house.again(at)
    if is_first:
        house.tell(at)
    return {"t": "again", "token": begun.tokens[seat] if seat is not None else house.link(begun.id, None)}


# ---- hints -----------------------------------------------------------------------------------------------------------


async def _hint(house: House, at: Open, seat: str | None, lang: str, client: str) -> Message:
    if seat is None or at.table.state.to_act != seat or at.table.over:
        raise NotNow("turn_hint")
    number, moves = at.table.number, [deed.move for deed in at.table.made]
    best, told = await house.hints.do(client, _advice, at, seat, moves, lang)
    return {"t": "hint", "n": number, "id": best, "lines": told}


def _advice(at: Open, seat: str, moves: Sequence[str], lang: str) -> tuple[str, list[str]]:
    """The best move, and what the terminal would say, without the numbers of a list that nobody sees here."""
    from hoyle.cli.playing.hints import advised

    state, knowledge = at.minds.known_to(seat, moves)
    with speaking(lang):
        best, told = advised(state, (), display.look(state.game, lang), knowledge, SECONDS, at.minds.ways)
    return best.id, told


# ---- why -------------------------------------------------------------------------------------------------------------


def _why(table: Table, seat: str | None, lang: str, said: Mapping[str, Any]) -> Message:
    """Of a move by its words or id, or of putting something somewhere."""
    if seat is None or table.state.to_act != seat or table.over:
        raise NotNow("turn_why")
    text = said.get("move")
    if isinstance(text, str):
        wanted: Sequence[str] = [text[:LONGEST]]
        nothing = display.word(lang, "said.words", words=printable(text[:LONGEST]))
    else:
        from hoyle.web.play.drag_targets import dropped

        wanted = dropped(table.state, said)
        nothing = _nothing(said, lang)
    told = display.why(table.state, wanted, seat, lang) or display.Told([nothing] * bool(nothing), [], [], [])
    return {"t": "why", "lines": told.lines, "source": told.source, "more": told.more, "at": told.at}


def _nothing(said: Mapping[str, Any], lang: str) -> str:
    """What is told where no rule says more; of a piece alone nothing, since it may still go to several places."""
    if said.get("to") is not None:
        return display.word(lang, "refused.nothing")
    return display.word(lang, "refused.idle") if said.get("sign") is None else ""


# ---- what moves cost -------------------------------------------------------------------------------------------------


async def _analysis(house: House, table: Table, lang: str, tell: Tell, client: str) -> Message:
    loop, gone = asyncio.get_running_loop(), threading.Event()

    def tick(done: int, of: int) -> None:
        if gone.is_set():
            raise Gone
        loop.call_soon_threadsafe(tell, {"t": "analysing", "done": done, "of": of})
        house.make_way()

    def work() -> Message:
        return judged(record(table, lang), table.game.merged.files[-1], lang, tick)

    try:
        return await house.judging.do(client, work)
    finally:
        gone.set()


NAME = "game"
KIND, DEALS = "normal", 10
"""Who judges, and how many other deals show what could be expected of one."""
Tick = Callable[[int, int], None]


def judged(record: str, rules: Path, lang: str, tick: Tick) -> dict[str, Any]:
    """Raises Refused if this is no record of these rules. It takes long; `tick` is told how much is done."""
    from hoyle.cli.commands.analyse import Report
    from hoyle.players.record_analysis import with_hindsight
    from hoyle.series.analysis import Order, redealt
    from hoyle.series.analysis import judged as judge

    order = Order(NAME, record, str(rules), KIND, 0, "auto")
    with speaking(lang):
        course = order.course()
        numbers, found = [*range(len(course.decisions))], []
        for done, one in enumerate(judge(order, course, numbers), 1):
            found += [one] if one is not None else []
            tick(done, len(numbers))
        found = with_hindsight(course, found)
        deals = list(redealt(order, course, DEALS)) if not (found and found[0].is_kept) else []
        return _told(Report(order, course, found, len(numbers), deals))


def _told(report: Any) -> dict[str, Any]:
    from hoyle.cli.drawing.judged import heads

    return {
        "t": "analysis",
        "title": report.title(seeded=False),
        "heads": list(heads()),
        "accounts": [list(row) for row in report.accounts()],
        "notes": report.facts(),
        "parts": [
            {
                "head": part.head,
                "note": part.note,
                "moves": [{"title": one.title, "at": one.number - 1, "told": one.told} for one in part.found],
            }
            for part in report.parts
        ],
        "columns": [t(f"analyse.{name}") for name in ("move", "seat", "played", "best", "lost")],
        "moves": [[one.number, one.seat, one.made, one.best, one.loss] for one in report.told(report.found)],
    }
