"""Rulesets of users at the command line: where they come from, which of two is meant, and packages of them (`cases/packs.yaml`)."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from command_cases import case_list, check_case
from commands import Run, runner
from packed import bring, laid, variant

from hoyle import packs
from hoyle.cli.main import main
from hoyle.presentation.starters import make_starter
from hoyle.resources import folder


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run command lines where a folder of the user hides a shipped game, and two packages are installed, one without its folder.

    The shipped games are small.
    """
    names = ("klondike", "yukon")
    shipped = laid(tmp_path / "shipped", {name: make_starter(name) for name in names})
    for path in folder("rulesets").glob("french.*"):
        shutil.copy(path, shipped)
    monkeypatch.setattr(packs, "folder", lambda _: shipped)
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path / "site")])
    own = {"klondike": variant("klondike", "My klondike"), "torn": "ruleset: 1\ngame: [\n"}
    laid(tmp_path / "own", own)
    bring(
        tmp_path / "site",
        "club-games",
        {"club": variant("club", "Our game", "yukon"), "klondike": variant("klondike", "Theirs")},
    )
    bring(tmp_path / "site", "empty", {}, "[hoyle.rulesets]\nempty = nothing_there\n")
    monkeypatch.setenv("HOYLE_PATH", os.pathsep.join([str(tmp_path / "own"), str(tmp_path / "nowhere")]))
    look = packs._installed.__wrapped__
    monkeypatch.setattr(packs, "_installed", lambda _: look((str(tmp_path / "site"),)))
    (tmp_path / "here").mkdir()
    return runner(capsys, monkeypatch, tmp_path / "here")


def case_at(case: dict[str, Any], place: Path) -> dict[str, Any]:
    return dict(json.loads(json.dumps(case).replace("{tmp}", str(place))))


@pytest.mark.parametrize("case", case_list("cli/packs", "cheap"))
def test_command_line(run: Run, case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_case(run, case_at(case, tmp_path), monkeypatch)


@pytest.mark.whole
@pytest.mark.parametrize("case", case_list("cli/packs", "whole"))
def test_longer_command_line(run: Run, case: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_case(run, case_at(case, tmp_path), monkeypatch)


def test_names_are_completed(run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for begun, names in {"clu": ["file,clu", "plain,club"], "./c": ["file,./c"], "no-such": ["file,no-such"]}.items():
        environment = {"_HOYLE_COMPLETE": "bash_complete", "COMP_WORDS": f"hoyle play {begun}", "COMP_CWORD": "2"}
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit):
            main(["play", begun])
        assert capsys.readouterr().out.split() == names


@pytest.mark.whole
def test_checks_of_a_pack_succeed(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("new", "ours", "--pack", "--lang", "fr")[0] == 0
    monkeypatch.chdir("ours")
    workflow = yaml.safe_load(Path(".github/workflows/rulesets.yml").read_text(encoding="utf-8"))
    hooks = yaml.safe_load(Path(".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
    steps = [step["run"] for step in workflow["jobs"]["rulesets"]["steps"] if "run" in step]
    asked = [line.split()[1:] for line in (*steps, *(hook["entry"] for hook in hooks)) if line.startswith("hoyle ")]
    assert [words[0] for words in asked] == ["validate", "test", "fmt", "validate", "fmt", "test"]
    assert {line: code for line in map(tuple, asked) if (code := run(*line)[0])} == {}
    before = Path("ours/rulesets/ours.yaml").read_bytes()
    assert run("fmt", "ours/rulesets")[0] == 0 and Path("ours/rulesets/ours.yaml").read_bytes() == before


@pytest.mark.slow
def test_tests_of_a_pack_find_a_wrong_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "club-games", "--pack"]) == 0
    ruleset = Path("club-games/club_games/rulesets/club-games.yaml")

    def failed() -> list[str]:
        words = [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "--rootdir=."]
        done = subprocess.run(words, cwd="club-games", capture_output=True, encoding="utf-8", check=False)
        return [line for line in done.stdout.splitlines() if line.startswith("FAILED")]

    assert failed() == []
    ruleset.write_text(ruleset.read_text().replace("forced: draw-a-card", "forced: play-a-card KS"), encoding="utf-8")
    [wrong] = failed()
    assert "test_its_examples[club-games]" in wrong
