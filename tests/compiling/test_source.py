"""Generate the same code in every process, and no more of it than there are steps."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from rules import change_rules

PRINT = "import sys; from hoyle import load; print(load(sys.argv[1]).machine.source)"


@pytest.mark.slow
def test_a_game_compiles_to_the_same_text_in_every_process() -> None:
    command = [sys.executable, "-c", PRINT, "barbu"]
    texts = [
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE, check=True).stdout
        for seed in ("1", "2")
    ]
    assert texts[0] == texts[1]
    assert len(texts[0].splitlines()) > 500


@pytest.mark.whole
def test_code_grows_no_faster_than_the_steps(tmp_path: Path) -> None:
    """Each step can be begun at, but the code that follows it is written once."""
    lines = []
    for count in (20, 80):
        steps = ", ".join(f"s{n}: {{move: pack, count: 1, to: heap}}" for n in range(count))
        game = change_rules("compiling/steps", tmp_path, {"last: {leave: game}": steps})
        lines.append(len(game.machine.source.splitlines()))
    assert lines[1] < 4 * lines[0]
