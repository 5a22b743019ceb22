"""Command lines that are run in this process, in a folder that has the starter game."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from spaces import spaced
from starter import in_french

from interpreter.cli.main import main

Said = tuple[int, str, str]
Run = Callable[..., Said]


def runner(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path) -> Run:
    """What runs one command line in the folder, which is empty but for the starter game: its exit code and what it says."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    def call(*words: str, stdin: str = "") -> Said:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = main(words)
        said = capsys.readouterr()
        return code, spaced(said.out), spaced(said.err)

    assert call("new", "game")[0] == 0
    in_french(folder)
    return call


def told(run: Run, *words: str, **more: Any) -> Any:
    code, out, _ = run(*words, "--json", **more)
    assert code == 0
    found = json.loads(out)
    assert found["version"] == 1
    return found
