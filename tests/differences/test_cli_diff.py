"""`hoyle diff`: its forms, its sides, its exit codes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from commands import Run, runner, told

OTHER = "ruleset: 1\ngame: other\nextends: game\ntitle: <Other> & more\n"


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    found = runner(capsys, monkeypatch, tmp_path)
    (tmp_path / "other.yaml").write_text(OTHER + "terms:\n  more: count(players) + 1\nresult: {best: more}\n")
    (tmp_path / "broken.yaml").write_text("ruleset: 1\ngame: broken\nmoves: [\n")
    return found


@pytest.mark.whole
def test_what_is_known_stands_first(run: Run) -> None:
    code, out, err = run("diff", "game.yaml", "other.yaml")
    assert (code, err) == (0, "")
    assert out.startswith("<Other> & more (other), compared with ")
    assert "The highest result wins: 3 — instead of: The lowest result wins: the number of cards" in " ".join(
        out.split()
    )
    assert "other.yaml:7" in out and "game.yaml:" in out
    assert all(len(line) <= 80 for line in out.split("\n"))


@pytest.mark.whole
def test_the_exit_code_tells_of_differences_if_asked(run: Run) -> None:
    assert run("diff", "game.yaml", "other.yaml")[0] == 0
    assert run("diff", "game.yaml", "other.yaml", "--exit-code")[0] == 1
    code, out, _ = run("diff", "game.yaml", "game.yaml", "--exit-code")
    assert code == 0 and out.endswith("No difference.\n")
    assert run("diff", "game.yaml", "game.yaml", "--exit-code", "--lang", "fr")[1].endswith("Aucune différence.\n")


@pytest.mark.whole
def test_one_game_with_two_settings(run: Run) -> None:
    code, out, _ = run("diff", "klondike", "--set", "take_back=true", "--set-a", "draw=1", "--set-b", "draw=2")
    assert code == 0
    assert " ".join(out.split()).startswith(
        "Klondike (klondike, draw=2, take_back=true), compared with Klondike (klondike, draw=1, take_back=true): - "
    )
    assert out.count("\n- ") == 1
    assert run("diff", "klondike", "--set-b", "draw=99")[0] == 2
    assert run("diff", "klondike", "--set-b", "nothing=1")[0] == 2


@pytest.mark.whole
def test_a_number_in_a_sentence_and_a_clause_that_holds_are_told_as_options(run: Run) -> None:
    code, out, _ = run("diff", "gin-rummy", "--set-b", "gin_bonus=10", "--set-b", "aces=round_the_corner")
    assert (code, out.count("\n- ")) == (0, 2)
    assert "- Where aces stand in a run: round the corner instead of low." in out
    assert "- Points for gin: 10 instead of 25." in out


@pytest.mark.whole
def test_a_sentence_in_other_words_is_told_with_what_its_options_say(run: Run, tmp_path: Path) -> None:
    text = "ruleset: 1\ngame: kin\nextends: gin-rummy\ntitle: Kin\nclauses: {GR18: 'For a deal {box_bonus} points.'}\n"
    (tmp_path / "kin.yaml").write_text(text, encoding="utf-8")
    out = " ".join(run("diff", "gin-rummy", "kin.yaml")[1].split())
    assert (
        "For a deal 25 points — instead of: At the end of the game each scores 25 points for every deal he has won."
        in out
    )


@pytest.mark.whole
def test_for_programs(run: Run, tmp_path: Path) -> None:
    (tmp_path / "kin.yaml").write_text("ruleset: 1\ngame: kin\nextends: klondike\ntitle: Kin\nset: {draw: 1}\n")
    found = told(run, "diff", "klondike", "kin.yaml")
    assert found["format"] == "hoyle diff"
    assert (found["a"]["game"], found["b"]["game"]) == ("klondike", "kin")
    assert (found["a"]["options"]["draw"], found["b"]["options"]["draw"]) == (3, 1)
    [change] = found["changes"]
    assert [change[key] for key in ("kind", "section", "path", "in_force")] == ["replaced", "options", ["draw"], True]
    assert "1 instead of 3" in change["text"]
    assert change["before"]["source"] == "draw: 3" and change["after"]["source"] == "draw: 1"
    assert change["after"]["place"]["file"].endswith("kin.yaml") and change["after"]["place"]["line"] == 5
    assert change["details"] == change["follows"] == change["helpers"] == change["also"] == []


@pytest.mark.whole
def test_as_a_page(run: Run, tmp_path: Path) -> None:
    assert run("diff", "game.yaml", "other.yaml", "--format", "html", "--out", "diff.html", "--lang", "fr") == (
        0,
        "",
        "",
    )
    page = (tmp_path / "diff.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and '<html lang="fr">' in page
    assert "&lt;Other&gt; &amp; more" in page and "<Other>" not in page
    assert not re.search(r"(src|href)=|@import|url\(", page), "it needs nothing else"
    assert run("diff", "game.yaml", "other.yaml", "--format", "html", "--out", "diff.html")[0] == 0


@pytest.mark.whole
def test_what_cannot_be_compared_is_told(run: Run) -> None:
    assert run("diff", "game.yaml", "broken.yaml")[0] == 1
    assert run("diff", "game.yaml", "french")[0] == 1
    assert run("diff", "game.yaml", "nowhere.yaml")[0] == 1
    assert run("diff")[0] == 2
    assert run("diff", "-", "-", stdin=OTHER)[0] == 2
    assert run("diff", "klondike", "-", stdin=OTHER.replace("extends: game", "extends: klondike"))[0] == 0
