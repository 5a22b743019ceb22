"""`compare` and `sweep`: rules that differ, figures and a verdict, as text and JSON; wrong usage; interruption."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from commands import Run, command_lines

from interpreter.cli.comparing import comparisons
from interpreter.game import playouts
from interpreter.series import simulate

run = command_lines
WORDS = ("compare", "game.yaml", "game.yaml,cards_each=9", "--engine", "python", "--seed", "3")
SWEEP = ("sweep", "game.yaml", "--set", "cards_each=5,9", "--engine", "python", "--seed", "3")
MANY = """
ruleset: 1
game: many
players: {count: 2, seats: [A, B]}
options: {tricks: {kind: bool, default: true}}
tables: {sorts: {rows: {coin: {}}}}
pieces: {coin: {of: [sorts], copies: 12, from: purse}}
piles: {purse: {}, box: {each: player}}
moves:
  put: {rule: {at: §1, en: A coin is put away.}, take: purse, put: box}
  one: {rule: {at: §2, en: Trick one.}, if: {on: tricks}, take: purse, put: box}
  two: {rule: {at: §2, en: Trick two.}, if: {on: tricks}, take: purse, put: box}
  three: {rule: {at: §2, en: Trick three.}, if: {on: tricks}, take: purse, put: box}
flow:
  game: {all: {turns: turn, from: A, rounds: 6}}
  turn: {coin: {choose: [put, one, two, three]}}
result: {best: count(box of p)}
"""
"""A game whose option excludes several moves."""


@pytest.mark.whole
def test_text(run: Run) -> None:
    code, out, err = run(*WORDS, "-n", "60")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[:3] == [
        "60 games of each, the same ones, seed 3, players random",
        "  1  Game (game)",
        "  2  Game (game, cards_each=9)",
    ]
    assert any(line.startswith("- Cards dealt to each: 9 instead of 5") for line in lines)
    assert len([line for line in lines if line.startswith("  * moves to choose from ")]) == 1
    assert "* beyond chance, though so many figures are looked at (Holm, 5 %)" in out
    assert re.search(r"^- moves to choose from: 1\.\d+ times what it was \[1\.", out, re.MULTILINE)
    assert "- No difference beyond chance: wins of A and wins of B (one of " in out


@pytest.mark.whole
def test_no_difference_is_reported(run: Run) -> None:
    out = run("compare", "game.yaml", "game.yaml", "--engine", "python", "--seed", "3", "-n", "8")[1]
    assert out.endswith("What was played shows no difference beyond chance.\n") and "(Holm" not in out
    assert "- The same in every game: wins of A, wins of B and shared.\n" in out


@pytest.mark.whole
def test_in_french(run: Run) -> None:
    code, out, _ = run(*WORDS, "-n", "20", "--lang", "fr", "--player", "premier")
    assert code == 0 and "20 parties de chacune, les mêmes, graine 3, joueurs premier" in out
    assert "━━ 2 comparée à 1 ━━" in out and "- coups possibles : 1," in out
    assert "moitié de l'intervalle" in run(*SWEEP, "-n", "4", "--lang", "fr")[1]


@pytest.mark.whole
def test_json(run: Run) -> None:
    found = json.loads(run(*WORDS, "-n", "24", "--json")[1])
    assert (found["format"], found["games"], found["seed"]) == ("hoyle compare", 24, 3)
    assert [one["options"]["cards_each"] for one in found["editions"]] == [5, 9]
    assert [[change["section"] for change in changes] for changes in found["rules"]] == [["options"]]
    wins = next(one for one in found["figures"] if (one["section"], one["name"]) == ("wins", "A"))
    assert [set(mean) for mean in wins["means"]] == [{"mean", "low", "high", "sd", "min", "max"}] * 2
    assert set(wins["paired"][0]) == {"difference", "ratio", "chance", "seen", "worth"}
    assert ["length", "branching"] in found["beyond_chance"][0]


@pytest.mark.whole
def test_table_of_all_combinations(run: Run) -> None:
    code, out, err = run(*SWEEP, "--set", "players=2", "-n", "30")
    assert (code, err) == (0, "")
    assert out.startswith("Game: 2 combinations, 30 games of each, the same ones, seed 3, players random\n")
    rows = [line.split() for line in out.splitlines() if line.startswith(("  5  ", "  9  "))]
    assert rows and {row[1] for row in rows} == {"2"}
    assert all("±" in row[-1] or row[-1].endswith("]") for row in rows)
    assert "* differs from the first row (cards_each=5, players=2) beyond chance" in out


@pytest.mark.whole
def test_table_has_the_figures_of_a_comparison(run: Run) -> None:
    swept, compared = (json.loads(run(*words, "-n", "12", "--json")[1]) for words in (SWEEP, WORDS))
    assert (swept["format"], swept["grid"], swept["excluded"]) == ("hoyle sweep", {"cards_each": [5, 9]}, [])
    assert swept["figures"] == compared["figures"] and swept["beyond_chance"] == compared["beyond_chance"]


@pytest.mark.whole
def test_combination_that_the_rules_forbid_is_left_out(run: Run) -> None:
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
def test_wrong_usage(words: tuple[str, ...], said: str, run: Run) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "") and said in err


@pytest.mark.whole
@pytest.mark.parametrize("after", [1, 7])
def test_interruption_shows_the_games_that_all_editions_played(
    run: Run, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
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
def test_unfinished_games_are_counted_by_edition(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "cut off" not in run(*WORDS, "-n", "3")[1] + run(*SWEEP, "-n", "3")[1]
    for module in (playouts, comparisons):
        monkeypatch.setattr(module, "MOST_DECISIONS", 22)
    note = " of 6 games were cut off after 22 decisions; scores and lengths are of what was played until then."
    found = json.loads(run(*WORDS, "-n", "6", "--json")[1])
    [unfinished] = [one for one in found["figures"] if one["section"] == "unfinished"]
    first, other = (round(6 * mean["mean"]) for mean in unfinished["means"])
    assert 0 < first < other
    out = " ".join(run(*WORDS, "-n", "6")[1].split())
    assert f"1: {first}{note} 2: {other}{note}" in out
    swept = " ".join(run(*SWEEP, "-n", "6")[1].split())
    assert f"cards_each=5: {first}{note}" in swept and f"cards_each=9: {other}{note}" in swept


@pytest.mark.whole
@pytest.mark.parametrize(
    ("editions", "note", "now"),
    [
        (("many.yaml,tricks=false", "many.yaml"), "never before", "Now moves"),
        (("many.yaml", "many.yaml,tricks=false"), "no more", "No longer moves"),
    ],
)
def test_moves_of_one_edition_alone(editions: tuple[str, str], note: str, now: str, run: Run) -> None:
    Path("many.yaml").write_text(MANY.lstrip(), encoding="utf-8")
    out = " ".join(run("compare", *editions, "-n", "12", "--seed", "3", "--engine", "python")[1].split())
    assert f"{now}: “one”, “two” and “three”." in out
    [sentence] = re.findall(r"Used (?:more|less) often in a game: ([^.]*one[^.]*)\.", out)
    assert all(f"{name} ({note})" in sentence for name in ("one", "two", "three"))
