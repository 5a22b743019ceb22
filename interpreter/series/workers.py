"""The one seam through which a series is shared: whoever does a task, its result is the same, and results come in the order of their tasks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

from msgspec import Struct

from interpreter.series.crew import Prepare, shared

Task = TypeVar("Task")
Result = TypeVar("Result")


class Workers(Struct, frozen=True):
    """Who does the work: so many processes here."""

    jobs: int = 1


ALONE = Workers()


def results(prepare: Prepare[Task, Result], tasks: Sequence[Task], workers: Workers = ALONE) -> Iterator[Result]:
    """The results of all tasks, in order. Raises what the first task that fails raises, and Refused if those who work end again and again."""
    if min(workers.jobs, len(tasks)) > 1:
        return shared(prepare, tasks, min(workers.jobs, len(tasks)))
    return map(prepare(), tasks) if tasks else iter(())
