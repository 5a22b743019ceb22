"""Lines from whoever sits at the keyboard, with editing and completion where the terminal has them."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import threading
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from hoyle.cli import output
from hoyle.presentation.terminal import fit_encoding

LONGEST = 1000  # a longer line is no answer to anything


class Left(Exception):
    """Whoever was asked has gone: the input is at its end, or `quit` was said."""


class Console:
    """Asks for lines. `words` are what Tab completes."""

    def __init__(self) -> None:
        self.words: Sequence[str] = ()
        self._again: Callable[[], None] | None = None
        self.terminal = sys.stdin is not None and sys.stdin.isatty()
        if self.terminal:
            self._edit()

    def _edit(self) -> None:
        self._watch_size()
        try:
            import readline
        except ImportError:  # not everywhere; lines can be typed without it
            return
        readline.set_completer(self._complete)
        readline.set_completer_delims("")
        readline.parse_and_bind("tab: complete")

    def _watch_size(self) -> None:
        """Before there is an editor, which then calls this of itself, and shows what was typed below what is drawn anew here."""
        number = getattr(signal, "SIGWINCH", None)
        if number is not None and threading.current_thread() is threading.main_thread():
            signal.signal(number, self._resized)

    def _resized(self, *_: object) -> None:
        if self._again is not None:
            self._again()
            output.flush()

    def _forget(self) -> None:
        """What one person typed is not for the next one's arrow keys."""
        readline = sys.modules.get("readline")
        if readline is not None:
            readline.clear_history()

    def _complete(self, text: str, number: int) -> str | None:
        fitting = [word for word in self.words if word.startswith(text)]
        return fitting[number] if number < len(fitting) else None

    def ask(self, prompt: str, offered: bool = False, again: Callable[[], None] | None = None) -> str:
        """Return one line without the space around it, full-width digits and letters as ordinary ones. Raises Left at the end of the input.

        offered: a prompt that is not echoed when a script has ended
        again: redraws what stands above when the size of the screen changes"""
        output.flush()
        self._again = again
        try:
            line = self._typed(prompt) if self.terminal else self._read(prompt, offered)
        finally:
            self._again = None
        return unicodedata.normalize("NFKC", line[: 2 * LONGEST]).strip()[:LONGEST]

    def _typed(self, prompt: str) -> str:
        shown = fit_encoding(prompt, sys.stdout)
        try:
            with _shown_again(shown):
                return input(shown)
        except EOFError:
            output.say()
            raise Left from None
        except UnicodeError:
            return ""

    def _read(self, prompt: str, offered: bool) -> str:
        """A line of a script or a pipe, shown behind the prompt as if it had been typed."""
        line = _line()
        if line or not offered:
            output.say(f"{prompt}{line.strip()[:LONGEST]}")
        if not line:
            raise Left
        return line

    def wait(self, prompt: str) -> None:
        """Until Enter is pressed; a script does not wait."""
        if self.terminal:
            self.ask(prompt)
        else:
            output.say(prompt)

    @property
    def pages(self) -> bool:
        """Is there a screen that can begin anew, and somebody who looks at it?"""
        shows = sys.stdout is not None and sys.stdout.isatty()
        return self.terminal and shows and os.environ.get("TERM", "") not in ("", "dumb")

    def page(self) -> None:
        """Begins a new screen. What stood there goes where the terminal keeps the lines that it has no room for, so nothing is lost."""
        _control("\n" * shutil.get_terminal_size((80, 24)).lines + "\x1b[H\x1b[J")

    def clear(self) -> None:
        """Takes what others may not see off the screen, and out of its memory of lines."""
        if self.terminal:
            _control("\x1b[2J\x1b[3J\x1b[H")
            self._forget()


@contextmanager
def _shown_again(prompt: str) -> Iterator[None]:
    """Whoever comes back to a game that he had suspended sees what he was asked, and what he had typed."""
    number = getattr(signal, "SIGCONT", None)
    if number is None or threading.current_thread() is not threading.main_thread():
        yield
        return

    def again(*_: object) -> None:
        readline = sys.modules.get("readline")
        sys.stdout.write(prompt + (readline.get_line_buffer() if readline is not None else ""))
        sys.stdout.flush()

    before = signal.signal(number, again)
    try:
        yield
    finally:
        signal.signal(number, before)


def _control(code: str) -> None:
    if sys.stdout is not None and sys.stdout.isatty():
        sys.stdout.write(code)
        sys.stdout.flush()


def _line() -> str:
    if sys.stdin is None:
        return ""
    try:
        return sys.stdin.readline(LONGEST * 10)
    except UnicodeError:
        return "\n"
