"""Everything that is printed: data on stdout, notes and progress on stderr, without control characters from outside."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TextIO

from hoyle.presentation.catalogue import UserError, describe_error, lang, t
from hoyle.presentation.files import as_json
from hoyle.presentation.terminal import _plainly, can_encode, fit_encoding, has_colours
from hoyle.printable import printable, printable_lines

if TYPE_CHECKING:
    from hoyle.diagnostics import Diagnostic


MOST_DIAGNOSTICS = 20
"""Diagnostics shown by other commands than `validate`."""
_failures: list[str] = []
_deserted: list[bool] = []


def prepare_streams() -> None:
    """Make sure that no character and no closed stream makes the program fail."""
    _plainly.clear()
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - it stays open
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def say(text: str = "") -> None:
    """Print a line of data."""
    _write(sys.stdout, printable_lines(text) + "\n")


def write_bytes(data: bytes) -> None:
    """Write binary data to standard output. Raises UserError if that is a terminal."""
    flush()
    if sys.stdout is not None and sys.stdout.isatty():
        raise UserError(t("file.no_text"), code=2)
    _write_safely(sys.stdout, lambda stream: _write_to_buffer(stream, data))


def _write_to_buffer(stream: TextIO, data: bytes) -> None:
    stream.buffer.write(data)
    stream.buffer.flush()


def show(line: str) -> None:
    """Print a line that contains our own colour codes."""
    _write(sys.stdout, printable_lines(line, colours=has_colours(sys.stdout)) + "\n")


def note(text: str = "", drawn: bool = False) -> None:
    """Print progress or advice. `drawn` lines contain our own colour codes."""
    _write(sys.stderr, printable_lines(text, colours=drawn and has_colours(sys.stderr)) + "\n")


def clear_screen() -> None:
    """Clear the terminal, if standard output is one."""
    if sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb"):
        _write(sys.stdout, "\x1b[H\x1b[2J\x1b[3J", flush=True)


def note_stop() -> None:
    """Print that Ctrl-C stopped the command, below the line where the terminal shows the key."""
    note()
    note(t("run.stopped"))


def complain(message: str) -> None:
    note(f"{paint(t('run.error'), 'red', sys.stderr)} {printable(message)}", drawn=True)


def emit(kind: str, data: Mapping[str, Any]) -> None:
    """Print a JSON document with its kind and version first."""
    say(as_json(kind, data))


def diagnose(diagnostics: Iterable[Diagnostic]) -> None:
    """Print diagnostics on stderr, at most `MOST_DIAGNOSTICS`."""
    from hoyle.reporting import report

    listed = [d.in_language(lang()) for d in diagnostics]
    note(report.as_text(listed[:MOST_DIAGNOSTICS], colour=has_colours(sys.stderr)).rstrip("\n"), drawn=True)
    if len(listed) > MOST_DIAGNOSTICS:
        note(t("run.more_problems", count=len(listed) - MOST_DIAGNOSTICS))


def flush() -> None:
    _write(sys.stdout, "", flush=True)


def finish() -> bool:
    """Flush all streams and return whether everything was written. A closed pipe is no error."""
    for stream in (sys.stdout, sys.stderr):
        _write(stream, "", flush=True)
    for failure in _failures:
        note(f"{t('run.error')} {failure}")
    return not _failures


def _write(stream: TextIO | None, text: str, flush: bool = False) -> None:
    def write(stream: TextIO) -> None:
        stream.write(fit_encoding(text, stream))
        if flush or stream.isatty():
            stream.flush()

    _write_safely(stream, write)


def _write_safely(stream: TextIO | None, write: Callable[[TextIO], None]) -> None:
    """Write, or give up a stream that is closed or full."""
    if stream is None:
        return
    try:
        write(stream)
    except BrokenPipeError:
        _abandon(stream)
    except OSError as error:
        _abandon(stream)
        _failures.append(t("file.not_written", name="stdout", why=describe_error(error)))


def has_lost_reader() -> bool:
    """Return whether the reader of the output has gone."""
    return bool(_deserted)


def _abandon(stream: TextIO) -> None:
    """Redirect a stream that nobody reads to the null device."""
    _deserted.append(True)
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def paint(text: str, colour: str, stream: TextIO | None = None) -> str:
    import click

    return click.style(text, fg=colour, bold=True) if has_colours(stream) else text


WIDE = 32
OFTEN = 0.1
"""Seconds between updates of the line."""
LASTS = 0.5
"""Seconds before a wait is announced."""


def format_progress(label: str, done: int, total: int, seconds: float, fine: bool = True, before: int = 0) -> str:
    """Return `playing ━━━━──── 40/100 0:07` with the estimated time left. The first `before` took no time."""
    full, (behind, ahead) = WIDE * done // total, "━─" if fine else "#-"
    now = done - before
    minutes, rest = divmod(int(seconds * (total - done) / now), 60) if now > 0 else (0, 0)
    left = f"{minutes}:{rest:02}" if now > 0 else ""
    return f"{label} {behind * full}{ahead * (WIDE - full)} {done:>{len(str(total))}}/{total} {left}".rstrip()


@contextmanager
def progress(label: str, total: int, before: int = 0) -> Iterator[Callable[[int], None]]:
    """Show a progress line on a terminal. The first `before` of `total` were done earlier."""
    stream = sys.stderr
    if stream is None or not stream.isatty():
        yield lambda more: None
        return
    begun, done, drawn, fine = time.monotonic(), 0, 0.0, can_encode(stream, "━─")

    def tick(more: int) -> None:
        nonlocal done, drawn
        done += more
        now = time.monotonic()
        if now - drawn > OFTEN:
            drawn = now
            stream.write(f"\r\x1b[K{format_progress(label, done, total, now - begun, fine, before)}")
            stream.flush()

    try:
        yield tick
    finally:
        if drawn:
            stream.write("\r\x1b[K")
            stream.flush()


@contextmanager
def show_wait(label: str, stays: bool = False) -> Iterator[None]:
    """Print a label if the block takes long; `stays` keeps the line."""
    stream = sys.stderr
    if not label or stream is None or not stream.isatty():
        yield
        return
    said = threading.Event()

    def say() -> None:
        said.set()
        stream.write(f"{fit_encoding(label, stream)}\n" if stays else f"\r\x1b[K{fit_encoding(label, stream)}")
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
