"""Names from outside never become code: whatever files, games, phases and variables are called, generated C and Python hold it harmless."""

import ast
import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rules import read_cases
from tiers import some_now, spread

from hoyle import Game, load
from hoyle.cli.main import main
from hoyle.compiling.game import lower_ruleset
from hoyle.diagnostics import Refused
from hoyle.native.unit import CALLED, PLAYING, resource, write_unit
from hoyle.printable import file_in_code, in_code

CASES = read_cases("native/hostile_names")
MARK = "HOYLE_WAS_HERE"
HOSTILE = {name: str(text).replace("{MARK}", MARK) for name, text in CASES["hostile"]} | {
    "bytes": os.fsdecode(b"a\xff\xfeb")
}
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
    c = write_unit(lower_ruleset(game.ruleset)).text
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
@pytest.mark.parametrize("name", spread(HOSTILE, 5))
def test_the_name_of_a_file_reaches_no_code(name: str, tmp_path: Path) -> None:
    check_generated(load(written(tmp_path, HOSTILE[name].replace("/", "_"), text())))


@pytest.mark.whole
@pytest.mark.parametrize(("place", "name"), spread([(place, name) for place in WORDS for name in HOSTILE], 17))
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


def by_folder(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path | str]:
    written(folder, name, text())
    assert main(["validate", str(folder)]) == 0
    yield from folder.glob("*.yaml")


def by_path(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path | str]:
    monkeypatch.setenv("HOYLE_PATH", str(folder))
    written(folder, name, text())
    yield name


def by_folder_name(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path | str]:
    (folder / name).mkdir()
    yield written(folder / name, "pick", text())


def by_extends(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path | str]:
    written(folder, name, text())
    yield written(folder, "variant", f"ruleset: 1\ngame: variant\nextends: {quoted(name)}\n")


def by_use(folder: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path | str]:
    written(folder, name, "ruleset: 1\nlibrary: part\nterms: {double(n): n + n}\n")
    used = text().replace("use: [french]", f"use: [french, {quoted(name)}]")
    yield written(folder, "variant", used.replace("max(worth(c)", "max(double(worth(c))"))


ENTRIES: list[Callable[[Path, str, pytest.MonkeyPatch], Iterator[Path | str]]] = [
    by_folder,
    by_path,
    by_folder_name,
    by_extends,
    by_use,
]


@pytest.mark.whole
@on_posix
@pytest.mark.parametrize("entry", ENTRIES)
@pytest.mark.parametrize("name", some_now(["attack", "bytes", "python", "backslash"], 2))
def test_however_a_file_is_found(
    entry: Callable[[Path, str, pytest.MonkeyPatch], Iterator[Path | str]],
    name: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for found in entry(tmp_path, HOSTILE[name].replace("/", "_"), monkeypatch):
        try:
            game = load(found)
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


@on_posix
@pytest.mark.slow
@pytest.mark.parametrize("name", ["attack", "bytes", "long"])
def test_a_server_of_such_a_folder(name: str, tmp_path: Path) -> None:
    from webbed import Web

    from hoyle.web.shelf import load_rulesets

    path = written(tmp_path, HOSTILE[name].replace("/", "_"), text())
    web = Web(tmp_path / "games.sqlite", load_rulesets([path])[0])
    try:
        assert web.get("/api/games/pick").status == 200
        seat = web.sit(web.begin("pick", "human", "random")["A"])
        seat.say(t="hint")
        assert seat.hear("hint", "table")["t"] == "hint"
    finally:
        web.stop()


@on_posix
@pytest.mark.parametrize("name", ["attack", "python", "bytes", "backslash"])
def test_an_editor_with_such_a_file(name: str, tmp_path: Path) -> None:
    from hoyle.editor.analysis import analyse, find_all_problems

    path = tmp_path / f"{HOSTILE[name].replace('/', '_')}.yaml"
    assert find_all_problems(analyse(path, {str(path): text()})) == ()
