"""The server inside a browser's worker: requests and seats arrive as messages instead of by HTTP and WebSocket.

Runs in Pyodide. `static/worker.js` creates one `BrowserServer` and calls it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from hoyle.game.game import Game
from hoyle.native.engine_builder import engine_file
from hoyle.web.app import create_app
from hoyle.web.guards import HostNames
from hoyle.web.play.bot_runner import BotPreparation
from hoyle.web.play.stored_tables import MemoryStore
from hoyle.web.play.table_manager import TableManager
from hoyle.web.shelf import OwnRulesets, load_rulesets
from hoyle.workshop.routes import list_routes

HEADERS = [(b"host", b"localhost"), (b"origin", b"http://localhost"), (b"content-type", b"application/json")]
PROGRAM = Path(__file__).resolve().parents[2]
"""The folder into which the program is unpacked."""
_CLIENT = ("127.0.0.1", 0)


class BrowserServer:
    """The application of `hoyle serve` with tables that the browser keeps.

    Args:
        tables: JSON of all kept tables, a list of what `save` was given.
        save: is called with a table's id and its contents as JSON after each change.
        fetch: gets a file of compiled bots by name; returns False if the site has none.
        extras: JSON of `rulesets`, paths of rulesets that are not shipped, and `options` by game, used unless others are
            asked for.
    """

    def __init__(
        self,
        tables: str,
        save: Callable[[str, str], None],
        fetch: Callable[[str, str], Awaitable[bool]],
        extras: str = '{"rulesets": [], "options": {}}',
    ) -> None:
        store = MemoryStore(lambda ident, contents: save(ident, json.dumps(contents)))
        for contents in json.loads(tables):
            store.restore(contents)
        extra = json.loads(extras)
        own, _ = load_rulesets(PROGRAM / path for path in extra["rulesets"])
        manager = _SiteTableManager(store, own, extra["options"])
        manager.preparation = _FetchedPreparation(fetch)
        self.app = create_app(manager, HostNames(()), list_routes(manager))

    async def request(self, method: str, address: str, body: str | None = None) -> tuple[int, str, bytes]:
        """Answer a request with its status, content type and body. `address`: a path with its query."""
        parts, sent = urlsplit(address), list[bytes]()
        status, content_type = 500, ""
        messages = iter([{"type": "http.request", "body": (body or "").encode(), "more_body": False}])

        async def receive() -> Any:
            return next(messages, {"type": "http.disconnect"})

        async def send(message: Any) -> None:
            nonlocal status, content_type
            if message["type"] == "http.response.start":
                status = message["status"]
                content_type = dict(message["headers"]).get(b"content-type", b"").decode()
            else:
                sent.append(message.get("body", b""))

        path = unquote(parts.path)
        scope = {**_make_scope("http", path, parts.query), "method": method, "scheme": "http"}
        await self.app(scope, receive, send)
        return status, content_type, b"".join(sent)

    def open_seat(self, received: Callable[[str], None], closed: Callable[[int], None]) -> SeatChannel:
        """Open the connection of a seat. The page's messages are given to the channel's `send`."""
        return SeatChannel(self.app, received, closed)


class _SiteTableManager(TableManager):
    """A table manager with options of games. They are used unless others are asked for."""

    def __init__(self, store: MemoryStore, own: OwnRulesets, options: Mapping[str, Mapping[str, Any]]) -> None:
        super().__init__(store, own)
        self.options = options

    async def load_game(self, name: str, options: Mapping[str, Any], client: str) -> Game:
        return await super().load_game(name, {**self.options.get(name, {}), **options}, client)


class SeatChannel:
    """A WebSocket without a network. `received` is called with each text of the server, `closed` with the code at the end."""

    def __init__(self, app: Any, received: Callable[[str], None], closed: Callable[[int], None]) -> None:
        self._messages: asyncio.Queue[Any] = asyncio.Queue()
        self._messages.put_nowait({"type": "websocket.connect"})
        self._received, self._closed = received, closed
        self._task = asyncio.ensure_future(self._run(app))

    def send(self, text: str) -> None:
        self._messages.put_nowait({"type": "websocket.receive", "text": text})

    def close(self) -> None:
        self._messages.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async def _run(self, app: Any) -> None:
        code = 1000

        async def send(message: Any) -> None:
            nonlocal code
            if message["type"] == "websocket.send":
                self._received(message["text"])
            elif message["type"] == "websocket.close":
                code = message.get("code", 1000)

        try:
            await app(_make_scope("websocket", "/api/seat", ""), self._messages.get, send)
        finally:
            self._closed(code)


def _make_scope(type: str, path: str, query: str) -> dict[str, Any]:
    return {
        "type": type,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": HEADERS,
        "client": _CLIENT,
        "server": ("localhost", 80),
    }


class _FetchedPreparation(BotPreparation):
    """Fetches the compiled bots of a game before they are prepared. Python searches where the site has none."""

    def __init__(self, fetch: Callable[[str, str], Awaitable[bool]]) -> None:
        super().__init__()
        self._fetch = fetch

    async def _prepare(self, game: Game, client: str) -> object:
        path: Path = engine_file(game.ruleset, game.machine)
        if not path.exists():
            await self._fetch(path.name, str(path))
        return await super()._prepare(game, client)
