"""Prints what the program says about some games, as JSON: run with msgspec and with its stand-in. Not a test itself."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import msgspec

from hoyle import load
from hoyle.diagnostics import Refused
from hoyle.rulebook.book import build_book
from hoyle.rulebook.formats import render_markdown
from hoyle.site.worker import BrowserServer
from hoyle.web.app import Options, _Order

ORDERS = (
    '{"game": "x", "seats": {"A": "human"}}',
    '{"game": "x", "seats": {}, "options": {"a": true, "b": 3, "c": "d"}, "seed": 7}',
    '{"game": 1, "seats": {}}',
    '{"seats": {}}',
    '{"game": "x", "seats": {"A": 1}}',
    '{"game": "x", "seats": {}, "seed": -1}',
    '{"game": "x", "seats": {}, "seed": 9007199254740992}',
    '{"game": "x", "seats": {}, "options": {"a": 1.5}}',
    '{"game": "x", "seats": {}, "options": {"a": "' + 60 * "b" + '"}}',
    '{"game": "x", "seats": {}, "options": null}',
    '{"game": "x", "seats": {}} {}',
    "[]",
    "NaN",
    "",
)


def parse(text: str) -> str:
    try:
        return repr(msgspec.json.decode(text, type=_Order))
    except msgspec.MsgspecError:
        return "refused"


async def visit(report: dict[str, Any]) -> None:
    saved: dict[str, str] = {}
    server = BrowserServer("[]", saved.__setitem__, lambda name, path: asyncio.sleep(0, False))
    report["game"] = (await server.request("GET", "/api/games/barbu?lang=fr"))[2].decode()
    order = json.dumps({"game": "cribbage", "seats": {"A": "human", "B": "first"}, "seed": 3})
    status, _, answer = await server.request("POST", "/api/tables", order)
    sit = json.dumps({"t": "sit", "token": json.loads(answer)["tokens"]["A"], "lang": "fr"})
    told: list[str] = []
    seat = server.open_seat(told.append, lambda code: told.append(str(code)))
    seat.send(sit)
    while not told:
        await asyncio.sleep(0.01)
    seat.send(json.dumps({"t": "move", "n": 0, "id": json.loads(told[0])["moves"][0]["id"]}))
    while len(told) < 2 or not json.loads(told[-1])["moves"]:  # under load the table skips what comes between
        await asyncio.sleep(0.01)
    again: list[str] = []
    server.open_seat(again.append, lambda code: again.append(str(code))).send(sit)
    while not again:
        await asyncio.sleep(0.01)
    restored = BrowserServer(
        f"[{','.join(saved.values())}]", saved.__setitem__, lambda name, path: asyncio.sleep(0, False)
    )
    report["table"] = [status, told[0], again[0], len(saved), restored.app is not None]


def main() -> None:
    report: dict[str, Any] = {"msgspec": "C" if hasattr(msgspec, "msgpack") else "Python"}
    report["orders"] = [parse(text) for text in ORDERS]
    report["options"] = repr(msgspec.json.decode('{"a": 1}', type=Options))
    for name in ("klondike", "barbu", "backgammon"):
        game = load(name)
        state = game.start(seed=5)
        for _ in range(40):
            if not state.is_over:
                state = state.play(state.moves()[-1])
        report[name] = [game.digest, state.to_json(), [move.text("fr") for move in state.moves()]]
    report["rules"] = render_markdown(build_book(load("klondike"), "fr"))
    try:
        load("klondike", {"draw": 7})
    except Refused as refused:
        report["refused"] = [repr(problem.message) + str(problem.help) for problem in refused.diagnostics]
    asyncio.run(visit(report))
    print(json.dumps(report, default=str))


if __name__ == "__main__":
    main()
