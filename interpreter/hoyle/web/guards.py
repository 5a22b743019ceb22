"""Protection of the server: allowed hosts and origins, rate limits, time limits, and headers that restrict the browser."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from ipaddress import ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

import msgspec

LONGEST_MESSAGE, LONGEST_BODY = 8_192, 4_000_000
"""Bytes: of a message at a table, and of a record."""
MESSAGES_PER_SECOND, MESSAGE_BURST = 20.0, 60.0
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; frame-src 'self'; manifest-src 'self'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "SAMEORIGIN",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
LOOPBACK = ("localhost", "127.0.0.1", "::1")


# ---- hosts, origins and clients --------------------------------------------------------------------------------------


class HostNames:
    """The host names of this server. Requests for other names are refused, as protection against DNS rebinding."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = {name.casefold() for name in (*LOOPBACK, *names)}

    def is_own(self, host: str) -> bool:
        """Return whether a `Host` header names this server. The port does not matter."""
        try:
            parts = urlsplit(f"//{host}")
            return bool(host) and parts.port != 0 and (parts.hostname or "").casefold() in self._names
        except ValueError:
            return False


def is_same_origin(origin: str, host: str) -> bool:
    """Return whether the page that sends a request came from the same host and port."""
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and bool(host) and parts.netloc.casefold() == host.casefold()


def identify_client(scope: Any) -> str:
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


def get_header(scope: Any, name: bytes) -> str:
    """Return a header that is given exactly once, else an empty string."""
    values = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return str(values[0]) if len(values) == 1 else ""


def parse_json(text: str | bytes) -> Any:
    """Parse strict JSON, without lone surrogates. Raises ValueError."""
    try:
        return msgspec.json.decode(text)
    except RecursionError:
        raise ValueError("too deep") from None


# ---- rate limits -----------------------------------------------------------------------------------------------------


class RateLimit:
    """A token bucket: so many per second in the long run, with bursts."""

    def __init__(self, per_second: float = MESSAGES_PER_SECOND, burst: float = MESSAGE_BURST) -> None:
        self._per_second, self._burst, self._left, self._updated = per_second, burst, burst, time.monotonic()

    def take(self) -> bool:
        """Count one request. Return False if it exceeds the limit."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._updated) * self._per_second)
        self._updated = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class RateLimits:
    """A rate limit for each client. The oldest clients are forgotten when there are more than `most`."""

    def __init__(self, per_second: float, burst: float, most: int = 10_000) -> None:
        self._per_second, self._burst, self._most = per_second, burst, most
        self._by_client: dict[str, RateLimit] = {}

    def take(self, client: str) -> bool:
        if len(self._by_client) > self._most:
            self._by_client.pop(next(iter(self._by_client)))
        return self._by_client.setdefault(client, RateLimit(self._per_second, self._burst)).take()


# ---- requests --------------------------------------------------------------------------------------------------------


class GuardedApp:
    """ASGI middleware: refuses foreign hosts and origins and too many requests, and adds headers to all answers."""

    def __init__(self, app: Any, names: HostNames, limits: RateLimits) -> None:
        self._app, self._names, self._limits = app, names, limits

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        host, is_socket = get_header(scope, b"host"), scope["type"] == "websocket"
        has_effects = is_socket or scope["method"] not in ("GET", "HEAD")
        is_limited = not is_socket and str(scope["path"]).startswith("/api/")
        if not self._names.is_own(host):
            await _refuse(scope, send, 421)
        elif has_effects and not is_same_origin(get_header(scope, b"origin"), host):
            await _refuse(scope, send, 403)
        elif is_limited and not self._limits.take(identify_client(scope)):
            await _refuse(scope, send, 429)
        else:
            await self._app(scope, receive, _add_headers(send))


def _add_headers(send: Any) -> Any:
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
    sending = _add_headers(send)
    text = b"refused\n"  # the connection stays open: closed with an unread body, it would be reset before the answer is read
    headers = [(b"content-type", b"text/plain"), (b"content-length", str(len(text)).encode())]
    await sending({"type": "http.response.start", "status": status, "headers": headers})
    await sending({"type": "http.response.body", "body": text})
