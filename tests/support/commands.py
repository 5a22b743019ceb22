"""Run command lines in this process, in a folder with the starter game."""

import io
import json
import shutil
import sys
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from english import spaced
from games import game
from rules import TESTS

import hoyle.game.game
from hoyle import packs
from hoyle.cli.main import main
from hoyle.game.game import Game, load
from hoyle.presentation import catalogue
from hoyle.presentation.starters import make_starter
from hoyle.resources import shipped

Said = tuple[int, str, str]
Run = Callable[..., Said]


def runner(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, folder: Path) -> Run:
    """Return a function that runs one command line in the folder: its exit code, output and errors.

    The folder gets the starter game. A shipped game without options is loaded once per process.
    """
    monkeypatch.chdir(folder)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setattr(hoyle.game.game, "load", _load)
    Path("game.yaml").write_text(_starter(), encoding="utf-8")
    shutil.copy(TESTS / "cli" / "rules" / "game.fr.yaml", folder)

    def call(*words: str, stdin: str = "") -> Said:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        code = main(words)
        said = capsys.readouterr()
        return code, spaced(said.out), spaced(said.err)

    return call


@pytest.fixture
def command_lines(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    """Run command lines in an empty folder with the starter game. Tests call this fixture `run`."""
    return runner(capsys, monkeypatch, tmp_path)


@cache
def _starter() -> str:
    with catalogue.use_language("en"):
        return make_starter("game")


def _load(name: str | Path, options: Mapping[str, Any] | None = None, **more: Any) -> Game:
    file = shipped().get(str(name))
    if options or more or file is None or packs.find(str(name)) != file:
        return load(name, options, **more)
    return game(str(name))


def told(run: Run, *words: str, **more: Any) -> Any:
    code, out, _ = run(*words, "--json", **more)
    assert code == 0
    found = json.loads(out)
    assert found["version"] == 1
    return found
