"""Fixtures for tests of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import Run, runner


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run command lines in an empty folder with the starter game."""
    return runner(capsys, monkeypatch, tmp_path)
