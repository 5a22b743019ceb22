"""Interrupts Python code that runs in another thread. Needs CPython; where there are no threads, nothing runs in another one."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Interrupted(BaseException):
    """Raised in interrupted work. No Exception, so that nothing inside handles it."""


class Interruptible(Generic[Result]):
    """Work that another thread can interrupt while it runs. Call it once."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._lock = threading.Lock()
        self._thread: int | None = None
        """The thread that runs the work, while it does."""

    def __call__(self) -> Result:
        """Do the work. Raises TimeoutError if it is interrupted."""
        self._thread = threading.get_ident()
        try:
            try:
                return self._work()
            finally:
                with self._lock:  # from here on it cannot be interrupted
                    self._thread = None
                _do_nothing()  # the interpreter raises what is pending when it enters a function
        except Interrupted:
            raise TimeoutError from None

    def interrupt(self) -> None:
        """Raise Interrupted in the work at its next step. Nothing happens if it does not run."""
        with self._lock:
            if self._thread is not None:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ctypes.py_object(Interrupted))
                self._thread = None


def _do_nothing() -> None:
    return
