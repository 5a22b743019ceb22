"""Generated code is the same text wherever and whenever a game is compiled."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PRINT = "import sys; from interpreter import load; print(load(sys.argv[1]).machine.source)"


@pytest.mark.whole
@pytest.mark.parametrize("name", ["barbu", "cribbage"])
def test_a_game_compiles_to_the_same_text_in_every_process(name: str) -> None:
    texts = [_source(name, seed) for seed in ("1", "2")]
    assert texts[0] == texts[1]
    assert len(texts[0].splitlines()) > 500


def _source(name: str, seed: str) -> str:
    """The text that a process whose sets and hashes are ordered by this seed makes."""
    shown = subprocess.run(
        [sys.executable, "-c", PRINT, name],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return shown.stdout
