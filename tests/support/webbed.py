"""A web server in a thread of this process, and clients that speak its protocol without a browser."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import quote, urlencode

from msgspec import Struct
from packed import laid, variant
from rules import watched_at
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from hoyle.cli.commands.servers import create_server
from hoyle.web.guards import RateLimits
from hoyle.web.play.store import Store
from hoyle.web.shelf import OwnRulesets, load_rulesets

SECONDS = 60.0


def shared(folder: Path) -> Web:
    """A server with the rulesets `watched` and `open-klondike` of a folder, shared by many tests."""
    laid(folder, {"variant": variant("open-klondike", "{en: Open Klondike, fr: Klondike ouvert}")})
    own, wrong = load_rulesets([watched_at(folder), folder / "variant.yaml"])
    assert wrong == []
    free = RateLimits(1e9, 1e9)
    with patch("hoyle.web.app.RateLimits", lambda *_: free), patch("hoyle.workshop.routes.RateLimits", lambda *_: free):
        return Web(folder / "games.sqlite", own)


class Answer(Struct, frozen=True):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


class Web:
    """A server with a file of tables and users' own rulesets."""

    def __init__(self, place: Path, own: OwnRulesets | None = None) -> None:
        self.place = place
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.door.getsockname()[1])
        self.host = f"localhost:{self.port}"
        self.origin = f"http://{self.host}"
        self.server = create_server(Store(place), "127.0.0.1", own)
        self.thread = threading.Thread(target=lambda: asyncio.run(self.server.serve(sockets=[self.door])), daemon=True)
        self.thread.start()
        self.seats = list[Seat]()

    def leave(self) -> None:
        while self.seats:
            self.seats.pop().leave()

    def stop(self) -> None:
        self.leave()
        self.server.should_exit = True
        self.thread.join(SECONDS)
        assert not self.thread.is_alive()

    def ask(self, method: str, path: str, body: bytes | None = None, **headers: str) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        try:
            connection.request(method, path, body, {"host": self.host, "origin": self.origin, **headers})
            found = connection.getresponse()
            return Answer(found.status, {k.lower(): v for k, v in found.getheaders()}, found.read())
        finally:
            connection.close()

    def get(self, path: str, **params: object) -> Answer:
        return self.ask("GET", f"{quote(path)}?{urlencode(params)}" if params else path)

    def post(self, path: str, order: object, **headers: str) -> Answer:
        body = order if isinstance(order, bytes) else json.dumps(order).encode()
        return self.ask("POST", path, body, **headers)

    def begin(self, name: str, *kinds: str, **more: Any) -> dict[str, str]:
        """Create a table; return the tokens by seat."""
        options = json.dumps(more.get("options", {}))
        seats = [seat for seat, _ in self.get(f"/api/games/{name}", options=options).json()["seats"]]
        order = {"game": name, "seats": dict(zip(seats, kinds, strict=True)), "seed": 5, **more}
        answer = self.post("/api/tables", order)
        assert answer.status == 201, answer.text
        found: dict[str, str] = answer.json()["tokens"]
        return found

    def sit(self, token: str, origin: str | None = None, **look: Any) -> Seat:
        address = f"ws://{self.host}/api/seat"
        call = connect(address, origin=Origin(origin or self.origin), open_timeout=SECONDS, compression=None)
        self.seats.append(Seat(call, token, look))
        return self.seats[-1]

    def finish(self, name: str, *kinds: str, **more: Any) -> dict[str, str]:
        """Create a table and play to the end; return the tokens by seat."""
        tokens = self.begin(name, *kinds, **more)
        seats = [self.sit(token) for token in tokens.values()]
        while not all(seat.table["over"] for seat in seats):
            for seat in seats:
                if seat.table["moves"]:
                    seat.move()
            newest = max(seat.table["n"] for seat in seats)
            for seat in seats:
                while seat.table["n"] < newest or "stop" in seat.table:
                    seat.hear("table")
        self.leave()
        return tokens

    def sit_all(self, tokens: dict[str, str]) -> tuple[Seat, Seat]:
        """Return both seats of a table, the one that acts first."""
        one, other = (self.sit(token) for token in tokens.values())
        return (one, other) if one.table["moves"] else (other, one)


class Seat:
    """A client at a seat: `table` is the last table it was sent, `bytes` everything."""

    def __init__(self, call: Any, token: str, look: dict[str, Any]) -> None:
        self.stack = ExitStack()
        self.line: ClientConnection = self.stack.enter_context(call)
        self.bytes, self.table = list[str](), dict[str, Any]()
        self.known: dict[str, list[Any]] = {"svg": [], "piles": []}
        self.say(t="sit", token=token, **look)
        self.first = self.hear("table", "closed")

    def say(self, **what: Any) -> None:
        self.line.send(json.dumps(what))

    def hear(self, *kinds: str, seconds: float = SECONDS) -> dict[str, Any]:
        while True:
            text = self.line.recv(timeout=seconds)
            assert isinstance(text, str)
            self.bytes.append(text)
            found: dict[str, Any] = json.loads(text)
            if found["t"] == "table":
                self.table = found | {
                    "svg": "".join(self._whole("svg", found["svg"])),
                    "piles": self._whole("piles", found["piles"]),
                }
                found = self.table
            if found["t"] in kinds:
                return found

    def _whole(self, what: str, packed: list[Any]) -> list[Any]:
        """Decode numbers into the parts that were sent before."""
        found, known = [], self.known[what]
        for one in packed:
            if one is None:
                known.clear()
            elif not isinstance(one, int):
                known.append(one)
            if one is not None:
                found.append(known[one] if isinstance(one, int) else one)
        return found

    def move(self, which: int = 0) -> dict[str, Any]:
        """Make one of the offered moves and return the answer."""
        self.say(t="move", n=self.table["n"], id=self.table["moves"][which]["id"])
        return self.hear("table", "refused")

    def until_asked(self) -> None:
        while not self.table["moves"] and not self.table["over"]:
            self.hear("table")

    def play_out(self) -> None:
        """Make the first legal move until the game is over."""
        while not self.table["over"]:
            self.move() if self.table["moves"] else self.hear("table")

    def record(self) -> str:
        self.say(t="record")
        return str(self.hear("record")["text"])

    def leave(self) -> None:
        self.stack.close()
