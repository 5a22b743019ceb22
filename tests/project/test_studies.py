"""The commands of the studies run, and print tables like those that stand below them. All numbers are not played again: that would take minutes."""

import re
import shlex
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from test_docs import STUDIES, Fence, _hoyle, fences

from benchmarks import winnable


def commands() -> list[Any]:
    return [pytest.param(one, id=str(one)) for page in sorted(STUDIES.glob("*.md")) for one in fences(page, "sh")]


@pytest.mark.slow
@pytest.mark.parametrize("fence", commands())
def test_a_command_of_a_study_runs(fence: Fence, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for ruleset in STUDIES.glob("*.yaml"):
        shutil.copy(ruleset, tmp_path)
    words = shlex.split(_with_few(fence.text))
    if words[:3] == ["python", "-m", "benchmarks.winnable"]:
        rows = [*winnable.table(winnable.asked([*words[3:], "--states", "2000"]))]
        assert rows[0] in fence.page.read_text(encoding="utf-8") and len(rows) == 2 + len(_asked_for(words))
        _is_drawn(words, tmp_path)
        return
    assert words[0] == "hoyle"
    said = _hoyle(words[1:], "", tmp_path)
    assert re.search(r"\b2 games of each\b|^edition,", said), said
    _is_drawn(words, tmp_path)


def _is_drawn(words: Sequence[str], folder: Path) -> None:
    """If it draws something, that stands beside the page, too."""
    drawn = words[words.index("--plot") + 1] if "--plot" in words else None
    assert drawn is None or ((folder / drawn).exists() and (STUDIES / drawn).exists())


def _with_few(command: str) -> str:
    """The same with two games of each instead of hundreds."""
    few, found = re.subn(r" (-n|--games) \d+ ", r" \1 2 ", command)
    assert found == 1, command
    return few


def _asked_for(words: Sequence[str]) -> list[str]:
    """The values of the last option that is set."""
    return words[words.index("--set") + 1].partition("=")[2].split(",")


@pytest.mark.quick
@pytest.mark.parametrize("page", sorted(STUDIES.glob("*.md")), ids=lambda page: page.name)
def test_a_study_has_a_command_and_is_in_the_index(page: Path) -> None:
    assert page.name == "README.md" or (fences(page, "sh") and fences(page, "console"))
    assert page.name == "README.md" or f"({page.name})" in (STUDIES / "README.md").read_text(encoding="utf-8")


@pytest.mark.quick
@pytest.mark.parametrize("page", sorted(STUDIES.glob("*.md")), ids=lambda page: page.name)
def test_what_grids_are_shown_is_what_was_asked_for(page: Path) -> None:
    """The first column of a table that was printed has the values that the command before it gives."""
    asked: list[str] = []
    for fence in fences(page, "sh", "text"):
        if fence.lang == "sh":
            asked = [value for _, values in re.findall(r"--set (\w+)=(\S+)", fence.text) for value in values.split(",")]
            continue
        for block in fence.text.strip("\n").split("\n\n"):
            rows = [line.split()[0] for line in block.splitlines()]
            assert rows[-len(asked) :] == asked
