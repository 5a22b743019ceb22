"""Worker threads that clients share fairly. A lane is a pool of threads with a queue for each client.

One client never holds all threads of a lane, so another client's work starts at once; clients that wait take turns."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

Done = TypeVar("Done")
Waiting = deque[asyncio.Future[None]]


class Lane:
    """`each`: how many threads one client holds at most. All methods but `is_busy` belong to the thread of the loop."""

    def __init__(self, threads: int = 2, each: int = 1) -> None:
        self._pool = ThreadPoolExecutor(threads, "hoyle")
        self._free, self._each = threads, each
        self._held: Counter[str] = Counter()
        self._queues: dict[str, Waiting] = {}

    @property
    def is_busy(self) -> bool:
        """Does some client hold a thread? May be asked from any thread."""
        return bool(self._held)

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def do(self, client: str, work: Callable[..., Done], *given: Any) -> Done:
        """Run `work` in a thread when it is the client's turn. The thread counts as held until the work ends, even if the caller is cancelled before."""
        await self._enter(client)
        try:
            done = asyncio.get_running_loop().run_in_executor(self._pool, partial(work, *given))
        except RuntimeError:  # the lane is closed
            self._leave(client)
            raise
        done.add_done_callback(partial(self._ended, client))
        return await asyncio.shield(done)

    async def _enter(self, client: str) -> None:
        if self._may_enter(client) and client not in self._queues:
            self._hold(client)
            return
        turn = asyncio.get_running_loop().create_future()
        self._queues.setdefault(client, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._leave(client)
            raise

    def _leave(self, client: str) -> None:
        """Give the client's thread to the client that waits longest."""
        self._free += 1
        self._held[client] -= 1
        if not self._held[client]:
            del self._held[client]
        self._call()

    def _ended(self, client: str, done: asyncio.Future[Any]) -> None:
        if not done.cancelled():
            done.exception()  # nobody may be left to ask for it
        self._leave(client)

    def _may_enter(self, client: str) -> bool:
        return self._free > 0 and self._held[client] < self._each

    def _hold(self, client: str) -> None:
        self._free -= 1
        self._held[client] += 1

    def _call(self) -> None:
        """Let clients enter while there is room. A client that was called goes behind the others."""
        while (client := next((one for one in self._queues if self._may_enter(one)), None)) is not None:
            queue = self._queues.pop(client)
            turn = queue.popleft()
            if queue:
                self._queues[client] = queue
            if not turn.done():  # else the caller was cancelled
                self._hold(client)
                turn.set_result(None)
