"""Run tasks on a Dask cluster (extra `hoyle[cluster]`). The scheduler gives the tasks of a dead worker to others.

Workers need the same hoyle, but no files: rulesets travel with the tasks.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import platform
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from itertools import islice, takewhile
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from hoyle.diagnostics import Diagnostic, LocalizedText, Refused
from hoyle.language.sentences import make_message
from hoyle.series.result_file import describe_version

if TYPE_CHECKING:
    from distributed import Client, Future

Task = TypeVar("Task")
Result = TypeVar("Result")
Prepare = Callable[[], Callable[[Task], Result]]

ANSWERS = 10.0
"""Seconds in which the scheduler must answer and have a worker."""
GONE = 60.0
"""Seconds without any worker after which the series ends with an error."""
_AHEAD = 8  # tasks in flight per thread of a worker; refilled when half of them are done
_LOOKS = 5.0  # seconds between two checks for workers
_HEARS = 0.1  # seconds between two checks for a stop


def run_on_cluster(
    prepare: Prepare[Task, Result], tasks: Iterator[Task], address: str
) -> Generator[Result, None, None]:
    """Yield the results of all tasks in order, computed by the cluster at `address`.

    One thread does all communication, because Ctrl-C in the main thread could interrupt a message half way.
    Closing the generator cancels the tasks that wait.

    Raises:
        Refused: no suitable worker is at the address, or workers die again and again.
        Exception: the error of the first task that fails.
    """
    coming, stopped = SimpleQueue[tuple[Result] | None](), threading.Event()
    with ThreadPoolExecutor(1) as threads:
        try:
            done = threads.submit(_dispatch, pickle.dumps(prepare), tasks, address, coming.put, stopped)
            while (found := coming.get()) is not None:
                yield found[0]
            done.result()
        finally:
            stopped.set()


def _dispatch(
    prepare: bytes,
    tasks: Iterator[Task],
    address: str,
    put: Callable[[tuple[Any] | None], None],
    stopped: threading.Event,
) -> None:
    """Call `put` with each result, and with None at the end."""
    try:
        with _client(address) as client, _translate_errors(address):
            _look(client, address)
            for result in _results(client, prepare, tasks, address, stopped):
                put((result,))
    finally:
        put(None)


def _results(
    client: Client, prepare: bytes, tasks: Iterator[Task], address: str, stopped: threading.Event
) -> Iterator[Any]:
    """Yield results. Tasks are sent and fetched many at a time, because each message is expensive."""
    packed = client.submit(_given, prepare, key=f"hoyle-{uuid4().hex}")
    waiting, asked, most = deque["Future"](), 0.0, 0
    try:
        while True:
            if (now := time.monotonic()) - asked > _LOOKS:
                asked, most = now, _AHEAD * max(1, sum(client.nthreads().values()))
            if len(waiting) <= most // 2:
                waiting += _given_out(client, packed, islice(tasks, most - len(waiting)))
            due = [*islice(waiting, 1), *takewhile(_is_finished, islice(waiting, 1, None))]
            if not due or (found := _fetched(client, due, address, stopped)) is None:
                return
            for result in found:
                waiting.popleft()
                yield result
    finally:
        with suppress(OSError):
            client.cancel([*waiting, packed])


def _given_out(client: Client, packed: Future, tasks: Iterator[Task]) -> Iterable[Future]:
    more = list(tasks)
    return client.map(work, more, of=packed.key, packed=packed, made=describe_build(), pure=False) if more else ()


def _is_finished(task: Future) -> bool:
    return bool(task.status == "finished")


def _fetched(client: Client, due: list[Future], address: str, stopped: threading.Event) -> list[Any] | None:
    """Wait for results and return them, or None if the series was stopped.

    Raises the error of a task, and Refused if there was no worker for `GONE` seconds.
    """
    coming = asyncio.run_coroutine_threadsafe(client.gather(due, asynchronous=True), client.loop.asyncio_loop)
    seen = looked = time.monotonic()
    while not wait([coming], timeout=_HEARS).done:
        if stopped.is_set():
            coming.cancel()
            return None
        if (now := time.monotonic()) - looked > _LOOKS:
            looked, seen = now, now if client.nthreads() else seen
            if now - seen > GONE:
                raise _refused(
                    "R915", make_message("series.no_workers", address=address), help=make_message("series.keep")
                )
    return None if stopped.is_set() else coming.result()


@contextmanager
def _client(address: str) -> Iterator[Client]:
    """Connect to the scheduler. Raises Refused."""
    from distributed import Client

    for name in ("distributed", "distributed.client"):  # errors are reported as diagnostics
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        asyncio.run(_knock(address))
        client = Client(address, set_as_default=False, timeout=ANSWERS)
    except (OSError, ValueError) as error:
        raise _refused(
            "R915", make_message("series.nobody", address=address, why=str(error)), help=make_message("series.start")
        ) from None
    client.loop.asyncio_loop.set_exception_handler(_unheard)
    try:
        yield client
    finally:
        with suppress(TimeoutError):
            client.close(timeout=ANSWERS)


def _unheard(loop: object, context: object) -> None:
    """Ignore errors of the client's event loop while it closes."""


