"""Worker threads that clients share fairly: no client holds all threads of a pool, and waiting clients take turns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar
from weakref import WeakValueDictionary

Result = TypeVar("Result")


class FairPool:
    """`each`: how many threads one client may hold. Only `is_busy` may be called outside the thread of the event loop."""

    def __init__(self, threads: int = 2, each: int = 1) -> None:
        self._pool = ThreadPoolExecutor(threads, "hoyle")
        self._each = each
        self._running = 0
        self._threads = asyncio.Semaphore(threads)
        """Clients wait for it in order, each with one work at most for each thread that it may hold."""
        self._clients: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @property
    def is_busy(self) -> bool:
        """Return whether a client holds a thread."""
        return self._running > 0

    def close(self) -> None:
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def run(self, client: str, work: Callable[..., Result], *args: Any) -> Result:
        """Run `work` in a thread when it is the client's turn.

        The client holds the thread until the work ends, even if the caller is cancelled earlier.
        """
        own = self._clients.setdefault(client, asyncio.Semaphore(self._each))
        await own.acquire()
        try:
            await self._threads.acquire()
        except BaseException:
            own.release()
            raise
        self._running += 1
        try:
            running = asyncio.get_running_loop().run_in_executor(self._pool, partial(work, *args))
        except RuntimeError:  # the pool is closed
            self._release(own)
            raise
        running.add_done_callback(lambda future: self._release(own, future))
        return await asyncio.shield(running)

    def _release(self, own: asyncio.Semaphore, work: asyncio.Future[Any] | None = None) -> None:
        if work is not None and not work.cancelled():
            work.exception()  # marks it as retrieved: a cancelled caller never asks for it
        self._running -= 1
        self._threads.release()
        own.release()
