"""The C text of a game: as text, what it needs and calls, and how it plays. Rulesets below `tests` say what no shipped game does."""

import os
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
from call_graph import call_graph, circle
from engines import GAMES, difference, engine_of, with_compiler
from games import game, names
from tiers import sized, some_now

from hoyle import Game, Refused, load
from hoyle.compiling.game import lower_ruleset
from hoyle.native import unit as unit_module
from hoyle.native.compiler import Compiler, find_compiler
from hoyle.native.layout import Untranslatable
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


TESTS = Path(__file__).parent.parent
LOADED = 50
"""The least number of rulesets below `tests` that load; the others are there for their errors."""


@cache
def loaded(name: str) -> Game | None:
    try:
        return load(TESTS / name if name.endswith(".yaml") else name, engine="python")
    except Refused:
        return None


@cache
def rulesets() -> list[str]:
    every = sorted(path.relative_to(TESTS).as_posix() for path in TESTS.rglob("*.yaml"))
    found = [name for name in every if loaded(name) is not None]
    assert len(found) >= LOADED
    return found


def refused(name: str) -> str:
    """The reason why a ruleset cannot be written as C, if there is one."""
    game = loaded(name)
    assert game is not None
    try:
        write_unit(lower_ruleset(game.ruleset))
    except Untranslatable as why:
        return str(why)
    return ""


def differing(name: str) -> list[object]:
    """The first differences of two random games, in a plain run of one."""
    game = loaded(name)
    assert game is not None
    native = engine_of(game)
    return [told for seed in (1, 2)[: sized(1, 2)] if (told := difference(game, native, seed)) is not None]


@pytest.mark.parametrize("name", ["compiling/flow/removed.yaml"])
def test_a_ruleset_can_be_written_as_c(name: str) -> None:
    assert refused(name) == ""


@pytest.mark.slow
def test_every_ruleset_can_be_written_as_c() -> None:
    every = [*rulesets(), *(name for name, _ in names())]
    assert {name: why for name in every if (why := refused(name))} == {}


@pytest.mark.whole
@with_compiler
def test_a_ruleset_of_lists_is_played_alike() -> None:
    assert differing("native/nested.yaml") == []


@pytest.mark.slow
@with_compiler
def test_every_ruleset_is_played_alike() -> None:
    assert {name: told for name in rulesets() if (told := differing(name))} == {}
