"""`compare`, `sweep`, `match` and `simulate`: the same figures, a verdict, JSON; interruption. `cases/sequences.yaml` has more."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import Run, command_lines

from hoyle.series import match, simulate

run = command_lines
WORDS = ("compare", "game.yaml", "game.yaml,cards_each=9", "--engine", "python", "--seed", "3")
SWEEP = ("sweep", "game.yaml", "--set", "cards_each=5,9", "--engine", "python", "--seed", "3")


@pytest.mark.whole
def test_table_has_the_figures_of_a_comparison(run: Run) -> None:
    swept, compared = (json.loads(run(*words, "-n", "12", "--json")[1]) for words in (SWEEP, WORDS))
    assert (swept["format"], swept["grid"], swept["excluded"]) == ("hoyle sweep", {"cards_each": [5, 9]}, [])
    assert swept["figures"] == compared["figures"] and swept["beyond_chance"] == compared["beyond_chance"]


@pytest.mark.whole
@pytest.mark.parametrize("after", [1, 7])
def test_interruption_shows_games_of_all_editions(run: Run, after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    played, count = simulate.play_games, 0

    def until_then(*given: Any) -> Any:
        nonlocal count
        if count == after:
            raise KeyboardInterrupt
        count += 1
        return played(*given)

    monkeypatch.setattr("hoyle.series.variants.play_games", until_then)
    code, out, err = run(*WORDS, "-n", "64", "--out", "r.txt")
    told = "`r.txt` is not written: an interrupted series is only printed\n" if after == 7 else ""
    assert (code, err, Path("r.txt").exists()) == (130, f"\nstopped\n{told}", False)
    assert out.startswith("6 games of each") if after == 7 else out == ""
    assert ("stopped after 6 of 64 games" in out) == (after == 7)


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


STOPPED = {"game": (simulate, "play_games", ("simulate",)), "deal": (match, "_played", ("match", "first", "random"))}


@pytest.mark.whole
@pytest.mark.parametrize("after", [0, 1, 3])
@pytest.mark.parametrize("what", STOPPED)
def test_interrupted_series_shows_what_it_played(
    what: str, after: int, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    module, function, (command, *players) = STOPPED[what]
    play = getattr(module, function)

    def until_then(game: Any, order: Any, which: Any) -> Any:
        if (which.start if isinstance(which, range) else which) >= after:
            raise KeyboardInterrupt
        return play(game, order, which)

    monkeypatch.setattr(module, function, until_then)
    words = (command, "game.yaml", *players, "--seed", "3")
    code, out, err = run(*words, "-n", "40", "--out", "r.txt")
    told = "`r.txt` is not written: an interrupted series is only printed\n" * bool(after)
    assert (code, err, bool(out)) == (130, f"\nstopped\n{told}", after > 0)
    assert not Path("r.txt").exists()
    if after:
        title, stopped, *rest = out.splitlines()
        assert title.startswith(f"{after} {what}") and stopped == f"stopped after {after} of 40 {what}s"
        monkeypatch.setattr(module, function, play)
        assert run(*words, "-n", str(after))[1].splitlines()[1:] == rest
