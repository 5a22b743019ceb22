"""The C text of a game: of a small one as text, of any what it needs and what it calls.

After a wanted change, run with UPDATE_GOLDEN=1 and read the difference.
"""

import os
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
from call_graph import call_graph, circle
from engines import GAMES, with_compiler
from games import game
from tiers import some_now

from hoyle import Game, load
from hoyle.compiling.game import lower_ruleset
from hoyle.native import unit as unit_module
from hoyle.native.compiler import Compiler, find_compiler
from hoyle.native.unit import FORWARD, PLAYING, write_unit

FOLDER = Path(__file__).parent
SMALL = FOLDER.parent / "checking" / "diagnostics" / "_game.yaml"
TRYING = FOLDER.parent / "compiling" / "flow" / "_back.yaml"
WARNINGS = ("-Wall", "-Wextra", "-pedantic", "-Werror")
LIBRARY = {"memcpy", "memset", "memmove"}


def text_of(one: Game) -> str:
    return write_unit(lower_ruleset(one.ruleset)).text


@cache
def text(name: str) -> str:
    return text_of(game(name))


def golden(name: str, found: str) -> None:
    out = FOLDER / name
    if os.environ.get("UPDATE_GOLDEN"):
        out.write_text(found, encoding="utf-8")
    assert found == out.read_text(encoding="utf-8")


def test_functions_of_a_small_game() -> None:
    """Lines of the ruleset stand after the first line that they hold for."""
    _, found = text_of(load(SMALL)).split(FORWARD)
    found = re.sub(r'^#line (\d+) "_game.yaml"\n(.*)$', r"\2  // \1", found, flags=re.MULTILINE)
    golden("functions.out", found.split("/* Scores of the sides")[0])


def test_constants_of_a_game_with_tries() -> None:
    library = {line for path in Path(unit_module.__file__).parent.glob("*.c") for line in path.read_text().splitlines()}
    lines = [line for line in text_of(load(TRYING)).splitlines() if line not in library]
    sizes = [line.removeprefix("#define ") for line in lines if re.match(r"#define \w+ \d+$", line)]
    tables = [line.removeprefix("static const ") for line in lines if line.startswith("static const ") and "=" in line]
    golden("constants.out", "\n".join([", ".join(sizes), *tables, ""]))


@with_compiler
@pytest.mark.parametrize("name", GAMES[::2])
@pytest.mark.slow
def test_a_game_needs_only_three_functions(name: str, tmp_path: Path) -> None:
    """It is built without a C library, as for WebAssembly, and without warnings."""
    compiler = find_compiler()
    assert isinstance(compiler, Compiler)
    (tmp_path / "game.c").write_text(text(name), encoding="utf-8")
    flags = ("-std=c11", "-ffreestanding", "-O0", *WARNINGS, "-c", "game.c", "-o", "game.o")
    subprocess.run([*compiler.words, *flags], cwd=tmp_path, check=True)
    told = subprocess.run(["nm", "-u", "game.o"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert {line.split()[-1].lstrip("_") for line in told.splitlines()} <= {*LIBRARY, "GLOBAL_OFFSET_TABLE_"}


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(GAMES[::3], 1))
def test_lines_are_those_of_the_ruleset(name: str) -> None:
    told = {file for _, file in re.findall(r'^#line (\d+) "(.*)"$', text(name), flags=re.MULTILINE)}
    assert told == {*PLAYING, *(Path(function.file).name for function in lower_ruleset(game(name).ruleset).functions)}


@pytest.mark.whole
@with_compiler
@pytest.mark.parametrize("name", some_now(GAMES, 1))
def test_no_function_calls_itself(name: str) -> None:
    """So the depth of calls is known before play: look-ahead has a stack of its own, of a known size."""
    compiler = find_compiler()
    assert isinstance(compiler, Compiler)
    command = [*compiler.words, "-E", "-P", "-x", "c", "-"]
    told = subprocess.run(command, input=text(name), capture_output=True, text=True, check=True).stdout
    graph = call_graph(told)
    assert {"advance", "apply"} <= graph["act"]
    assert circle(graph) == []
