"""For tests of players."""

from __future__ import annotations

import pytest


@pytest.fixture
def searching_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve no ending, so that searches are tested by themselves."""
    monkeypatch.setattr("interpreter.players.judging.ending_of", lambda *_, **__: None)
    monkeypatch.setattr("interpreter.players.weighing.certain", lambda *_, **__: None)
