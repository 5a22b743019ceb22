"""Hooks for pre-commit and an action for repositories of rulesets. Each runs in a small repository as it stands."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from shells import ROOT, in_bash
from tiers import in_tiers

HOOKS: list[dict[str, Any]] = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
ACTION: dict[str, Any] = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
STEPS: list[dict[str, Any]] = [step for step in ACTION["runs"]["steps"] if "run" in step]
SHOWN = re.findall(r"```yml\n(.*?)```", (ROOT / "docs" / "repositories.md").read_text(encoding="utf-8"), re.DOTALL)

FINE = """\
ruleset: 1
game: mine
extends: klondike
title: Mine
set: {draw: 1}

examples:
  one card:
    values: {draw: 1}
"""
WRONG = {
    "validate": FINE.replace("draw: 1}\n\n", "drawn: 1}\n\n"),
    "test": FINE.replace("values: {draw: 1}", "values: {draw: 2}"),
    "fmt": FINE.replace("{draw: 1}\n\n", "{draw:  1}\n\n"),
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder with rulesets and what else lies in such a place."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "mine.yaml").write_text(FINE)
    (tmp_path / "games" / "mine.fr.yaml").write_text("words: fr\ngame: mine\ntitle: Le mien\n")
    (tmp_path / ".pre-commit-config.yaml").write_text("repos: []\n")
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github" / "rulesets.yml").write_text("on: [push]\n")
    return tmp_path


def run(command: str, folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command as the shell of the action does."""
    flags = ("--noprofile", "--norc", "-e", "-o", "pipefail")
    return in_bash(command, folder, flags=flags, GITHUB_ACTION_PATH=str(ROOT), **more)


def entry(hook: dict[str, Any]) -> str:
    return f"{hook['entry']} {shlex.join(hook['args'])}"


def of(what: str) -> list[str]:
    """The commands of the hook and of the action that ask this."""
    return [entry(hook) for hook in HOOKS if hook["id"] == f"hoyle-{what}"] + [
        step["run"] for step in STEPS if step["run"].startswith(f"hoyle {what} ")
    ]


CASES = [(what, number) for number in (0, 1) for what in WRONG]


@pytest.mark.whole
@pytest.mark.parametrize(("what", "number"), in_tiers(CASES, whole=[("validate", 1)]))
def test_a_hook_and_a_step_pass_what_is_right_and_stop_what_is_wrong(what: str, number: int, repository: Path) -> None:
    """`number`: 0 for the hook, 1 for the step of the action."""
    command, *others = of(what)[number:]
    assert len(others) == 1 - number
    found = run(command, repository, RULESETS=ACTION["inputs"]["rulesets"]["default"])
    assert found.returncode == 0, found.stdout
    place = repository / "games" / "mine.yaml"
    place.write_text(WRONG[what])
    found = run(command, repository, RULESETS="games")
    changed = place.read_text() != WRONG[what]  # which stops a hook, too
    assert (found.returncode, changed) == ((0, True) if (what, number) == ("fmt", 0) else (1, False)), found.stdout
    if what == "validate" and number:
        assert re.match(r"::error file=games/mine\.yaml,line=5,endLine=5,col=7,.*title=R\d+::", found.stdout)
    else:
        assert changed or "mine" in found.stdout


@pytest.mark.whole
def test_the_folder_is_one_word_for_the_shell(repository: Path) -> None:
    found = run(of("validate")[1], repository, RULESETS="games; touch stolen $(touch stolen)")
    assert found.returncode == 1 and not (repository / "stolen").exists()
    assert not any("inputs" in step["run"] for step in STEPS)


@pytest.mark.slow
def test_the_action_installs_what_it_runs(repository: Path) -> None:
    place = repository / "environment"
    subprocess.run([sys.executable, "-m", "venv", place], check=True)
    path = f"{place / 'bin'}{os.pathsep}{os.environ['PATH']}"
    for step in STEPS:
        clean = {"PYTHONPATH": "", "VIRTUAL_ENV": "", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PATH": path}
        found = run(step["run"], repository, RULESETS="games", **clean)
        assert found.returncode == 0, found.stdout
    assert (place / "bin" / "hoyle").exists()


def test_the_page_shows_what_there_is() -> None:
    hooks, workflow = (yaml.safe_load(text) for text in SHOWN)
    shown = hooks["repos"][0]["hooks"]
    assert [hook["id"] for hook in shown] == [hook["id"] for hook in HOOKS]
    used = workflow["jobs"]["rulesets"]["steps"][1]["with"]
    assert used.keys() <= ACTION["inputs"].keys()
    page = (ROOT / "docs" / "repositories.md").read_text(encoding="utf-8")
    assert all(f"`{name}" in page for name in ACTION["inputs"])
