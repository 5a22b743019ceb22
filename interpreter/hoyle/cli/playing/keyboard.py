"""Read lines from the keyboard, with editing and completion if the terminal has them."""

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

LONGEST = 1000
"""Characters of a line that are used."""


class Left(Exception):
    """The input has ended, or `quit` was typed."""


class Console:
    """Reads lines. Tab completes `words`."""

    def __init__(self) -> None:
        self.words: Sequence[str] = ()
        self._again: Callable[[], None] | None = None
        self.terminal = sys.stdin is not None and sys.stdin.isatty()
        if self.terminal:
            self._enable_editing()

    def _enable_editing(self) -> None:
        self._watch_size()
        try:
            import readline
        except ImportError:  # not everywhere; lines can be typed without it
            return
        readline.set_completer(self._complete)
        readline.set_completer_delims("")
        readline.parse_and_bind("tab: complete")

    def _watch_size(self) -> None:
        """Handle resizing until readline does so itself."""
        number = getattr(signal, "SIGWINCH", None)
        if number is not None and threading.current_thread() is threading.main_thread():
            signal.signal(number, self._resized)

    def _resized(self, *_: object) -> None:
        if self._again is not None:
            self._again()
            output.flush()

    def _forget(self) -> None:
        """Clear the history between players."""
        readline = sys.modules.get("readline")
        if readline is not None:
            readline.clear_history()

    def _complete(self, text: str, number: int) -> str | None:
        fitting = [word for word in self.words if word.startswith(text)]
        return fitting[number] if number < len(fitting) else None

    def ask(self, prompt: str, offered: bool = False, again: Callable[[], None] | None = None) -> str:
        """Return one line, stripped, with full-width characters as ordinary ones. Raises Left at the end of the input.

        Args:
            offered: whether to hide the prompt if a script has ended.
            again: redraws the screen above when its size changes.

        """
        output.flush()
        self._again = again
        try:
            line = self._read_typed(prompt) if self.terminal else self._read_script(prompt, offered)
        finally:
            self._again = None
        return unicodedata.normalize("NFKC", line[: 2 * LONGEST]).strip()[:LONGEST]

    def _read_typed(self, prompt: str) -> str:
        shown = fit_encoding(prompt, sys.stdout)
        try:
            with _restore_prompt(shown):
                return input(shown)
        except EOFError:
            output.say()
            raise Left from None
        except UnicodeError:
            return ""

    def _read_script(self, prompt: str, offered: bool) -> str:
        """Read a line of a script and print it behind the prompt."""
        line = _read_line()
        if line or not offered:
            output.say(f"{prompt}{line.strip()[:LONGEST]}")
        if not line:
            raise Left
        return line

    def wait(self, prompt: str) -> None:
        """Wait for Enter, except in a script."""
        if self.terminal:
            self.ask(prompt)
        else:
            output.say(prompt)

    @property
    def has_pages(self) -> bool:
        """Return whether there is a screen that can be cleared and a person at it."""
        shows = sys.stdout is not None and sys.stdout.isatty()
        return self.terminal and shows and os.environ.get("TERM", "") not in ("", "dumb")

    def page(self) -> None:
        """Start a new screen; the old lines go to the terminal's scrollback."""
        _send("\n" * shutil.get_terminal_size((80, 24)).lines + "\x1b[H\x1b[J")

    def clear(self) -> None:
        """Erase the screen and the scrollback, which others must not see."""
        if self.terminal:
            _send("\x1b[2J\x1b[3J\x1b[H")
            self._forget()


@contextmanager
def _restore_prompt(prompt: str) -> Iterator[None]:
    """Print the prompt and the typed text again after the program was suspended."""
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


def _send(code: str) -> None:
    if sys.stdout is not None and sys.stdout.isatty():
        sys.stdout.write(code)
        sys.stdout.flush()


def _read_line() -> str:
    if sys.stdin is None:
        return ""
    try:
        return sys.stdin.readline(LONGEST * 10)
    except UnicodeError:
        return "\n"
