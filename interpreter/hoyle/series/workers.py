"""Run the tasks of a series: in this process, in several, or on a cluster.

The results and their order do not depend on the workers. Results that a file has are not computed again.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import chain, islice
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, Generic, TypeVar

from msgspec import Struct

from hoyle.diagnostics import Diagnostic, Refused
from hoyle.language.sentences import make_message
from hoyle.series.result_file import ResultFile

Task = TypeVar("Task")
Result = TypeVar("Result")
Worker = Callable[[Task], Result]
Prepare = Callable[[], Worker[Task, Result]]
"""Called first in each process; its result does the tasks. Must be picklable."""

AHEAD = 4  # results per process that may wait for an earlier one
MOST_DEATHS = 8  # deaths of processes in a row, without a result between them, that are tolerated

_spawn = multiprocessing.get_context("spawn")  # same behaviour on every system, and safe with threads


def run_in_processes(prepare: Prepare[Task, Result], tasks: Iterable[Task], jobs: int) -> Generator[Result, None, None]:
    """Yield the results of all tasks in order, computed by `jobs` processes.

    A task must always have the same result, because the task of a dead process is run again.

    Raises:
        Refused: processes die again and again.
        Exception: the error of the first task that fails.
    """
    crew = _Crew(prepare, tasks, jobs)
    try:
        yield from crew.results()
    finally:
        crew.end()


class _Member(Struct, Generic[Task]):
    """A process, its pipe, and its current task with the task's number."""

    process: SpawnProcess
    pipe: Connection
    has: tuple[int, Task] | None = None


class _Crew(Generic[Task, Result]):
    def __init__(self, prepare: Prepare[Task, Result], tasks: Iterable[Task], jobs: int) -> None:
        self.prepare = prepare
        self.todo: Iterator[tuple[int, Task]] = enumerate(tasks)
        self.again: deque[tuple[int, Task]] = deque()
        self.done: dict[int, tuple[bool, Any]] = {}
        self.failed = False
        self.due, self.deaths, self.most = 0, 0, AHEAD * jobs
        self.members: list[_Member[Task]] = []
        for _ in range(jobs):
            self._begin()

    def results(self) -> Iterator[Result]:
        while True:
            for member in self.members:
                self._give(member)
            busy = {member.pipe: member for member in self.members if member.has is not None}
            if not busy:
                return
            for pipe in wait(list(busy)):
                self._hear(busy[pipe])  # type: ignore[index]
            while self.due in self.done:
                fine, result = self.done.pop(self.due)
                if not fine:
                    raise result
                yield result
                self.due += 1

    def end(self) -> None:
        for member in self.members:
            self._end(member)

    def _begin(self) -> None:
        ours, theirs = _spawn.Pipe()
        process = _spawn.Process(target=_serve, args=(theirs, self.prepare), daemon=True)
        with _no_interrupt():
            process.start()
        theirs.close()
        self.members.append(_Member(process, ours))

    def _end(self, member: _Member[Task]) -> None:
        member.process.kill()
        member.process.join()
        member.pipe.close()

    def _give(self, member: _Member[Task]) -> None:
        """Give a process its next task, unless enough results wait or a task has failed."""
        if member.has is None and (self.again or (len(self.done) < self.most and not self.failed)):
            member.has = self.again.popleft() if self.again else next(self.todo, None)
            if member.has is not None:
                with suppress(OSError):  # a dead process is noticed when its pipe is read
                    member.pipe.send(member.has[1])

    def _hear(self, member: _Member[Task]) -> None:
        assert member.has is not None
        try:
            fine, result = member.pipe.recv()
        except (EOFError, OSError):
            self._replace(member)
            return
        self.failed = self.failed or not fine
        self.done[member.has[0]] = fine, result
        member.has, self.deaths = None, 0

    def _replace(self, member: _Member[Task]) -> None:
        self.deaths += 1
        if self.deaths > MOST_DEATHS:
            raise Refused(
                [
                    Diagnostic(
                        "R907",
                        make_message("running.ended_outside"),
                        help=make_message("running.memory"),
                    )
                ]
            )
        self.members.remove(member)
        self._end(member)
        assert member.has is not None
        self.again.append(member.has)
        self._begin()


@contextmanager
def _no_interrupt() -> Iterator[None]:
    """Block Ctrl-C while a process starts. Only the parent handles it, after the start."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(pipe: Connection, prepare: Prepare[Any, Any]) -> None:
    """Run the main function of a worker process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    warnings.simplefilter("ignore")  # the parent has shown them already
    threading.Thread(target=_follow_parent, daemon=True).start()
    serve_tasks(pipe, prepare)


def serve_tasks(pipe: Connection, prepare: Prepare[Any, Any]) -> None:
    """Run tasks from a pipe until its other end closes, which is no error."""
    work: Worker[Any, Any] | None = None
    with suppress(EOFError, OSError):
        while True:
            task = pipe.recv()
            try:
                work = work or prepare()
                answer = (True, work(task))
            except Exception as error:
                answer = (False, error)
            pipe.send(answer)


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


class Workers(Struct, frozen=True):
    """Number of processes, or the address of a cluster."""

    jobs: int = 1
    cluster: str = ""


ALONE = Workers()


def run_tasks(
    here: Worker[Task, Result],
    prepare: Prepare[Task, Result],
    tasks: Iterable[Task],
    workers: Workers = ALONE,
    kept: ResultFile[Result] | None = None,
) -> Generator[Result, None, None]:
    """Yield the results of all tasks in order.

    Args:
        here: runs tasks in this process if it works alone.
        prepare: returns the function that runs tasks in other processes.
        tasks: tasks in the order of their results.
        workers: processes or a cluster to use.
        kept: file of results. Its results are yielded first, without running their tasks; new results are added.

    Raises:
        Refused: workers die again and again, or the file cannot be written.
        Exception: the error of the first task that fails.
    """
    tasks = iter(tasks)
    if kept is not None:
        yield from (result for _, result in kept.take(tasks))
    with closing(_done(here, prepare, tasks, workers)) as coming:
        for result in coming:
            if kept is not None:
                kept.add(result)
            yield result


def _done(
    here: Worker[Task, Result], prepare: Prepare[Task, Result], tasks: Iterator[Task], workers: Workers
) -> Generator[Result, None, None]:
    if workers.cluster:
        from hoyle.series.cluster import run_on_cluster

        yield from run_on_cluster(prepare, tasks, workers.cluster)
        return
    first = [*islice(tasks, workers.jobs if workers.jobs > 1 else 0)]
    if len(first) < 2:
        yield from map(here, chain(first, tasks))
    else:
        yield from run_in_processes(prepare, chain(first, tasks), len(first))


Portion = TypeVar("Portion")
Tick = Callable[[int], None]
"""Called with the number of results that were added."""
_AT_ONCE = 0.2  # approximate seconds of play per range: the most that Ctrl-C loses


def split_by_time(indices: range) -> Iterator[range]:
    """Split games into ranges that take about `_AT_ONCE` seconds each, for progress reports."""
    size = 1
    while indices:
        began, some, indices = time.perf_counter(), indices[:size], indices[size:]
        yield some
        size = 2 * size if time.perf_counter() - began < _AT_ONCE else max(1, size // 2)


def collect(
    portions: Generator[Portion, None, None], done: list[Portion], tick: Tick, size: Callable[[Portion], int]
) -> None:
    """Add results to `done` as they come; `tick` gets the `size` of each."""
    with closing(portions):
        for portion in portions:
            done.append(portion)
            tick(size(portion))
