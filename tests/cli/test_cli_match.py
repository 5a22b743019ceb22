"""`match`: who is stronger, in words and as JSON; wrong usage; interruption."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import Run, command_lines

from hoyle.series import match

run = command_lines


@pytest.mark.whole
def test_stronger_player_is_named(run: Run) -> None:
    code, out, err = run("match", "scopa", "first", "random", "-n", "10", "--seed", "1")
    title, _, heads, wins, score, _, verdict = out.splitlines()
    assert (code, err) == (0, "")
    assert title == "10 deals of Scopa, seed 1, 20 games: first against random"
    assert heads.split("  ")[-1] == "if equal" and "95 % interval" in heads
    assert wins.startswith("  wins of first") and wins.endswith(" 50.0 %")
    assert score.startswith("  score of first over random (more is better)") and score.endswith(" 0.00")
    assert verdict == "first is stronger than random"
    assert run("match", "scopa", "random", "first", "-n", "10", "--seed", "1")[1].splitlines()[-1] == verdict


def test_json_in_a_file(run: Run) -> None:
    words = ("match", "game.yaml", "first", "random", "-n", "2", "--seed", "3", "--set", "cards_each=3", "--json")
    code, out, _ = run(*words, "--engine", "python")
    found = json.loads(out)
    assert (code, found["format"], found["players"]) == (0, "hoyle match", {"A": "first", "B": "random"})
    assert (found["deals"], found["games"], found["even"], found["interrupted"]) == (2, 4, 0.5, False)
    assert found["options"]["cards_each"] == 3 and found["stronger"] in ("A", "B", None)
    assert set(found["wins"]) == set(found["lead"]) == {"mean", "low", "high", "sd", "min", "max"}
    assert run(*words, "--engine", "python", "--out", "r.json") == (0, "", "")
    assert Path("r.json").read_text() == out


def test_unfinished_games_are_counted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hoyle.game.playouts.MOST_DECISIONS", 2)
    lines = run("match", "game.yaml", "first", "random", "-n", "3", "--seed", "1")[1].splitlines()
    assert lines[-3:] == ["6 games that did not end count as even", "", "3 deals do not tell which of them is stronger"]


@pytest.mark.whole
@pytest.mark.parametrize("after", [0, 1, 3])
def test_interrupted_match_shows_the_deals_it_played(run: Run, after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    play = match._played

    def until_then(game: Any, order: Any, index: int) -> Any:
        if index >= after:
            raise KeyboardInterrupt
        return play(game, order, index)

    monkeypatch.setattr(match, "_played", until_then)
    words = ("match", "game.yaml", "first", "random", "--seed", "3")
    code, out, err = run(*words, "-n", "40", "--out", "r.txt")
    told = "`r.txt` is not written: an interrupted series is only printed\n" * bool(after)
    assert (code, err, bool(out)) == (130, f"\nstopped\n{told}", after > 0)
    assert not Path("r.txt").exists()
    if after:
        title, stopped, *rest = out.splitlines()
        assert title.startswith(f"{after} deal") and stopped == f"stopped after {after} of 40 deals"
        monkeypatch.setattr(match, "_played", play)
        assert run(*words, "-n", str(after))[1].splitlines()[1:] == rest
