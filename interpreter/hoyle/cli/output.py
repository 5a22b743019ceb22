"""Everything that is printed: data on stdout, notes on stderr, and nothing in either that a terminal would obey."""

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


MOST = 20  # problems that are shown when it is not `validate` that was asked for them
_failures: list[str] = []
_deserted: list[bool] = []


def prepare() -> None:
    """No character, no file name and no closed stream may make the program fail."""
    _plainly.clear()
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - it stays open
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def say(text: str = "") -> None:
    """A line of data."""
    _write(sys.stdout, printable_lines(text) + "\n")


def pour(data: bytes) -> None:
    """Data that is no text, for a file or another program. Raises UserError where somebody would have to read it."""
    flush()
    if sys.stdout is not None and sys.stdout.isatty():
        raise UserError(t("file.no_text"), code=2)
    _guarded(sys.stdout, lambda stream: _poured(stream, data))


def _poured(stream: TextIO, data: bytes) -> None:
    stream.buffer.write(data)
    stream.buffer.flush()


def show(line: str) -> None:
    """A line that was drawn, so that its codes of colours are ours."""
    _write(sys.stdout, printable_lines(line, colours=has_colours(sys.stdout)) + "\n")


def note(text: str = "", drawn: bool = False) -> None:
    """A line of progress or advice; if `drawn`, its codes of colours are ours."""
    _write(sys.stderr, printable_lines(text, colours=drawn and has_colours(sys.stderr)) + "\n")


def screen() -> None:
    """Begins a new screen, where there is one."""
    if sys.stdout is not None and sys.stdout.isatty() and os.environ.get("TERM", "") not in ("", "dumb"):
        _write(sys.stdout, "\x1b[H\x1b[2J\x1b[3J", flush=True)


def stopped() -> None:
    """What is said after Ctrl-C, on a line of its own: a terminal shows the key where the line stood."""
    note()
    note(t("run.stopped"))


def complain(message: str) -> None:
    note(f"{paint(t('run.error'), 'red', sys.stderr)} {printable(message)}", drawn=True)


def emit(kind: str, data: Mapping[str, Any]) -> None:
    """A JSON document, with its kind and version first."""
    say(as_json(kind, data))


def diagnose(found: Iterable[Diagnostic]) -> None:
    """Diagnostics for people, on stderr; not more than somebody would read."""
    from hoyle.reporting import report

    listed = [d.in_language(lang()) for d in found]
    note(report.text(listed[:MOST], colour=has_colours(sys.stderr)).rstrip("\n"), drawn=True)
    if len(listed) > MOST:
        note(t("run.more_problems", count=len(listed) - MOST))


def flush() -> None:
    _write(sys.stdout, "", flush=True)


def finish() -> bool:
    """Flushes everything; whether all of it could be written (a reader who went away has had what he wanted)."""
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

    _guarded(stream, write)


def _guarded(stream: TextIO | None, write: Callable[[TextIO], None]) -> None:
    """Writes; a stream that nobody reads any more, or that takes no more, is given up."""
    if stream is None:
        return
    try:
        write(stream)
    except BrokenPipeError:
        _abandon(stream)
    except OSError as error:
        _abandon(stream)
        _failures.append(t("file.not_written", name="stdout", why=describe_error(error)))


def deserted() -> bool:
    """Whether whoever read the output has gone, so that there is no point in going on."""
    return bool(_deserted)


def _abandon(stream: TextIO) -> None:
    """Nobody reads this stream any more: what is still written to it goes nowhere."""
    _deserted.append(True)
    with contextlib.suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def paint(text: str, colour: str, stream: TextIO | None = None) -> str:
    import click

    return click.style(text, fg=colour, bold=True) if has_colours(stream) else text


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
    begun, done, drawn, fine = time.monotonic(), 0, 0.0, can_encode(stream, "━─")

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
