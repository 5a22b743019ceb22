"""The end of a game that is played alone: how far it came, and the way back."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.main import main

Run = Callable[..., str]
COINS = """
ruleset: 1
game: coins
title: {{en: Coins}}
source: {{text: A patience with three coins., year: 2026}}
notes: {{§1: "Coins are put away, one or two at a time, or it is given up."}}
players: {{count: 1, seats: [A]}}
tables: {{sorts: {{rows: {{one: {{}}}}}}, ways: {{rows: {{there: {{}}, back: {{}}}}}}}}
pieces: {{coin: {{of: [sorts], copies: 3, from: purse}}}}
piles: {{purse: {{}}, box: {{}}}}
terms: {{kept: count(box)}}
moves:
  put:
    rule: {{at: §1, en: A coin is put away.}}
    take: purse
    put: box
  end:
    rule: {{at: §1, en: It is given up.}}
    then: {{over: {{leave: game}}}}
flow:
  game: {{go: {{by: A, at_most: 40, play: [put, end]}}}}
result: {{best: kept{won}}}
"""


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)

    def call(lines: str, won: str = "kept is 3", lang: str = "en") -> str:
        write(tmp_path, won)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
        assert main(["play", "coins.yaml", "--seed", "1", "--lang", lang]) == 0
        return capsys.readouterr().out

    return call


def write(folder: Path, won: str) -> None:
    (folder / "coins.yaml").write_text(COINS.format(won=f", won: {won}" if won else ""), encoding="utf-8")


@pytest.mark.parametrize(
    ("won", "said"),
    [
        ("kept is 3", "It is lost, at 1 of 3."),
        ("kept >= 2 + 1", "It is lost, at 1 of 3."),
        ("kept > 2", "It is lost."),
        ("count(purse) is 0", "It is lost."),
        ("kept is 3 and purse is empty", "It is lost."),
        ("first(ways) is last(ways)", "It is lost."),
        ("kept is 1", "It is won."),
    ],
)
def test_what_is_lost_says_how_far_it_came_where_that_can_be_known(won: str, said: str, run: Run) -> None:
    """Where the rules say which number there is to reach."""
    assert f"The game is over. {said}\n" in run("put\nend\n", won)


def test_how_far_it_came_in_another_language(run: Run) -> None:
    assert "La partie est finie. C'est perdu, à 1 sur 3.\n" in run("put\nend\n", lang="fr")


SHOWN = "kept is 4}\ndisplay: {home: {is: kept, en: coins at home, fr: pièces rangées}}\n#"


@pytest.mark.parametrize(
    ("lang", "given_up", "stuck"),
    [
        ("en", "It is lost: 1 of 4 coins at home.", "No move is left. It is lost: 3 of 4 coins at home."),
        (
            "fr",
            "C'est perdu, pièces rangées\u00a0: 1 sur 4.",
            "Plus aucun coup n'est possible. C'est perdu, pièces rangées\u00a0: 3 sur 4.",
        ),
    ],
)
def test_why_it_is_lost_is_said_and_what_displays_call_what_there_is_to_reach(
    lang: str, given_up: str, stuck: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who gives up had moves left."""
    assert f". {given_up}\n" in run("put\nend\n", SHOWN, lang)
    monkeypatch.setattr(
        sys.modules[__name__], "COINS", COINS.replace("given up.}}", "given up.}}\n    if: {{early: box is empty}}")
    )
    assert f". {stuck}\n" in run("put\n" * 3, SHOWN, lang)


def test_what_led_to_the_end_can_be_taken_back(run: Run) -> None:
    out = run("put\nend\nundo\nend\nu\nput\nput\n")
    assert out.count("It is lost, at 1 of 3.") == 2
    assert out.count("`undo` goes back, Enter leaves: ") == 2
    assert "The game is over. It is won.\n" in out


def test_the_end_of_a_script_is_the_end(run: Run) -> None:
    assert run("put\nend\n").endswith("It is lost, at 1 of 3.\nA: 1\n")
    assert run("put\nend\nput\nundo\n").endswith("A: 1\n`undo` goes back, Enter leaves: put\n")


def test_what_is_won_is_not_taken_back(run: Run) -> None:
    assert run("put\nput\nput\nundo\n").endswith("It is won.\nA: 3\n")


def test_where_nothing_is_to_be_won_it_can_be_taken_back(run: Run) -> None:
    assert "`undo` goes back" in run("put\nend\nundo\n", won="")


@pytest.mark.whole
def test_a_person_is_asked_until_it_is_clear(tmp_path: Path) -> None:
    pexpect: Any = pytest.importorskip("pexpect")
    write(tmp_path, "kept is 3")
    root = str(Path(__file__).resolve().parents[2])
    command = ["-m", "interpreter", "play", "coins.yaml", "--lang", "en"]
    env = {"PATH": "/usr/bin:/bin", "TERM": "dumb", "LC_ALL": "C.UTF-8", "PYTHONPATH": root}
    child = pexpect.spawn(sys.executable, command, cwd=str(tmp_path), env=env, encoding="utf-8", timeout=60)
    for typed in ("end", "udno", "undo", "end"):
        child.expect("A> |leaves: ")
        child.sendline(typed)
    child.expect("leaves: ")
    child.sendline("")
    child.expect(pexpect.EOF)
    assert "unfinished" not in child.before
