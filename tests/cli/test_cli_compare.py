"""`compare` and `sweep` at the command line: rules that differ, figures and a verdict, as text and JSON; what they refuse; what Ctrl-C leaves."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from spaces import spaced

from interpreter.cli.comparing import comparisons
from interpreter.cli.main import main
from interpreter.game import playouts
from interpreter.series import simulate

Run = Callable[..., tuple[int, str, str]]
WORDS = ("compare", "game.yaml", "game.yaml,cards_each=9", "--engine", "python", "--seed", "3")
SWEEP = ("sweep", "game.yaml", "--set", "cards_each=5,9", "--engine", "python", "--seed", "3")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.chdir(tmp_path)

    def call(*words: str) -> tuple[int, str, str]:
        code = main(words)
        said = capsys.readouterr()
        return code, spaced(said.out), spaced(said.err)

    assert call("new", "game")[0] == 0
    return call


def test_rules_figures_and_a_verdict(run: Run) -> None:
    code, out, err = run(*WORDS, "-n", "60")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[:3] == [
        "60 games of each, the same ones, seed 3, players random",
        "  1  Game (game)",
        "  2  Game (game, cards_each=9)",
    ]
    assert any(line.startswith("- Cards dealt to each: 9 instead of 5") for line in lines)
    [branching] = [line for line in lines if line.startswith("  * moves to choose from ")]
    assert "* beyond chance, though so many figures are looked at (Holm, 5 %)" in out
    assert any(line.startswith("- moves to choose from: 1.") and " times what it was [1." in line for line in lines), (
        branching
    )
    assert "- No difference beyond chance: wins of A and wins of B (one of " in out


def test_what_does_not_differ_is_said(run: Run) -> None:
    out = run("compare", "game.yaml", "game.yaml", "--engine", "python", "--seed", "3", "-n", "8")[1]
    assert out.endswith("What was played shows no difference beyond chance.\n") and "(Holm" not in out
    assert "- The same in every game: wins of A, wins of B and shared.\n" in out


@pytest.mark.whole
def test_in_french(run: Run) -> None:
    code, out, _ = run(*WORDS, "-n", "60", "--lang", "fr", "--player", "premier")
    assert code == 0 and "60 parties de chacune, les mêmes, graine 3, joueurs premier" in out
    assert "━━ 2 comparée à 1 ━━" in out and "- coups possibles : 1," in out
    assert "moitié de l'intervalle" in run(*SWEEP, "-n", "8", "--lang", "fr")[1]


def test_as_json(run: Run) -> None:
    found = json.loads(run(*WORDS, "-n", "60", "--json")[1])
    assert (found["format"], found["games"], found["seed"]) == ("hoyle compare", 60, 3)
    assert [one["options"]["cards_each"] for one in found["editions"]] == [5, 9]
    assert [[change["section"] for change in changes] for changes in found["rules"]] == [["options"]]
    wins = next(one for one in found["figures"] if (one["section"], one["name"]) == ("wins", "A"))
    assert [set(mean) for mean in wins["means"]] == [{"mean", "low", "high", "sd", "min", "max"}] * 2
    assert set(wins["paired"][0]) == {"difference", "ratio", "chance", "seen", "worth"}
    assert ["length", "branching"] in found["beyond_chance"][0]


def test_a_table_of_all_combinations(run: Run) -> None:
    code, out, err = run(*SWEEP, "--set", "players=2", "-n", "80")
    title, _, heads, *_ = out.splitlines()
    assert (code, err) == (0, "")
    assert title == "Game: 2 combinations, 80 games of each, the same ones, seed 3, players random"
    rows = [line.split() for line in out.splitlines() if line.startswith(("  5  ", "  9  "))]
    assert (
        rows and {row[1] for row in rows} == {"2"} and all("±" in row[-1] or row[-1].endswith("]") for row in rows)
    ), heads
    assert "* differs from the first row (cards_each=5, players=2) beyond chance" in out


def test_a_table_as_json_has_the_figures_of_a_comparison(run: Run) -> None:
    swept, compared = (json.loads(run(*words, "-n", "20", "--json")[1]) for words in (SWEEP, WORDS))
    assert (swept["format"], swept["grid"], swept["excluded"]) == ("hoyle sweep", {"cards_each": [5, 9]}, [])
    assert swept["figures"] == compared["figures"] and swept["beyond_chance"] == compared["beyond_chance"]


def test_what_the_ruleset_forbids_is_left_out_and_said(run: Run) -> None:
    text = Path("game.yaml").read_text(encoding="utf-8")
    rule = "\nconstraints:\n  few: {is: cards_each < 6, at: §9, en: So many cards are too many.}\n\npieces:"
    Path("game.yaml").write_text(text.replace("\npieces:", rule), encoding="utf-8")
    words = ("sweep", "game.yaml", "--engine", "python", "--seed", "3", "-n", "4", "--set")
    code, out, _ = run(*words, "cards_each=3,6")
    assert code == 0 and out.endswith("not played: cards_each=6. So many cards are too many.\n")
    excluded = json.loads(run(*words, "cards_each=3,6", "--json")[1])["excluded"]
    assert excluded == [{"options": {"cards_each": 6}, "why": "So many cards are too many."}]
    code, out, err = run(*words, "cards_each=6,7")
    assert (code, out) == (2, "") and "error[R612]: So many cards are too many." in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("compare", "game.yaml"), "give at least two to compare"),
        (("compare", "game.yaml", "game.yaml,cards_each"), "cards_each"),
        (("compare", "game.yaml", "game.yaml,cards=3"), "error[R610]: there is no option `cards`"),
        (("compare", "game.yaml", "game.yaml", "--seats", "first,first,first,first,first"), "5"),
        (("compare", "game.yaml", "game.yaml", "--player", "nobody"), "is not a kind of player"),
        (("sweep", "game.yaml"), "--set is missing"),
        (("sweep", "game.yaml", "--set", "cards_each"), "cards_each"),
        (("sweep", "game.yaml", "--set", "cards_each=3,99"), "error[R611]"),
    ],
)
def test_what_cannot_be_compared(words: tuple[str, ...], said: str, run: Run) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "") and said in err


@pytest.mark.parametrize("after", [1, 7])
def test_what_was_played_until_ctrl_c_is_shown(run: Run, after: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same games of each, or nothing if there are none of one."""
    played, count = simulate.play_some, 0

    def until_then(*given: Any) -> Any:
        nonlocal count
        if count == after:
            raise KeyboardInterrupt
        count += 1
        return played(*given)

    monkeypatch.setattr("interpreter.series.editions.play_some", until_then)
    code, out, err = run(*WORDS, "-n", "64", "--out", "r.txt")
    told = "`r.txt` is not written: what was played until then is shown here alone\n" if after == 7 else ""
    assert (code, err, Path("r.txt").exists()) == (130, f"\nstopped\n{told}", False)
    assert out.startswith("6 games of each") if after == 7 else out == ""
    assert ("stopped after 6 of 64 games" in out) == (after == 7)


