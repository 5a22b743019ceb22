"""Generate the same code in every process, and no more of it than there are steps."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter import load

PRINT = "import sys; from interpreter import load; print(load(sys.argv[1]).machine.source)"


@pytest.mark.slow
def test_a_game_compiles_to_the_same_text_in_every_process() -> None:
    texts = [_source("barbu", seed) for seed in ("1", "2")]
    assert texts[0] == texts[1]
    assert len(texts[0].splitlines()) > 500


STEPS = """
ruleset: 1
game: steps
use: [french]
players: {{count: 1, seats: [A]}}
pieces: {{card: {{of: [ranks, suits], from: pack}}}}
piles: {{pack: {{}}, heap: {{}}}}
flow:
  game: {{{}}}
result: {{best: count(heap)}}
"""


@pytest.mark.whole
def test_code_grows_no_faster_than_the_steps(tmp_path: Path) -> None:
    """Each step can be begun at, but the code that follows it is written once."""
    lines = []
    for count in (20, 80):
        path = tmp_path / f"steps{count}.yaml"
        path.write_text(STEPS.format(", ".join(f"s{n}: {{move: pack, count: 1, to: heap}}" for n in range(count))))
        lines.append(len(load(path).machine.source.splitlines()))
    assert lines[1] < 4 * lines[0]


def _source(name: str, seed: str) -> str:
    shown = subprocess.run(
        [sys.executable, "-c", PRINT, name],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=True,
    )
    return shown.stdout
