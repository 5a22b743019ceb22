"""HTTP connections that are closed when no complete request arrives in time. Bodies are timed by whoever reads them."""

from __future__ import annotations

import asyncio
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

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
