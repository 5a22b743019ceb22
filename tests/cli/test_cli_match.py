"""`match` at the command line: who is stronger, in words and as JSON; what it refuses; what Ctrl-C leaves."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from spaces import spaced
from starter import in_french

from interpreter.cli.main import main
from interpreter.series import match

pytestmark = pytest.mark.whole

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> tuple[int, str, str]:
        code = main(words)
        said = capsys.readouterr()
        return code, spaced(said.out), spaced(said.err)

    assert call("new", "game")[0] == 0
    in_french(tmp_path)
    return call


def test_who_is_stronger_is_said(run: Run) -> None:
    code, out, err = run("match", "scopa", "first", "random", "-n", "10", "--seed", "1")
    title, _, heads, wins, score, _, verdict = out.splitlines()
    assert (code, err) == (0, "")
    assert title == "10 deals of Scopa, seed 1, 20 games: first against random"
    assert heads.split("  ")[-1] == "if equal" and "95 % interval" in heads
    assert wins.startswith("  wins of first") and wins.endswith(" 50.0 %")
    assert score.startswith("  score of first over random (more is better)") and score.endswith(" 0.00")
    assert verdict == "first is stronger than random"
    assert run("match", "scopa", "random", "first", "-n", "10", "--seed", "1")[1].splitlines()[-1] == verdict


def test_whose_moves_are_not_the_same_again_is_said(run: Run) -> None:
    said = "do not make the same moves again"
    assert said in run("match", "game.yaml", "search:0.001s", "first", "-n", "1", "--engine", "python")[1]
    assert said not in run("match", "game.yaml", "search:1", "first", "-n", "1", "--engine", "python")[1]


def test_in_french(run: Run) -> None:
    code, out, err = run("match", "game.yaml", "first", "first", "-n", "3", "--lang", "fr")
    assert code == 0 and "graine" in err
    assert "Game, premier contre premier : 3 donnes" in out and "victoires de premier" in out and "à force égale" in out
    assert out.splitlines()[-1] == "3 donnes ne suffisent pas pour dire lequel est le plus fort"


@pytest.mark.slow
def test_as_json_in_a_file_by_several_processes(run: Run) -> None:
    words = ("match", "game.yaml", "first", "random", "-n", "6", "--seed", "3", "--set", "cards_each=3", "--json")
    code, out, _ = run(*words)
    found = json.loads(out)
    assert (code, found["format"], found["players"]) == (0, "hoyle match", {"A": "first", "B": "random"})
    assert (found["deals"], found["games"], found["even"], found["interrupted"]) == (6, 12, 0.5, False)
    assert found["options"]["cards_each"] == 3 and found["stronger"] in ("A", "B", None)
    assert set(found["wins"]) == set(found["lead"]) == {"mean", "low", "high", "sd", "min", "max"}
    assert run(*words, "-j2", "--out", "r.json") == (0, "", "")
    assert Path("r.json").read_text() == out


def test_games_without_a_winner_are_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.game.playouts.MOST_DECISIONS", 2)
    lines = run("match", "game.yaml", "first", "random", "-n", "3", "--seed", "1")[1].splitlines()
    assert lines[-3:] == ["6 games that did not end count as even", "", "3 deals do not tell which of them is stronger"]


def test_nobody_is_met_in_a_patience(run: Run) -> None:
    code, out, err = run("match", "klondike", "first", "random")
    assert (code, out) == (2, "")
    assert "`hoyle simulate klondike --seats first` and then `--seats random`" in err


def test_who_may_play(run: Run) -> None:
    for kinds in (("human", "first"), ("first", "nobody")):
        code, _, err = run("match", "game.yaml", *kinds)
        assert code == 2 and "is not a kind of player; there are easy, first" in err
    assert run("match", "game.yaml", "first")[2].startswith("error: B is missing")


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("search:0s", "from 0.001s to 999.999s (search:0.5s)"),
        ("search:0", "from 1 to 999999 (search:2000)"),
        ("search:-5", "from 1 to 999999"),
        ("search:1000000", "from 1 to 999999"),
        ("search:5:points", "and perhaps `:score` (search:2000:score)"),
        ("easy:50", "behind `easy` only `:score` may stand (easy:score)"),
        ("greedy:score", "nothing may stand behind `greedy`"),
    ],
)
def test_what_may_not_stand_behind_a_kind_of_player(kind: str, said: str, run: Run) -> None:
    code, out, err = run("match", "game.yaml", "first", kind)
    assert (code, out) == (2, "")
    assert f"`{kind}` is not a kind of player: " in err and said in err
    assert run("match", "game.yaml", "first", kind, "--lang", "fr")[2].startswith(
        f"erreur : `{kind}` n'est pas une sorte"
    )


@pytest.mark.parametrize("after", [0, 1, 3])
def test_a_match_that_is_interrupted(run: Run, after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is shown is what a match of so many deals shows; of none there is nothing to show."""
    play = match._played

    def until_then(game: Any, order: Any, index: int) -> Any:
        if index >= after:
            raise KeyboardInterrupt
        return play(game, order, index)

    monkeypatch.setattr(match, "_played", until_then)
    words = ("match", "game.yaml", "first", "random", "--seed", "3")
    code, out, err = run(*words, "-n", "40", "--out", "r.txt")
    told = "`r.txt` is not written: what was played until then is shown here alone\n" * bool(after)
    assert (code, err, bool(out)) == (130, f"\nstopped\n{told}", after > 0)
    assert not Path("r.txt").exists()
    if after:
        title, stopped, *rest = out.splitlines()
        assert title.startswith(f"{after} deal") and stopped == f"stopped after {after} of 40 deals"
        monkeypatch.setattr(match, "_played", play)
        assert run(*words, "-n", str(after))[1].splitlines()[1:] == rest


@pytest.mark.parametrize(
    ("kind", "meant"),
    [("norml", "normal"), ("Search", "search"), ("serach:100", "search:100"), ("serach:x", "search"), ("robot", None)],
)
def test_a_misspelt_kind_of_player(kind: str, meant: str | None, run: Run) -> None:
    code, _, err = run("match", "scopa", kind, "random")
    told = " ".join(err.split())
    assert code == 2
    assert told.endswith(f"; did you mean `{meant}`?") if meant else "did you mean" not in told
