"""Everything that is printed: data on stdout, notes on stderr, and nothing in either that a terminal would obey."""

from __future__ import annotations

import contextlib
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, TextIO

from hoyle.cli.catalogue import lang, system_words, t
from hoyle.printable import UNPRINTABLE, printable, printable_lines

if TYPE_CHECKING:
    from hoyle.diagnostics import Diagnostic

_PLAIN = str.maketrans(
    {"—": "-", "–": "-", "−": "-", "…": "...", "«": '"', "»": '"', "’": "'", "→": "->", "œ": "oe", "\u00a0": " "}
    | {"Œ": "Oe", "æ": "ae", "Æ": "Ae", "“": '"', "”": '"', "‘": "'", "±": "+/-", "×": "x", "·": ".", "§": "s."}
    | {"↔": "<->", "←": "<-", "≤": "<=", "≥": ">=", "✓": "x", "✗": "-", "─": "-", "━": "=", "▒": "#", "▶": ">"}
    | {"♠": "S", "♥": "H", "♦": "D", "♣": "C", "○": ".", "●": "o"}
)
MOST = 20  # problems that are shown when it is not `validate` that was asked for them
_failures: list[str] = []
_deserted: list[bool] = []
_plainly: list[bool] = []


class Trouble(Exception):
    """Something that stops a command, in the user's language. Code 1: in what was given; 2: in how it was asked."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


def prepare() -> None:
    """No character, no file name and no closed stream may make the program fail."""
    _plainly.clear()
    if sys.stdin is None:
        sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115 - it stays open
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def plainly() -> None:
    """From now on nothing outside ASCII, also where the stream could take it."""
    _plainly.append(True)


def say(text: str = "") -> None:
    """A line of data."""
    _write(sys.stdout, printable_lines(text) + "\n")


def pour(data: bytes) -> None:
    """Data that is no text, for a file or another program. Raises Trouble where somebody would have to read it."""
    flush()
    if sys.stdout is not None and sys.stdout.isatty():
        raise Trouble(t("file.no_text"), code=2)
    _guarded(sys.stdout, lambda stream: _poured(stream, data))


def _poured(stream: TextIO, data: bytes) -> None:
    stream.buffer.write(data)
    stream.buffer.flush()


def show(line: str) -> None:
    """A line that was drawn, so that its codes of colours are ours."""
    _write(sys.stdout, printable_lines(line, colours=colours(sys.stdout)) + "\n")


def note(text: str = "", drawn: bool = False) -> None:
    """A line of progress or advice; if `drawn`, its codes of colours are ours."""
    _write(sys.stderr, printable_lines(text, colours=drawn and colours(sys.stderr)) + "\n")


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


def as_json(kind: str, data: Mapping[str, Any]) -> str:
    import json

    text = json.dumps({"format": f"hoyle {kind}", "version": 1, **data}, ensure_ascii=False, indent=2)
    return "\n".join(UNPRINTABLE.sub(lambda c: json.dumps(c[0])[1:-1], line) for line in text.split("\n"))


def diagnose(found: Iterable[Diagnostic]) -> None:
    """Diagnostics for people, on stderr; not more than somebody would read."""
    from hoyle.reporting import report

    listed = [d.in_language(lang()) for d in found]
    note(report.text(listed[:MOST], colour=colours(sys.stderr)).rstrip("\n"), drawn=True)
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
        stream.write(fitted(text, stream))
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
        _failures.append(t("file.not_written", name="stdout", why=system_words(error)))


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


def fitted(text: str, stream: TextIO) -> str:
    """The text as this stream may have it."""
    if not _plainly and not encodes(stream, text):
        text = text.replace("\u202f", "\u00a0")  # the narrow space is younger than most encodings
    return plain(text) if _plainly or not encodes(stream, text) else text


def encodes(stream: TextIO, text: str) -> bool:
    try:
        text.encode(stream.encoding or "utf-8", "surrogateescape")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def plain(text: str) -> str:
    """The text in ASCII as far as that is possible: accents dropped, typographic signs replaced."""
    bare = unicodedata.normalize("NFKD", text.translate(_PLAIN))
    return "".join(c for c in bare if not unicodedata.combining(c))


def colours(stream: TextIO | None = None) -> bool:
    """Colours only on a terminal that has them, and not where `NO_COLOR` is set."""
    stream = stream or sys.stdout
    return bool(
        stream and stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") not in ("", "dumb")
    )


def paint(text: str, colour: str, stream: TextIO | None = None) -> str:
    import click

    return click.style(text, fg=colour, bold=True) if colours(stream) else text


def unicode_terminal(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether suits and frames can be drawn: the encoding has them and the locale is not the bare `C`."""
    locale = environment.get("LC_ALL") or environment.get("LC_CTYPE") or environment.get("LANG") or ""
    return locale not in ("C", "POSIX") and encodes(sys.stdout, "♠▒─▶")
