"""The connection of one browser at one seat. Its first message says the token, which therefore appears in no address."""

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
from hoyle.web.display import DisplaySettings, choose_language, translate
from hoyle.web.guards import LONGEST_MESSAGE, RateLimit, identify_client, parse_json
from hoyle.web.play.open_table import OpenTable
from hoyle.web.play.table_manager import TableManager
from hoyle.web.play.tables import TableError
from hoyle.web.protocol import DeltaEncoder, Message, build_pause_message, build_table_message, name_actor
from hoyle.web.seat_requests import answer_request

FIRST_MESSAGE_SECONDS = 15.0
MOST_WAITING = 40
"""Messages that may wait for a slow browser, and earlier events that a new visitor is told."""
WIDEST = 4000
"""Pixels."""
MOST_WINDOWS = 12
"""Open windows for each seat of a table."""
DEAD_LINK = 4000
"""The code that closes a connection when its link is not valid, so that the browser does not try again."""
_log = logging.getLogger(__name__)
_numbers = itertools.count(1)


class ProtocolError(Exception):
    """A message does not follow the protocol."""


class SeatConnection:
    """A browser at a table. Implements Visitor."""

    def __init__(
        self, socket: WebSocket, manager: TableManager, at: OpenTable, seat: str | None, settings: DisplaySettings
    ) -> None:
        self.socket, self.manager, self.at, self.seat, self.settings = socket, manager, at, seat, settings
        self.told = max(0, len(at.table.state.core.log or ()) - MOST_WAITING)
        """How many events it has been told."""
        self.seen = at.table.number
        """The number of the operation after the last one it was shown."""
        self._loop, self._has_messages = asyncio.get_running_loop(), asyncio.Event()
        self._waiting: list[Message] = []
        self._pictures, self._piles = DeltaEncoder(), DeltaEncoder()

    # ---- sending -----------------------------------------------------------------------------------------------------

    def show_change(self) -> None:
        """Queue the pause points since the last change, and the table as it is now."""
        table = self.at.table
        for pause in table.pauses:
            if pause.number >= self.seen:
                self._send_table(build_pause_message(table, pause, self.seat, self.settings, self.told))
        self.seen = table.number
        again, preparing = self.at.has_next, self.at.is_preparing
        self._send_table(build_table_message(table, self.seat, self.settings, self.told, preparing, again))

    def _send_table(self, message: Message) -> None:
        self.told = int(message["news"]["to"])
        self.send(message)

    def send(self, message: Message) -> None:
        """Queue a message. If the browser is too slow, older tables are dropped."""
        if len(self._waiting) > MOST_WAITING:
            self._waiting = [other for other in self._waiting if other["t"] != "table"][-MOST_WAITING:]
        self._waiting.append(message)
        self._loop.call_soon_threadsafe(self._has_messages.set)  # the rules of a temporary table run in another thread

    def refuse(self, key: str) -> None:
        lang = self.settings.lang
        text = translate(lang, f"refused.{key}", seat=name_actor(self.at.table, lang))
        self.send({"t": "refused", "why": key, "text": text})

    async def show_now(self) -> None:
        """Show the table as it is now. Raises TableError."""
        await self.manager.run_at(self.at, self.show_change)

    async def run_sender(self) -> None:
        while True:
            await self._has_messages.wait()
            self._has_messages.clear()
            while self._waiting:
                message = self._waiting.pop(0)
                if message["t"] == "table":  # encoded only now, since waiting messages may be dropped
                    svg = self._pictures.encode_picture(message["svg"])
                    message = {**message, "svg": svg, "piles": self._piles.encode_piles(message["piles"])}
                await _send(self.socket, message)

    # ---- receiving ---------------------------------------------------------------------------------------------------

    async def run(self) -> None:
        """Serve the browser until it leaves."""
        key = next(_numbers)
        self.at.visitors[key] = self
        try:
            await self.show_now()
            await self.manager.wake_bots(self.at)
        except TableError as error:
            self.refuse(error.key)
        except Exception:
            _log.exception("the table could not be shown")
            self.refuse("error")
        tasks = [asyncio.create_task(self._run_receiver()), asyncio.create_task(self.run_sender())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            del self.at.visitors[key]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _run_receiver(self) -> None:
        limit = RateLimit()
        while True:
            message = await _receive(self.socket)
            if not limit.take():
                await _close(self.socket, 1008)
                return
            await self._answer(message)

    async def _answer(self, message: Mapping[str, Any]) -> None:
        """Answer each message: by the table, by what was asked for, or by a refusal. Raises ProtocolError."""
        handler = _HANDLERS.get(str(message.get("t")))
        if handler is None:
            raise ProtocolError
        try:
            try:
                await handler(self, message)
            except TableError as error:
                self.refuse(error.key)
                if error.key == "late":
                    await self.show_now()
        except (ProtocolError, WebSocketDisconnect):
            raise
        except Exception:  # an internal error must not end the game
            _log.exception("a message could not be answered")
            self.refuse("error")

    @property
    def own_seat(self) -> str:
        """The seat. Raises TableError for a spectator."""
        if self.seat is None:
            raise TableError("guest")
        return self.seat

    async def move(self, message: Mapping[str, Any]) -> None:
        if not await self.manager.move(self.at, self.own_seat, _get_int(message, "n"), _get_text(message, "id")):
            await self.show_now()

    async def call(self, message: Mapping[str, Any]) -> None:
        if not await self.manager.call(self.at, self.own_seat, _get_int(message, "n"), _get_int(message, "made")):
            await self.show_now()

    async def undo(self, message: Mapping[str, Any]) -> None:
        if not await self.manager.undo(self.at, self.own_seat, _get_int(message, "n")):
            await self.show_now()

    async def change_settings(self, message: Mapping[str, Any]) -> None:
        """Change language, colours or size. In a new language all events are told again."""
        before, self.settings = self.settings.lang, parse_settings(message)
        self.told = self.told if before == self.settings.lang else 0
        await self.show_now()

    async def ask(self, message: Mapping[str, Any]) -> None:
        client, lang = identify_client(self.socket.scope), self.settings.lang
        self.send(await answer_request(self.manager, self.at, self.seat, lang, message, self.send, client))


_HANDLERS: dict[str, Callable[[SeatConnection, Mapping[str, Any]], Awaitable[None]]] = {
    "move": SeatConnection.move,
    "undo": SeatConnection.undo,
    "call": SeatConnection.call,
    "look": SeatConnection.change_settings,
    **dict.fromkeys(("hint", "why", "rules", "links", "again", "record", "analyse"), SeatConnection.ask),
}


# ---- parts of messages: raise ProtocolError --------------------------------------------------------------------------


def _get_int(message: Mapping[str, Any], key: str) -> int:
    value = message.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise ProtocolError
    return value


def _get_text(message: Mapping[str, Any], key: str) -> str:
    value = message.get(key)
    if not isinstance(value, str):
        raise ProtocolError
    return value


def parse_settings(message: Mapping[str, Any]) -> DisplaySettings:
    """Read display settings. Wrong values become defaults."""
    sizes = [message.get("width"), message.get("height")]
    width, height = (max(0, min(size, WIDEST)) if isinstance(size, int) else 0 for size in sizes)
    tone = "dark" if message.get("tone") == "dark" else "light"
    return DisplaySettings(
        choose_language(message.get("lang")), tone, message.get("four") is True, width, height, Fit()
    )


# ---- the socket ------------------------------------------------------------------------------------------------------


async def _receive(socket: WebSocket) -> Mapping[str, Any]:
    """Return the next message, a JSON object. Raises ProtocolError, WebSocketDisconnect."""
    event = await socket.receive()
    if event["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(event["code"])
    text = event.get("text")
    if text is None or len(text) > LONGEST_MESSAGE:
        raise ProtocolError
    try:
        message = parse_json(text)
    except ValueError:
        raise ProtocolError from None
    if not isinstance(message, dict):
        raise ProtocolError
    return message


async def _send(socket: WebSocket, message: Message) -> None:
    """Raises WebSocketDisconnect."""
    try:
        await socket.send_text(msgspec.json.encode(message).decode())
    except RuntimeError:  # the connection was closed on this side
        raise WebSocketDisconnect(1006) from None


async def _close(socket: WebSocket, code: int) -> None:
    try:
        await socket.close(code)
    except (RuntimeError, WebSocketDisconnect):  # it is closed already
        return


async def serve_seat(socket: WebSocket) -> None:
    """Serve a browser from its first message on. Code 1008: it broke the protocol; 1011: internal error."""
    await socket.accept()
    try:
        connection = await _connect(socket, socket.app.state.manager)
        if connection is not None:
            await connection.run()
    except ProtocolError:
        await _close(socket, 1008)
    except WebSocketDisconnect:
        return
    except Exception:
        _log.exception("a browser could not be answered")
        await _close(socket, 1011)


async def _connect(socket: WebSocket, manager: TableManager) -> SeatConnection | None:
    """Find the seat that the first message asks for. If that fails, tell why, close, and return None."""
    try:
        message = await asyncio.wait_for(_receive(socket), FIRST_MESSAGE_SECONDS)
    except TimeoutError:
        raise ProtocolError from None
    settings = parse_settings(message)
    try:
        if message.get("t") != "sit":
            raise ProtocolError
        at, seat = await manager.find_seat(_get_text(message, "token"), identify_client(socket.scope))
        if len(at.visitors) >= MOST_WINDOWS * len(at.table.kinds):
            raise TableError("crowd")
    except (TableError, Refused) as error:
        key = error.key if isinstance(error, TableError) else "rules"
        await _send(socket, {"t": "closed", "why": key, "text": translate(settings.lang, f"refused.{key}")})
        await _close(socket, DEAD_LINK)
        return None
    return SeatConnection(socket, manager, at, seat, settings)