@pytest.mark.whole
def test_games_that_were_cut_off_are_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """With their number, by edition, and only where there are any."""
    for module in (playouts, comparisons):
        monkeypatch.setattr(module, "MOST_DECISIONS", 12)
    words = ("--player", "easy", "-n", "6")
    said = " of 6 games were cut off after 12 decisions; scores and lengths are of what was played until then."
    found = json.loads(run(*WORDS, *words, "--json")[1])
    [unfinished] = [one for one in found["figures"] if one["section"] == "unfinished"]
    first, other = (round(6 * mean["mean"]) for mean in unfinished["means"])
    assert 0 < first < other
    out = " ".join(run(*WORDS, *words)[1].split())
    assert f"1: {first}{said} 2: {other}{said}" in out
    swept = " ".join(run(*SWEEP, *words)[1].split())
    assert f"cards_each=5: {first}{said}" in swept and f"cards_each=9: {other}{said}" in swept


def test_of_games_that_all_end_none_is_told_to_be_cut_off(run: Run) -> None:
    assert "cut off" not in run(*WORDS, "-n", "6")[1] + run(*SWEEP, "-n", "6")[1]


@pytest.mark.whole
@pytest.mark.parametrize(("options", "told"), [(("A", "B"), "never before"), (("B", "A"), "no more")])
def test_a_move_that_only_one_knows_is_never_before_or_no_more(options: tuple[str, str], told: str, run: Run) -> None:
    """Doubling that is excluded by an option."""
    editions = {"A": "barbu-contre,doubling=nobody", "B": "barbu-contre"}
    out = " ".join(run("compare", *(editions[one] for one in options), "-n", "12", "--seed", "3")[1].split())
    [sentence] = re.findall(r"Used (?:more|less) often in a game: ([^.]*double[^.]*)\.", out)
    assert f"double ({told})" in sentence and len(set(re.findall("never before|no more", sentence))) == 1
