"""What C is written for a small ruleset, letter for letter; and what the text of any game needs and leaves alone.

After a wanted change, run with UPDATE_GOLDEN=1 and read the difference.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from call_graph import call_graph, circle
from engines import with_compiler
from games import FEW, game, names
from tiers import in_tiers

from interpreter import Game, load
from interpreter.compiling.game import lowered
from interpreter.native.compiler import Compiler, find_compiler
from interpreter.native.unit import FORWARD, PLAYING, unit

FOLDER = Path(__file__).parent
SMALL = FOLDER.parent / "checking" / "diagnostics" / "_game.yaml"
WARNINGS = ("-Wall", "-Wextra", "-pedantic", "-Werror")
LIBRARY = {"memcpy", "memset", "memmove"}


def text_of(one: Game) -> str:
    return unit(lowered(one.ruleset)).text


def test_functions_are_written_letter_for_letter() -> None:
    _, text = text_of(load(SMALL)).split(FORWARD)
    found, _ = text.split("/* Scores of the sides")
    out = FOLDER / "functions.out"
    if os.environ.get("UPDATE_GOLDEN"):
        out.write_text(found, encoding="utf-8")
    assert found == out.read_text(encoding="utf-8")


@with_compiler
@pytest.mark.parametrize("name", in_tiers(FEW, whole=FEW[1:2]))
@pytest.mark.slow
def test_a_game_needs_nothing_but_three_functions(name: str, tmp_path: Path) -> None:
    """It is built without a C library, for whatever has none, as WebAssembly, and no compiler warns of anything."""
    compiler = find_compiler()
    assert isinstance(compiler, Compiler)
    (tmp_path / "game.c").write_text(text_of(game(name)), encoding="utf-8")
    flags = ("-std=c11", "-ffreestanding", "-O0", *WARNINGS, "-c", "game.c", "-o", "game.o")
    subprocess.run([*compiler.words, *flags], cwd=tmp_path, check=True)
    told = subprocess.run(["nm", "-u", "game.o"], cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert {line.split()[-1].lstrip("_") for line in told.splitlines()} <= {*LIBRARY, "GLOBAL_OFFSET_TABLE_"}


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(FEW, quick=FEW[4:5], whole=FEW[::3]))
def test_lines_are_the_rulesets(name: str) -> None:
    low = lowered(game(name).ruleset)
    told = {file for _, file in re.findall(r'^#line (\d+) "(.*)"$', unit(low).text, flags=re.MULTILINE)}
    assert told == {*PLAYING, *(Path(function.file).name for function in low.functions)}


@with_compiler
@pytest.mark.parametrize("name", in_tiers([name for name, _ in names()], whole=FEW[2:4]))
def test_no_function_comes_back_to_itself(name: str) -> None:
    """So how deep calls go is known before play: what looks ahead keeps a stack of its own, of a known size."""
    compiler = find_compiler()
    assert isinstance(compiler, Compiler)
    command = [*compiler.words, "-E", "-P", "-x", "c", "-"]
    told = subprocess.run(command, input=text_of(game(name)), capture_output=True, text=True, check=True).stdout
    graph = call_graph(told)
    assert {"advance", "apply"} <= graph["act"]
    assert circle(graph) == []


def test_circles_of_calls_are_found() -> None:
    """Whether a function calls itself, another that calls it, or one in a table."""
    text = """
        typedef struct { int a; } S;
        static int alone(S *s) { return s->alone(1) + other; }
        static int other(int n) { return alone(n); }
        int last(int n) { return n ? TABLE[n](n) : other(n); }
        static int (*const TABLE[])(int) = {alone, other};
    """
    assert call_graph(text)["last"] == {"TABLE", "other"} and circle(call_graph(text)) == []
    assert circle(call_graph(text.replace("{alone,", "{last,"))) != []
    assert circle(call_graph(text.replace("s->alone", "other"))) != []
    assert circle(call_graph(text.replace("s->alone", "alone"))) != []