async def _knock(address: str) -> None:
    """Try to connect, so that a failure is reported here and not by the client.

    Raises OSError, and ValueError for a wrong address.
    """
    from distributed.comm import connect
    from distributed.security import Security

    found = await connect(address, timeout=ANSWERS, **Security().get_connection_args("client"))
    await found.close()


@contextmanager
def _translate_errors(address: str) -> Iterator[None]:
    """Turn errors of dead workers and lost schedulers into diagnostics."""
    from distributed.client import CancelledError
    from distributed.comm import CommClosedError
    from distributed.scheduler import KilledWorker

    try:
        yield
    except KilledWorker:
        raise _refused("R907", make_message("series.workers_die"), help=make_message("series.more_memory")) from None
    except (CancelledError, CommClosedError):
        raise _refused("R915", make_message("series.lost", address=address), help=make_message("series.keep")) from None


# ---- in a worker -----------------------------------------------------------------------------------------------------

_one_by_one = threading.Lock()
"""Held while a task runs. A game counts its uses of rules in its own state, so a process runs one task at a time."""
_ready: list[tuple[str, Callable[[Any], Any]]] = []
"""The last prepared work of this process, with its key."""


def work(task: Any, of: str, packed: bytes, made: Made) -> Any:
    """Run a task in a worker. Raises Refused if the worker's build differs from `made`.

    `of` is the key of the pickled preparation in `packed`.
    """
    if describe_build() != made:
        raise _other("", describe_build())
    with _one_by_one:
        if not _ready or _ready[0][0] != of:
            _ready[:] = [(of, pickle.loads(packed)())]
        return _ready[0][1](task)


def _given(packed: bytes) -> bytes:
    return packed


# ---- workers ---------------------------------------------------------------------------------------------------------

Made = tuple[str, str]
"""Version of Python, and version of hoyle with a digest of its files."""


def describe_build() -> Made:
    """Return the versions of Python and hoyle in this process."""
    return ".".join(platform.python_version_tuple()[:2]), describe_version()


def _look(client: Client, address: str) -> None:
    """Check that the cluster has workers and that all have this build. Raises Refused."""
    try:
        client.wait_for_workers(1, timeout=ANSWERS)
        found = client.run(describe_build, on_error="return")
    except TimeoutError:
        raise _refused(
            "R915", make_message("series.no_workers", address=address), help=make_message("series.start")
        ) from None
    for worker, made in found.items():
        if made != describe_build():
            raise _other(worker, made)


def _other(worker: str, there: object) -> Refused:
    """Return the diagnostic for a worker with another build. `there` is its build, or the error that hides it."""
    told = "Python {}, hoyle {}"
    found = told.format(*there) if isinstance(there, tuple) else str(there)
    notes = (make_message("series.made_of", there=found, here=told.format(*describe_build())),)
    return _refused(
        "R916", make_message("series.other_hoyle", worker=worker), notes=notes, help=make_message("series.install")
    )


def _refused(code: str, message: LocalizedText, **more: Any) -> Refused:
    return Refused([Diagnostic(code, message, **more)])
