"""Worker threads that clients share fairly: a pool of threads with a queue for each client.

A client never holds all threads of a pool, so another client's work starts at once. Waiting clients take turns.
"""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

Result = TypeVar("Result")


class FairPool:
    """`each`: how many threads one client may hold. Only `is_busy` may be called outside the thread of the event loop."""

    def __init__(self, threads: int = 2, each: int = 1) -> None:
        self._pool = ThreadPoolExecutor(threads, "hoyle")
        self._free, self._each = threads, each
        self._held: Counter[str] = Counter()
        self._queues: dict[str, deque[asyncio.Future[None]]] = {}

    @property
    def is_busy(self) -> bool:
        """Return whether a client holds a thread."""
        return bool(self._held)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def run(self, client: str, work: Callable[..., Result], *args: Any) -> Result:
        """Run `work` in a thread when it is the client's turn.

        The client holds the thread until the work ends, even if the caller is cancelled earlier.
        """
        await self._acquire(client)
        try:
            running = asyncio.get_running_loop().run_in_executor(self._pool, partial(work, *args))
        except RuntimeError:  # the pool is closed
            self._release(client)
            raise
        running.add_done_callback(partial(self._finish, client))
        return await asyncio.shield(running)

    async def _acquire(self, client: str) -> None:
        if self._can_start(client) and client not in self._queues:
            self._hold(client)
            return
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(client, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._release(client)
            raise

    def _release(self, client: str) -> None:
        """Free a thread of the client, and start waiting clients while threads are free.

        A client that starts goes to the end of the line.
        """
        self._free += 1
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]
        while (waiting := next((other for other in self._queues if self._can_start(other)), None)) is not None:
            queue = self._queues.pop(waiting)
            turn = queue.popleft()
            if queue:
                self._queues[waiting] = queue
            if not turn.done():  # else the caller was cancelled
                self._hold(waiting)
                turn.set_result(None)

    def _finish(self, client: str, work: asyncio.Future[Any]) -> None:
        if not work.cancelled():
            work.exception()  # marks it as retrieved: a cancelled caller never asks for it
        self._release(client)

    def _can_start(self, client: str) -> bool:
        return self._free > 0 and self._held[client] < self._each

    def _hold(self, client: str) -> None:
        self._free -= 1
        self._held[client] += 1
