"""Who may ask: only a page of this server, under a name of its own; so much, so often. And what a browser may do with what it gets."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping
from ipaddress import ip_address, ip_network
from typing import Any, cast
from urllib.parse import urlsplit

import msgspec
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

LONGEST_MESSAGE, LONGEST_BODY = 8_192, 4_000_000
"""Bytes of what a page may say at once: at a table; of a record that is opened."""
A_SECOND, AT_ONCE = 20.0, 60.0
"""Messages that are answered in the long run, and in a burst."""
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; manifest-src 'self'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Names:
    """The names that this server goes by: a page of another name, whatever it leads to, is none of its own."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {name.casefold() for name in (*LOOPBACK, *names)}

    def is_own(self, host: str) -> bool:
        """Is this `Host` one of them, with whatever port?"""
        try:
            found = urlsplit(f"//{host}")
            return bool(host) and found.port != 0 and (found.hostname or "").casefold() in self._names
        except ValueError:
            return False


def client_of(scope: Any) -> str:
    """Return the client that limits count: an address. Loopback addresses are one client, and so is an IPv6 /64 network."""
    host = scope["client"][0] if scope.get("client") else ""
    try:
        address = ip_address(host)
    except ValueError:
        return str(host)
    if address.version == 6:
        address = address.ipv4_mapped or address
    if address.is_loopback:
        return LOOPBACK[0]
    return str(address) if address.version == 4 else str(ip_network((address, 64), strict=False))


def parse_json(text: str | bytes) -> Any:
    """Strict JSON: half a surrogate pair is none. Raises ValueError."""
    try:
        return msgspec.json.decode(text)
    except RecursionError:
        raise ValueError("too deep") from None


def is_same_origin(origin: str, host: str) -> bool:
    """Was this asked by a page that came from the same name and port?"""
    found = urlsplit(origin)
    return found.scheme in ("http", "https") and bool(host) and found.netloc.casefold() == host.casefold()


class Bucket:
    """So many a second in the long run, and some at once."""

    def __init__(self, a_second: float = A_SECOND, at_once: float = AT_ONCE) -> None:
        self._a_second, self._most, self._left, self._at = a_second, at_once, at_once, time.monotonic()

    def take(self) -> bool:
        """Is there room for one more?"""
        now = time.monotonic()
        self._left = min(self._most, self._left + (now - self._at) * self._a_second)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """One for each client. When there are too many, the oldest is forgotten."""

    def __init__(self, a_second: float, at_once: float, most: int = 10_000) -> None:
        self._a_second, self._at_once, self._most = a_second, at_once, most
        self._of: dict[str, Bucket] = {}

    def take(self, who: str) -> bool:
        if len(self._of) > self._most:
            self._of.pop(next(iter(self._of)))
        return self._of.setdefault(who, Bucket(self._a_second, self._at_once)).take()


class Guarded:
    """An ASGI application behind these: strangers' names and too many questions are refused, and all answers have the headers."""

    def __init__(self, app: Any, names: Names, questions: Buckets) -> None:
        self._app, self._names, self._questions = app, names, questions

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
        elif not self._names.is_own(header(scope, b"host")):
            await _refuse(scope, send, 421)
        elif _changes(scope) and not is_same_origin(header(scope, b"origin"), header(scope, b"host")):
            await _refuse(scope, send, 403)
        elif _is_question(scope) and not self._questions.take(client_of(scope)):
            await _refuse(scope, send, 429)
        else:
            await self._app(scope, receive, _with_headers(send))


def header(scope: Any, name: bytes) -> str:
    found = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return str(found[0]) if len(found) == 1 else ""


def _is_question(scope: Any) -> bool:
    """Return whether a request is limited: all but files are."""
    return scope["type"] == "http" and str(scope["path"]).startswith("/api/")


def _changes(scope: Any) -> bool:
    """Does this do something, so that another page must not be able to ask for it?"""
    return scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")


def _with_headers(send: Any) -> Any:
    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            own = {key.lower() for key, _ in message["headers"]}
            more = [(k.lower().encode(), v.encode()) for k, v in HEADERS.items() if k.lower().encode() not in own]
            message = {**message, "headers": [*message["headers"], *more]}
        await send(message)

    return sending


async def _refuse(scope: Any, send: Any, status: int) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})  # before it is accepted: the handshake fails with 403
        return
    sending = _with_headers(send)
    text = b"refused\n"  # the connection stays open: closed with an unread body, it would be reset before the answer is read
    headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(text)).encode())]
    await sending({"type": "http.response.start", "status": status, "headers": headers})
    await sending({"type": "http.response.body", "body": text})


SECONDS = 5.0
"""How long the head of a request may take, from the first byte of the connection or of that request on."""


class TimedProtocol(H11Protocol):
    """Bytes that come slowly do not extend the time."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._time()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._time()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop()

    def _time(self) -> None:
        """Run the timer exactly while a request is due."""
        if not self._waits():
            self._stop()
        elif self._timer is None:
            self._timer = self.loop.call_later(SECONDS, self._give_up)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _give_up(self) -> None:
        self._timer = None
        if self._waits():
            self.transport.close()

    def _waits(self) -> bool:
        """Return whether a request is due and the connection is still HTTP, not a socket."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return (cycle is None or cycle.response_complete) and self.transport.get_protocol() is self
