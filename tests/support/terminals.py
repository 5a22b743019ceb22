"""`hoyle play` at a pseudo-terminal, in a fork of this process: a new interpreter would take ten times as long to start."""

from __future__ import annotations

import ctypes
import os
import sys
import traceback
from pathlib import Path
from typing import Any

import pytest

from hoyle.cli.main import main

ROOT = str(Path(__file__).resolve().parents[2])
TERMINAL = ("LINES", "COLUMNS", "NO_COLOR", "PYTHONIOENCODING")


class Sitting:
    """A game at a pseudo-terminal. `screen` is what a terminal of this size shows of it, `written` what was sent last."""

    def __init__(self, *words: str, rows: int = 24, columns: int = 80, forked: bool = True, **environment: str) -> None:
        """`forked=False`: in a new interpreter, which handles new sizes of the terminal before readline does."""
        pexpect, pyte = pytest.importorskip("pexpect"), pytest.importorskip("pyte")
        self.ended = pexpect.EOF
        own = {name: value for name, value in os.environ.items() if name not in TERMINAL}
        env = {**own, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PYTHONPATH": f"{ROOT}/interpreter", **environment}

        def play() -> None:
            os.closerange(3, 256)  # the parent waits until its pipe to this process is closed
            _play(words, env)

        options = {"dimensions": (rows, columns), "encoding": "utf-8", "timeout": 60, "env": env}
        command = ["-m", "hoyle", "play", *words]
        self.child: Any = pexpect.spawn(sys.executable, command, preexec_fn=play if forked else None, **options)
        self.screen: Any = pyte.HistoryScreen(columns, rows, history=5000)
        self.stream = pyte.Stream(self.screen)
        self.written = ""

    def until(self, pattern: Any = r"[AB]> ") -> list[str]:
        """Wait for the pattern; return the lines of the screen, without the empty ones at its end."""
        self.child.expect(pattern)
        after = self.child.after if isinstance(self.child.after, str) else ""
        self.written = self.child.before + after
        self.stream.feed(self.written)
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip().split("\n")

    def answer(self, line: str, pattern: Any = r"[AB]> ") -> list[str]:
        self.child.sendline(line)
        return self.until(pattern)

    def interrupt(self, pattern: Any) -> list[str]:
        self.child.sendintr()
        return self.until(pattern)

    def end(self) -> int:
        self.until(self.ended)
        self.child.wait()
        return int(self.child.exitstatus)

    def resize(self, rows: int, columns: int) -> None:
        self.child.setwinsize(rows, columns)
        self.screen.resize(rows, columns)

    def history(self) -> str:
        """The lines that have left the screen and can be scrolled back to."""
        columns = range(self.screen.columns)
        return "\n".join("".join(line[x].data for x in columns).rstrip() for line in self.screen.history.top)

    def __enter__(self) -> Sitting:
        return self

    def __exit__(self, *_: object) -> None:
        self.child.close(force=True)


def _play(words: tuple[str, ...], environment: dict[str, str]) -> None:
    code = 70
    try:
        os.environ.clear()
        os.environ.update(environment)
        encoding = environment.get("PYTHONIOENCODING", "utf-8")
        sys.stdin = open(0, encoding=encoding, closefd=False)  # noqa: SIM115
        sys.stdout, sys.stderr = (open(n, "w", encoding=encoding, closefd=False) for n in (1, 2))  # noqa: SIM115
        sys.__stdout__ = sys.stdout  # type: ignore[misc]  # it is asked for the size of the terminal
        _edit_lines_anew()
        code = main(["play", *words])
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _edit_lines_anew() -> None:
    """Pytest has imported readline, which keeps the type and the size that its terminal had then."""
    editor = sys.modules.get("readline")
    if editor is not None:
        reset = getattr(ctypes.CDLL(editor.__file__), "rl_reset_terminal", None)
        if reset is not None:
            reset(None)
