"""Limits of the work that drafts cause: hostile texts may ask for any amount."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

from hoyle.native.interruption import Interruptible
from hoyle.web.play.fair_pool import FairPool

Result = TypeVar("Result")
SECONDS = 10.0
"""The longest work for one request, except series of games."""
SERIES_SECONDS, SERIES_AIM = 30.0, 5.0
"""The longest work for a series, and the time after which no further game begins."""


async def run_within(pool: FairPool, client: str, work: Callable[[], Result], seconds: float = SECONDS) -> Result:
    """Run work in a pool when it is the client's turn, and interrupt it after some seconds. Raises TimeoutError."""
    loop, limited = asyncio.get_running_loop(), Interruptible(work)

    def start() -> Result:
        loop.call_soon_threadsafe(loop.call_later, seconds, limited.interrupt)
        return limited()

    return await pool.run(client, start)
