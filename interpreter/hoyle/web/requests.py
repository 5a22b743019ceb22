"""Parts of HTTP requests: language, client, body, JSON. Wrong ones raise RequestError."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request

from hoyle.web import display
from hoyle.web.guards import RateLimits, identify_client

IDLE_SECONDS, BODY_SECONDS = 5.0, 30.0
"""Time limits: for the next part of a body, and for all of it."""


class RequestError(Exception):
    """A wrong request, or one for something that does not exist. `key` names the sentence `refused.KEY`."""

    def __init__(self, status: int = 400, key: str = "asked", text: str = "") -> None:
        """`text` replaces the sentence."""
        super().__init__(key)
        self.status, self.key, self._text = status, key, text

    def translate(self, lang: str) -> str:
        return self._text or display.translate(lang, f"refused.{self.key}")


def get_language(request: Request) -> str:
    return display.choose_language(request.query_params.get("lang"))


def get_client(request: Request) -> str:
    return identify_client(request.scope)


def limit_rate(request: Request, limits: RateLimits) -> None:
    """Raises RequestError if the client asks too often."""
    if not limits.take(get_client(request)):
        raise RequestError(429, "often")


def parse_json(data: str | bytes, expected: Any) -> Any:
    """Parse strict JSON of an expected type. Raises RequestError."""
    try:
        return msgspec.json.decode(data, type=expected)
    except (ValueError, RecursionError):
        raise RequestError from None


async def read_body(request: Request, most: int) -> bytes:
    """Read a body of at most `most` bytes, within the time limits."""
    body, loop = bytearray(), asyncio.get_running_loop()
    end = loop.time() + BODY_SECONDS
    try:
        async with asyncio.timeout(IDLE_SECONDS) as timeout:
            async for part in request.stream():
                body += part
                if len(body) > most:
                    raise RequestError(413, "long")
                timeout.reschedule(min(end, loop.time() + IDLE_SECONDS))
    except TimeoutError:
        raise RequestError(408, "slow") from None
    except ClientDisconnect:
        raise RequestError from None
    return bytes(body)
