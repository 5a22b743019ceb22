"""One browser at one seat: what it says, and what it is told. It says who it is first; its token is in no address."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from hoyle.diagnostics import Refused
from hoyle.pictures.picture import Fit
from hoyle.web import display, seat_requests
from hoyle.web.display import Taste
from hoyle.web.guards import LONGEST_MESSAGE, Bucket, client_of, parse_json
from hoyle.web.play.table_manager import House, Open
from hoyle.web.play.tables import NotNow
from hoyle.web.protocol import Message, Sent, stop_message, table_message, to_act

WAITING = 15.0
"""Seconds in which a browser must say who it is."""
LATEST = 40
"""So much of what happened before it came a seat is told, in entries of the log."""
WIDEST = 4000
"""Pixels of a room that is believed."""
MOST_GUESTS = 12
"""Windows that may be open at one seat."""
NOWHERE = 4000
"""Why a line ends that never will lead anywhere."""
_log = logging.getLogger(__name__)
_numbers = itertools.count(1)


class Rude(Exception):
    """What was said is not of the protocol."""


class Seated:
    """A browser that sits at a table."""

    def __init__(self, socket: WebSocket, house: House, at: Open, seat: str | None, taste: Taste) -> None:
        self.socket, self.house, self.at, self.seat, self.taste = socket, house, at, seat, taste
        self.told = max(0, len(at.table.state.core.log or ()) - LATEST)
        self.seen = at.table.number
        self._due = asyncio.Event()
        self._waiting: list[Message] = []
        self._sent = {"svg": Sent(), "piles": Sent()}

    # ---- what it is told ----

    def changed(self) -> None:
        """Something was done: the table as it is now will be sent, after what waits already and where it stopped since it was sent last."""
        table = self.at.table
        for stop in table.stops:
            if stop.number >= self.seen:
                self.tell(self._told(stop_message(table, stop, self.seat, self.taste, self.told)))
        self.seen = table.number
        self.tell(self.table())

    def begins(self) -> None:
        """It has come: seats move that nobody sits at."""
        try:
            self.changed()
            self.house.wake(self.at)
        except NotNow as refused:
            self.refuse(refused.key)
        except Exception:
            _log.exception("the table could not be shown")
            self.refuse("error")

    def table(self) -> Message:
        return self._told(
            table_message(self.at.table, self.seat, self.taste, self.told, self.at.preparing, self.at.is_again)
        )

    def _told(self, message: Message) -> Message:
        self.told = int(message["news"]["to"])
        return message

    def tell(self, message: Message) -> None:
        if len(self._waiting) > LATEST:  # too slow to see it all: what lies between is left out
            self._waiting = [one for one in self._waiting if one["t"] != "table"][-LATEST:]
        self._due.set()
        self._waiting.append(message)

    async def sending(self) -> None:
        while True:
            await self._due.wait()
            self._due.clear()
            while self._waiting:
                await _send(self.socket, self._short(self._waiting.pop(0)))

    def _short(self, message: Message) -> Message:
        """Without what it was sent before. Only now: what waited may have been left out."""
        if message["t"] != "table":
            return message
        svg, piles = self._sent["svg"].picture(message["svg"]), self._sent["piles"].piles(message["piles"])
        return {**message, "svg": svg, "piles": piles}

    # ---- what it says ----

    async def hearing(self) -> None:
        bucket = Bucket()
        while True:
            said = await heard(self.socket)
            if not bucket.take():
                await _leave(self.socket, 1008)
                return
            await self.answer(said)

    async def answer(self, said: Mapping[str, Any]) -> None:
        """Every message is answered: by the table as it is then, by what was asked for, or by why not. What goes wrong here is no fault of theirs."""
        do = _ANSWERS.get(str(said.get("t")))
        if do is None:
            raise Rude
        try:
            await do(self, said)
        except NotNow as refused:
            self.refuse(refused.key)
        except (Rude, WebSocketDisconnect):
            raise
        except Exception:
            _log.exception("a message could not be answered")
            self.refuse("error")

    def refuse(self, key: str) -> None:
        text = display.word(self.taste.lang, f"refused.{key}", seat=to_act(self.at.table, self.taste.lang))
        self.tell({"t": "refused", "why": key, "text": text})
        if key == "late":
            self.changed()

    @property
    def own(self) -> str:
        """Its seat. Raises NotNow if it only looks on."""
        if self.seat is None:
            raise NotNow("guest")
        return self.seat

    async def moves(self, said: Mapping[str, Any]) -> None:
        if not self.house.move(self.at, self.own, _number(said), _text(said, "id")):
            self.changed()

    async def calls(self, said: Mapping[str, Any]) -> None:
        if not self.house.call(self.at, self.own, _number(said), _number(said, "made")):
            self.changed()

    async def undoes(self, said: Mapping[str, Any]) -> None:
        if not self.house.undo(self.at, self.own, _number(said)):
            self.changed()

    async def looks(self, said: Mapping[str, Any]) -> None:
        """Another language, other colours, another width. In another language everything is told anew."""
        before, self.taste = self.taste.lang, taste_of(said)
        self.told = self.told if before == self.taste.lang else 0
        self.changed()

    async def asks(self, said: Mapping[str, Any]) -> None:
        client = client_of(self.socket.scope)
        self.tell(await seat_requests.answer(self.house, self.at, self.seat, self.taste.lang, said, self.tell, client))


_ANSWERS: dict[str, Callable[[Seated, Mapping[str, Any]], Awaitable[None]]] = {
    "move": Seated.moves,
    "undo": Seated.undoes,
    "call": Seated.calls,
    "look": Seated.looks,
    "hint": Seated.asks,
    "why": Seated.asks,
    "rules": Seated.asks,
    "links": Seated.asks,
    "again": Seated.asks,
    "record": Seated.asks,
    "analyse": Seated.asks,
}


def _number(said: Mapping[str, Any], key: str = "n") -> int:
    found = said.get(key)
    if not isinstance(found, int) or isinstance(found, bool):
        raise Rude
    return found


def _text(said: Mapping[str, Any], key: str) -> str:
    found = said.get(key)
    if not isinstance(found, str):
        raise Rude
    return found


def taste_of(said: Mapping[str, Any]) -> Taste:
    return Taste(
        display.language(said.get("lang")),
        "dark" if said.get("tone") == "dark" else "light",
        said.get("four") is True,
        _pixels(said, "width"),
        _pixels(said, "height"),
        Fit(),
    )


def _pixels(said: Mapping[str, Any], key: str) -> int:
    found = said.get(key)
    return max(0, min(found, WIDEST)) if isinstance(found, int) else 0


async def heard(socket: WebSocket) -> Mapping[str, Any]:
    """What a browser says: an object, no longer than it may be. Raises Rude, WebSocketDisconnect."""
    said = await socket.receive()
    if said["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(said["code"])
    text = said.get("text")
    if text is None or len(text) > LONGEST_MESSAGE:
        raise Rude
    try:
        found = parse_json(text)
    except ValueError:
        raise Rude from None
    if not isinstance(found, dict):
        raise Rude
    return found


async def table_socket(socket: WebSocket) -> None:
    """A browser comes, says which seat is its own, and stays until it leaves. Only what it says that is not of the protocol is refused so; what goes
    wrong here is told, and it may come again."""
    await socket.accept()
    house: House = socket.app.state.house
    try:
        seated = await _seated(socket, house)
        if seated is not None:
            await _stay(seated)
    except Rude:
        await _leave(socket, 1008)
    except WebSocketDisconnect:
        return
    except Exception:
        _log.exception("a browser could not be answered")
        await _leave(socket, 1011)


async def _send(socket: WebSocket, message: Message) -> None:
    """Raises WebSocketDisconnect."""
    text = msgspec.json.encode(message).decode()
    try:
        await socket.send_text(text)
    except RuntimeError:  # the line was closed here
        raise WebSocketDisconnect(1006) from None


async def _leave(socket: WebSocket, code: int) -> None:
    try:
        await socket.close(code)
    except (RuntimeError, WebSocketDisconnect):  # it has gone already
        return


async def _seated(socket: WebSocket, house: House) -> Seated | None:
    """Whose link is not known is told so."""
    try:
        said = await asyncio.wait_for(heard(socket), WAITING)
    except TimeoutError:
        raise Rude from None
    taste = taste_of(said)
    try:
        if said.get("t") != "sit":
            raise Rude
        at, seat = await house.sit(_text(said, "token"), client_of(socket.scope))
        if len(at.guests) >= MOST_GUESTS * len(at.table.kinds):
            raise NotNow("crowd")
    except (NotNow, Refused) as refused:
        key = refused.key if isinstance(refused, NotNow) else "rules"
        text = display.word(taste.lang, f"refused.{key}")
        await _send(socket, {"t": "closed", "why": key, "text": text})
        await _leave(socket, NOWHERE)
        return None
    return Seated(socket, house, at, seat, taste)


async def _stay(seated: Seated) -> None:
    key = next(_numbers)
    seated.at.guests[key] = seated
    seated.begins()
    works = [asyncio.create_task(seated.hearing()), asyncio.create_task(seated.sending())]
    try:
        done, _ = await asyncio.wait(works, return_when=asyncio.FIRST_COMPLETED)
        for one in done:
            one.result()
    finally:
        del seated.at.guests[key]
        for one in works:
            one.cancel()
        await asyncio.gather(*works, return_exceptions=True)
