"""How far long work is and how long it will take: one line on a terminal, which goes again; nothing elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hoyle.cli.output import encodes, fitted

WIDE = 32
OFTEN = 0.1  # seconds between two looks of the line
LASTS = 0.5  # seconds before it is said what is waited for


def line(label: str, done: int, total: int, seconds: float, fine: bool = True, before: int = 0) -> str:
    """The line after so many seconds: `playing ━━━━──── 40/100 0:07`, with the time that is left at this speed; `before` were done before these."""
    full, (behind, ahead) = WIDE * done // total, "━─" if fine else "#-"
    now = done - before
    minutes, rest = divmod(int(seconds * (total - done) / now), 60) if now > 0 else (0, 0)
    left = f"{minutes}:{rest:02}" if now > 0 else ""
    return f"{label} {behind * full}{ahead * (WIDE - full)} {done:>{len(str(total))}}/{total} {left}".rstrip()


@contextmanager
def progress(label: str, total: int, before: int = 0) -> Iterator[Callable[[int], None]]:
    """What hears how many more are done. The first `before` of them took no time now."""
    stream = sys.stderr
    if stream is None or not stream.isatty():
        yield lambda more: None
        return
    begun, done, drawn, fine = time.monotonic(), 0, 0.0, encodes(stream, "━─")

    def tick(more: int) -> None:
        nonlocal done, drawn
        done += more
        now = time.monotonic()
        if now - drawn > OFTEN:
            drawn = now
            stream.write(f"\r\x1b[K{line(label, done, total, now - begun, fine, before)}")
            stream.flush()

    try:
        yield tick
    finally:
        if drawn:
            stream.write("\r\x1b[K")
            stream.flush()


@contextmanager
def waiting(label: str, stays: bool = False) -> Iterator[None]:
    """Says on a terminal what is waited for, as soon as it lasts; nothing if there is nothing to say. If it `stays` it is a line like others."""
    stream = sys.stderr
    if not label or stream is None or not stream.isatty():
        yield
        return
    said = threading.Event()

    def say() -> None:
        said.set()
        stream.write(f"{fitted(label, stream)}\n" if stays else f"\r\x1b[K{fitted(label, stream)}")
        stream.flush()

    timer = threading.Timer(LASTS, say)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if said.is_set() and not stays:
            stream.write("\r\x1b[K")
            stream.flush()
