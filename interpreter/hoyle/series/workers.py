"""The one seam through which a series is shared: this process, several here, or the workers of a cluster. Whoever does a task, its result is the same, and results come in
the order of their tasks; what is kept in a file is not done again."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain, islice
from typing import TypeVar

from msgspec import Struct

from hoyle.series.crew import Prepare, Worker, shared
from hoyle.series.keeping import Kept

Task = TypeVar("Task")
Result = TypeVar("Result")


class Workers(Struct, frozen=True):
    """Who does the work: so many processes here, or, where an address is given, those of a cluster."""

    jobs: int = 1
    cluster: str = ""


ALONE = Workers()


def results(
    here: Worker[Task, Result],
    prepare: Prepare[Task, Result],
    tasks: Iterable[Task],
    workers: Workers = ALONE,
    kept: Kept[Result] | None = None,
) -> Generator[Result, None, None]:
    """The results of all tasks, in order: done by `here` if this process is alone, else by what others make of `prepare`. Those that are in `kept` are
    not done again, and others are written there as they come. Raises what the first task that fails raises, and Refused if those who work end
    again and again."""
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
        from hoyle.series.cluster import dispatched

        yield from dispatched(prepare, tasks, workers.cluster)
        return
    first = [*islice(tasks, workers.jobs if workers.jobs > 1 else 0)]
    if len(first) < 2:
        yield from map(here, chain(first, tasks))
    else:
        yield from shared(prepare, chain(first, tasks), len(first))
