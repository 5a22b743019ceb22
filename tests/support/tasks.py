"""Tasks for other processes. They are apart from the tests, so that a process imports little."""

import os
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from hoyle.diagnostics import Diagnostic, Refused, Source, Span, verbatim

Task = Callable[[int], int]


def refused(what: str) -> Refused:
    return Refused([Diagnostic("R901", verbatim(what), Span(Source("a.yaml", "text"), 0, 4))])


def square(n: int) -> int:
    """Fails at 7."""
    if n == 7:
        raise refused("seven")
    return n * n


def squares() -> Task:
    return square


def dying(folder: str, every_time: bool) -> Task:
    return partial(_fragile, folder, every_time)


def _fragile(folder: str, every_time: bool, n: int) -> int:
    """Dies at 3: the first time, or always."""
    died = Path(folder) / "died"
    if n == 3 and (every_time or not died.exists()):
        died.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return n * n


def sleeping() -> Task:
    return _slow


def _slow(n: int) -> int:
    time.sleep(0.2)
    return n


def fatal() -> Task:
    return _exit


def _exit(n: int) -> int:
    os._exit(1)
