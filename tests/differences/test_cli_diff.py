"""`hoyle diff`: its forms, its sides, its exit codes."""

import re
from pathlib import Path
from typing import Any

import pytest
from commands import Run, runner, told
from rules import read_cases
from tiers import spread

FILES = {
    "other": "extends: game\ntitle: <Other> & more\nterms:\n  more: count(players) + 1\nresult: {best: more}\n",
    "kin": "extends: gin-rummy\ntitle: Kin\nclauses: {GR18: 'For a deal {box_bonus} points.'}\n",
    "drawn": "extends: klondike\ntitle: Drawn\nset: {draw: 1}\n",
    "broken": "moves: [\n",
}
ROWS = read_cases("differences/diff")["rows"]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    found = runner(capsys, monkeypatch, tmp_path)
    for name, text in FILES.items():
        (tmp_path / f"{name}.yaml").write_text(f"ruleset: 1\ngame: {name}\n{text}")
    return found


@pytest.mark.whole
@pytest.mark.parametrize("row", spread(ROWS, len(ROWS) // 2), ids=lambda row: row["run"])
def test_what_is_printed(run: Run, row: dict[str, Any]) -> None:
    code, out, err = run(*row["run"].split(), stdin=row.get("stdin", ""))
    assert code == row.get("code", 0)
    assert code or not err
    assert [text for text in row.get("out", []) if text not in " ".join(out.split())] == []
    assert "changes" not in row or out.count("\n- ") == row["changes"]
    assert all(len(line) <= 80 for line in out.split("\n"))


@pytest.mark.whole
def test_for_programs(run: Run) -> None:
    found = told(run, "diff", "klondike", "drawn.yaml")
    assert found["format"] == "hoyle diff"
    assert (found["a"]["game"], found["b"]["game"]) == ("klondike", "drawn")
    assert (found["a"]["options"]["draw"], found["b"]["options"]["draw"]) == (3, 1)
    [change] = found["changes"]
    assert [change[key] for key in ("kind", "section", "path", "in_force")] == ["replaced", "options", ["draw"], True]
    assert "1 instead of 3" in change["text"]
    assert change["before"]["source"] == "draw: 3" and change["after"]["source"] == "draw: 1"
    assert change["after"]["place"]["file"].endswith("drawn.yaml") and change["after"]["place"]["line"] == 5
    assert change["details"] == change["follows"] == change["helpers"] == change["also"] == []


@pytest.mark.whole
def test_as_a_page(run: Run, tmp_path: Path) -> None:
    form = ("--format", "html", "--out", "diff.html", "--lang", "fr")
    assert run("diff", "game.yaml", "other.yaml", *form) == (0, "", "")
    page = (tmp_path / "diff.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>") and '<html lang="fr">' in page
    assert "&lt;Other&gt; &amp; more" in page and "<Other>" not in page
    assert not re.search(r"(src|href)=|@import|url\(", page), "it needs nothing else"
