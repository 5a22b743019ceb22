"""HTTP of the server, with a time limit for the head of each request."""

from __future__ import annotations

import asyncio
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

HEAD_SECONDS = 5.0
"""How long the head of a request may take, from the first byte of the connection or of that request on."""


class TimedProtocol(H11Protocol):
    """Closes an HTTP connection when the head of a request takes too long. The time of bodies is limited by `app`."""

    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._update_timer()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._update_timer()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_timer()

    def _update_timer(self) -> None:
        """Run the timer while a request is due. Further bytes do not extend it."""
        if not self._is_request_due():
            self._stop_timer()
        elif self._timer is None:
            self._timer = self.loop.call_later(HEAD_SECONDS, self._time_out)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _time_out(self) -> None:
        self._timer = None
        if self._is_request_due():
            self.transport.close()

    def _is_request_due(self) -> bool:
        """Return whether a request is due and the connection is still HTTP, not a socket."""
        cycle = cast("RequestResponseCycle | None", self.cycle)
        return (cycle is None or cycle.response_complete) and self.transport.get_protocol() is self
