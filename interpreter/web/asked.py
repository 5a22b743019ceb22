"""What a seat may ask besides moving: a hint, why a move is not legal, and after the end the record and what each move cost."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from interpreter.cli.catalogue import speaking
from interpreter.game.game import State
from interpreter.game.records import lines
from interpreter.language.digits import whole
from interpreter.players.knowledge import Knowledge
from interpreter.web import speech
from interpreter.web.house import House, Open
from interpreter.web.protocol import Message
from interpreter.web.rules import rules
from interpreter.web.tables import NotNow, Table

Tell = Callable[[Message], None]
SECONDS = 1.0
"""How long a hint is looked for."""
LONGEST = 300
"""Characters of a move that is asked about."""
_hints = asyncio.Semaphore(2)
"""So many hints at a time: who asks later waits, and those who play do not."""
_analyses = asyncio.Semaphore(1)


async def answer(house: House, at: Open, seat: str, lang: str, said: Mapping[str, Any], tell: Tell) -> Message | None:
    """Raises NotNow."""
    kind = str(said.get("t"))
    if kind == "hint":
        return await _hint(house, at, seat, lang)
    if kind == "why":
        return _why(at.table, seat, lang, said)
    if kind == "rules":
        return {"t": "rules", **await house.aside(rules, at.table.game.ruleset, lang)}
    if not at.table.over:  # a record says what others hold
        raise NotNow("playing")
    if kind == "record":
        return {"t": "record", "name": f"{at.table.game.name}.jsonl", "text": record(at.table, lang)}
    return await _analysis(house, at.table, lang, tell)


def record(table: Table, lang: str) -> str:
    """The game so far, as `hoyle replay` reads it."""
    found = lines(table.state, table.seed, seats=dict(table.kinds), lang=lang)
    return "".join(f"{line}\n" for line in found)


# ---- hints -----------------------------------------------------------------------------------------------------------


async def _hint(house: House, at: Open, seat: str, lang: str) -> Message:
    if at.table.state.to_act != seat or at.table.over:
        raise NotNow("turn")
    number, moves = at.table.number, [deed.move for deed in at.table.made]
    async with _hints:
        state, knowledge = await house.aside(at.minds.known_to, seat, moves)
        best, told = await house.aside(_advice, at, state, knowledge, lang)
    return {"t": "hint", "n": number, "id": best, "lines": told}


def _advice(at: Open, state: State, knowledge: Knowledge | None, lang: str) -> tuple[str, list[str]]:
    """What the terminal would say, and the first move of that."""
    from interpreter.cli.drawing.lines import in_order
    from interpreter.cli.playing.hints import hint

    with speaking(lang):
        look = speech.look(state.game, lang)
        moves = in_order(state.moves(), look)
        told = hint(state, moves, look, knowledge, SECONDS, at.minds.ways)
    number = whole(told[0].partition(" ")[0]) or 0  # what is told begins with the number of the best move in the list
    return (moves[number - 1].id if 0 < number <= len(moves) else ""), told


# ---- why -------------------------------------------------------------------------------------------------------------


def _why(table: Table, seat: str, lang: str, said: Mapping[str, Any]) -> Message:
    """Of a move by its words or id, or of putting something somewhere."""
    if table.state.to_act != seat or table.over:
        raise NotNow("turn")
    text = said.get("move")
    if isinstance(text, str):
        wanted: Sequence[str] = [text[:LONGEST]]
    else:
        from interpreter.web.dropped import dropped

        wanted = dropped(table.state, said)
    told = speech.why(table.state, wanted, seat, lang)
    is_open = not isinstance(text, str) and said.get("to") is None  # it is held, and may still go to several places
    return {"t": "why", "lines": told or ([] if is_open else [speech.word(lang, "refused.nothing")])}


# ---- what moves cost -------------------------------------------------------------------------------------------------


async def _analysis(house: House, table: Table, lang: str, tell: Tell) -> Message:
    from interpreter.web.judged import judged

    loop = asyncio.get_running_loop()

    def tick(done: int, of: int) -> None:
        loop.call_soon_threadsafe(tell, {"t": "analysing", "done": done, "of": of})

    async with _analyses:
        return await house.aside(judged, record(table, lang), lang, tick)
