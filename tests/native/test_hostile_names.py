"""Names from outside never become code: whatever files, games, phases and variables are called, generated C and Python hold it harmless."""

from __future__ import annotations

import ast
import json
import os
import re
import sys
from pathlib import Path

import pytest
from rules import read_cases
from tiers import spread

from interpreter import Game, load
from interpreter.cli.main import main
from interpreter.compiling.game import lowered
from interpreter.diagnostics import Refused
from interpreter.native.unit import CALLED, PLAYING, resource, unit
from interpreter.printable import file_in_code, in_code

CASES = read_cases("native/hostile_names")
MARK = "HOYLE_WAS_HERE"
HOSTILE: dict[str, str] = {name: text.replace("{MARK}", MARK) for name, text in CASES["hostile"]}
HOSTILE["bytes"] = os.fsdecode(b"a\xff\xfeb")
WORDS = {"title": "Pick", "term": "worth", "variable": "r", "move": "draw", "step": "mix", "phase": "turn"}
on_posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names of files")
_PYTHON_HEAD = re.compile(r"def \w+\([\w, ]*\):  # [\w.-]+:\d+", re.ASCII)
_LINE = re.compile(r'#line \d+ "[\w.-]+"', re.ASCII)


def text(**words: str) -> str:
    return str(CASES["ruleset"][0]) % {**WORDS, **{name: json.dumps(word)[1:-1] for name, word in words.items()}}


def quoted(name: str) -> str:
    """In YAML; half a character cannot be written there."""
    return json.dumps(name.encode(errors="replace").decode())


def check_generated(game: Game) -> None:
    """The Python and the C of a game hold names, numbers and operators, and nothing that a name could have brought."""
    python = game.machine.source
    assert python.isascii()
    heads = [line for line in python.splitlines() if not line.startswith(" ")]
    assert all(_PYTHON_HEAD.fullmatch(line) for line in heads)
    tree = ast.parse(python)
    assert all(isinstance(statement, ast.FunctionDef) for statement in tree.body)
    texts = {n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
    assert texts == set()
    c = unit(lowered(game.ruleset)).text
    for name in (*CALLED, *PLAYING):
        c = c.replace(resource(name), "")
    assert c.isascii() and "??" not in c and "\\" not in c
    for line in c.splitlines():
        assert _LINE.fullmatch(line) or '"' not in line or line.startswith(("#pragma", "#define")), line


def written(folder: Path, name: str, content: str) -> Path:
    path = folder / f"{name}.yaml"
    path.write_bytes(content.encode())
    return path


@pytest.mark.whole
@on_posix
@pytest.mark.parametrize("name", HOSTILE)
def test_the_name_of_a_file_reaches_no_code(name: str, tmp_path: Path) -> None:
    check_generated(load(written(tmp_path, HOSTILE[name].replace("/", "_"), text())))


@pytest.mark.whole
@pytest.mark.parametrize(("place", "name"), spread([(place, name) for place in WORDS for name in HOSTILE], 31))
def test_a_name_in_a_ruleset_reaches_no_code(place: str, name: str, tmp_path: Path) -> None:
    path = written(tmp_path, "pick", text(**{place: HOSTILE[name].encode(errors="replace").decode()}))
    try:
        game = load(path)
    except Refused as refused:
        assert all(problem.span is not None for problem in refused.diagnostics)
    else:
        check_generated(game)


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_written_into_code_is_a_word(name: str) -> None:
    assert re.fullmatch(r"\w{1,60}", in_code(HOSTILE[name]), re.ASCII)
    assert re.fullmatch(r"[\w.-]{1,60}", file_in_code(f"{HOSTILE[name]}.yaml"), re.ASCII)


@pytest.mark.whole
@on_posix
@pytest.mark.parametrize("name", ["attack", "python", "bytes", "backslash"])
def test_however_a_file_is_found(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its path, in a folder, by name, as a parent and as a library."""
    games, parts, name = tmp_path / "games", tmp_path / "parts", HOSTILE[name].replace("/", "_")
    games.mkdir()
    parts.mkdir()
    monkeypatch.setenv("HOYLE_PATH", str(games))
    places: list[Path | str] = [written(games, name, text()), name]
    assert main(["validate", str(games)]) == 0
    written(parts, name, "ruleset: 1\nlibrary: part\nterms: {double(n): n + n}\n")
    used = text().replace("use: [french]", f"use: [french, {quoted(name)}]")
    places += [
        written(games, "variant", f"ruleset: 1\ngame: variant\nextends: {quoted(name)}\n"),
        written(parts, "variant", used.replace("max(worth(c)", "max(double(worth(c))")),
    ]
    for place in places:
        try:
            game = load(place)
        except Refused as refused:
            assert {d.code for d in refused.diagnostics} <= {"R112", "R601", "R604", "R605"}
        else:
            check_generated(game)


@on_posix
@pytest.mark.whole
def test_an_attack_is_built_and_played_like_any_other(tmp_path: Path) -> None:
    hostile = load(written(tmp_path, HOSTILE["attack"].replace("/", "_"), text()), engine="native")
    plain = load(written(tmp_path, "pick", text()))
    assert hostile.playout(7).scores == plain.playout(7).scores
    assert MARK not in os.environ
