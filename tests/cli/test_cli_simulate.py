"""`simulate` and `replay`: the same numbers whatever the number of processes, and records that are verified line by line."""

import json
import math
import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from commands import Run, runner, told

from hoyle import load
from hoyle.series.measures import measure_mean, measure_share


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2] / "interpreter"))
    return runner(capsys, monkeypatch, tmp_path)


def simulated(run: Run, *words: str, game: str = "game.yaml") -> Any:
    return told(run, "simulate", game, "--seed", "3", *words)


# ---- figures ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_figures_do_not_depend_on_the_number_of_processes(run: Run) -> None:
    words = ("-n", "40", "--seats", "greedy,first")
    one, two, three = (simulated(run, *words, "--jobs", jobs) for jobs in ("1", "2", "3"))
    assert one == two == three
    assert one["seats"] == {"A": "greedy", "B": "first"}
    assert one["wins"] != simulated(run, "-n", "40")["wins"]
    wins = simulated(run, "-n", "40", "--seats", "greedy,random")["wins"]
    assert wins["A"]["games"] > wins["B"]["games"]


@pytest.mark.whole
def test_figures_are_those_of_the_games(run: Run) -> None:
    found = simulated(run, "-n", "30", "--set", "cards_each=3")
    game = load("game.yaml", cards_each=3)
    ends = [game.playout(seed=3, index=index) for index in range(30)]
    decisions = [end.decisions for end in ends]
    assert found["decisions"]["mean"] == pytest.approx(statistics.fmean(decisions), abs=1e-6)
    assert (found["decisions"]["min"], found["decisions"]["max"]) == (min(decisions), max(decisions))
    assert found["wins"]["A"]["games"] == sum(end.winners == ["A"] for end in ends)
    assert found["draws"]["games"] == sum(len(end.winners) > 1 for end in ends)
    assert found["scores"]["B"]["mean"] == pytest.approx(statistics.fmean(end.scores["B"] for end in ends), abs=1e-6)
    assert sum(found["uses"]["move"].values()) == sum(decisions)
    assert found["options"]["cards_each"] == 3
    assert simulated(run, "-n", "30", "--set", "cards_each=3", "--seed", "4") != found


def test_intervals_of_means_and_shares() -> None:
    """Student's with three degrees of freedom; Wilson's as published: 10 of 20 is 0.299 to 0.701 at 95 %."""
    found = measure_mean([1, 2, 3, 4])
    assert (found.mean, found.min, found.max) == (2.5, 1, 4)
    assert found.high - found.mean == pytest.approx(3.182446 * math.sqrt(5 / 3) / 2, abs=1e-5)
    assert measure_mean([7]).low == 7
    half = measure_share(10, 20)
    assert [half.low, half.high] == pytest.approx([0.2993, 0.7007], abs=1e-4)
    assert (measure_share(0, 10).low, measure_share(10, 10).high) == (0.0, 1.0)
    assert all(math.copysign(1, measure_share(0, games).low) == 1 for games in range(1, 60))


# ---- interrupting ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_ctrl_c_shows_what_was_played_and_leaves_no_file(run: Run, jobs: str) -> None:
    words = ["simulate", "game.yaml", "-n", "1000000", "--seed", "1", "--engine", "python", "--json", "--out", "r.json"]
    command = [sys.executable, "-m", "hoyle", *words, "--jobs", jobs]
    child = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ})
    time.sleep(2)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    note = b"`r.json` is not written: an interrupted series is only printed\n" if out else b""
    assert (child.returncode, err) == (130, b"\nstopped\n" + note)
    assert not list(Path().glob("*.json")) + list(Path().glob(".*"))
    if not out:
        return  # a busy machine had not begun
    found = json.loads(out)
    assert found.pop("interrupted") and 0 < found["games"] < 1_000_000
    whole = simulated(run, "-n", str(found["games"]), "--seed", "1")
    assert whole.pop("interrupted") is False and whole == found


# ---- records ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def record(run: Run) -> list[str]:
    assert run("play", "game.yaml", "--seats", "random,random", "--seed", "2", "--record", "r.jsonl")[0] == 0
    return Path("r.jsonl").read_text().splitlines()


@pytest.mark.whole
def test_every_changed_line_is_noticed(run: Run, record: list[str]) -> None:
    for number in (1, len(record) // 2, len(record) - 1):
        changed = [*record]
        changed[number] = changed[number].replace('": ', '": "x', 1) if number % 2 else changed[number][:-3]
        Path("changed.jsonl").write_text("\n".join(changed))
        code, _, err = run("replay", "changed.jsonl")
        assert code == 1 and f"changed.jsonl:{number + 1}:" in err
    code, out, _ = run("replay", "changed.jsonl", "--json")
    assert code == 1 and json.loads(out)["problems"][0]["line"] == len(record)
