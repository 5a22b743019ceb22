"""Worker threads that clients share fairly: no client holds all threads of a pool, and waiting clients take turns.

Threads share the interpreter lock, so a client that computes a lot would still slow down the work of all others.
In a pool with a pacer its threads therefore pause while work of clients that have computed less is running.
"""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import inf
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from hoyle.native.interruption import Interruptible

Result = TypeVar("Result")

FREE_SECONDS, FORGIVEN = 0.5, 0.1
"""Processor seconds that a client may use before its work pauses for that of others, and how many are forgiven a second."""
PAUSE, LONGEST_PAUSE, SLICE = 0.002, 0.05, 0.005
"""Seconds: between two looks for other work, the longest pause, and the work between two pauses.

Work that pauses may hold a lock that others wait for, so it always goes on.
"""
MOST_CLIENTS = 10_000
_read_clock = getattr(time, "thread_time", time.monotonic)
"""Processor seconds of this thread. In WebAssembly there is one thread and no such clock."""


class Pacer:
    """Lets work of clients that have computed a lot pause for work of the others. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._used: dict[str, tuple[float, float]] = {}
        """By client: the processor seconds that are not forgiven yet, and when they were counted."""
        self._running: dict[int, float] = {}
        """By thread: what its client had used when the work began."""
        self._least = inf
        """The lowest value in `_running`."""

    def run(self, client: str, work: Callable[..., Result], *args: Any) -> Result:
        """Run `work` in this thread. A profile function interrupts it at calls and returns, which slows it down."""
        used, began = self._count(client, 0.0), _read_clock()
        self._set_running(used)
        is_paced = used > FREE_SECONDS and len(self._used) > 1
        if is_paced:
            sys.setprofile(self._make_pause(used))
        try:
            return work(*args)
        finally:
            if is_paced:
                sys.setprofile(None)
            self._set_running(None)
            self._count(client, _read_clock() - began)

    def _set_running(self, used: float | None) -> None:
        with self._lock:
            self._running.pop(threading.get_ident(), None)
            if used is not None:
                self._running[threading.get_ident()] = used
            self._least = min(self._running.values(), default=inf)

    def _count(self, client: str, seconds: float) -> float:
        """Add processor seconds to the account of a client. Return what is not forgiven."""
        with self._lock:
            now = time.monotonic()
            used, counted = self._used.pop(client, (0.0, now))
            used = max(0.0, used - (now - counted) * FORGIVEN) + seconds
            self._used[client] = used, now
            if len(self._used) > MOST_CLIENTS:
                self._used.pop(next(iter(self._used)))
            return used

    def _make_pause(self, used: float) -> Callable[[Any, str, Any], None]:
        resumed = time.monotonic()

        def pause(_frame: Any, _event: str, _arg: Any) -> None:
            nonlocal resumed
            if self._least < used and time.monotonic() > resumed + SLICE:
                until = time.monotonic() + LONGEST_PAUSE
                while self._least < used and time.monotonic() < until:
                    time.sleep(PAUSE)
                resumed = time.monotonic()

        return pause


class FairPool:
    """`each`: how many threads one client may hold; `pacer`: None if work never pauses for that of others.

    Only `is_busy` may be called outside the thread of the event loop.
    """

    def __init__(self, threads: int = 2, each: int = 1, pacer: Pacer | None = None) -> None:
        self._pacer = pacer
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
            job = partial(work, *args) if self._pacer is None else partial(self._pacer.run, client, work, *args)
            running = asyncio.get_running_loop().run_in_executor(self._pool, job)
        except RuntimeError:  # the pool is closed
            self._release(own)
            raise
        running.add_done_callback(lambda future: self._release(own, future))
        return await asyncio.shield(running)

    async def run_within(self, seconds: float, client: str, work: Callable[..., Result], *args: Any) -> Result:
        """Run `work` likewise, and interrupt it after some seconds. Raises TimeoutError."""
        loop, limited = asyncio.get_running_loop(), Interruptible(partial(work, *args))

        def start() -> Result:
            loop.call_soon_threadsafe(loop.call_later, seconds, limited.interrupt)
            return limited()

        return await self.run(client, start)

    def _release(self, own: asyncio.Semaphore, work: asyncio.Future[Any] | None = None) -> None:
        if work is not None and not work.cancelled():
            work.exception()  # marks it as retrieved: a cancelled caller never asks for it
        self._running -= 1
        self._threads.release()
        own.release()
