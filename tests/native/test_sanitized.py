"""Games of every sort, and players' searches in them, under AddressSanitizer and UndefinedBehaviorSanitizer: what they find ends the program, and it
counts and finds what Python does."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from engines import engine
from games import FEW, game, originals
from msgspec import structs
from searched import found_in
from tiers import in_tiers
from vectored import told_in

from interpreter.checking.build import ruleset
from interpreter.compiling.game import lowered
from interpreter.game.playouts import counted
from interpreter.game.ready import compiled
from interpreter.native.compiler import Compiler, find_compiler
from interpreter.native.made import with_native
from interpreter.native.rows import longest
from interpreter.native.unit import unit
from interpreter.running.machine import MOST_DECISIONS
from interpreter.running.tallies import Tallies

ROOT = Path(__file__).parents[2]
PROGRAM, SEARCHES, MANY = (ROOT / "tests" / "support" / n for n in ("sanitized.c", "searched.py", "vectored.py"))
FLAGS = ("-std=c11", "-O0", "-g1", "-DGUARDED", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
LIBRARY = ("-shared", "-fPIC", "-ffp-contract=off")
SEED, GAMES, MOST, LOG = 11, 12, MOST_DECISIONS, 1 << 20


@cache
def sanitizing() -> Compiler | None:
    """The compiler, if programs that it builds with sanitizers run here."""
    found = find_compiler()
    if not isinstance(found, Compiler) or found.origin == "package":
        return None
    command = [*found.words, *FLAGS, "-x", "c", "-", "-o", "/dev/null"]
    tried = subprocess.run(command, input=b"int main(void) { return 0; }\n", capture_output=True, check=False)
    return found if tried.returncode == 0 else None


def numbers(one: Tallies) -> list[int]:
    """As the native engine counts them."""
    first = (one.decisions, one.choices, one.turns, one.offered, one.most_offered, one.over)
    return [*map(int, chain(first, one.moves, one.scores, one.wins, one.early))]


PLAYED = [*((name, False) for name in originals()), *((name, True) for name in FEW)]


@pytest.mark.parametrize(("name", "trace"), in_tiers(PLAYED))
def test_nothing_is_found(name: str, trace: bool, tmp_path: Path) -> None:
    compiler = sanitizing()
    if compiler is None:
        pytest.skip("there is no compiler with sanitizers here")
    one = compiled(*ruleset(name, {}), trace=trace) if trace else game(name).compiled
    built = unit(lowered(one.ruleset, trace))
    (tmp_path / "game.c").write_text(built.text + PROGRAM.read_text(encoding="utf-8"), encoding="utf-8")
    subprocess.run([*compiler.words, *FLAGS, "-w", "-o", "game", "game.c"], cwd=tmp_path, check=True)
    given = (SEED, GAMES, MOST, longest(built.layout, one.machine), LOG)
    told = subprocess.run([tmp_path / "game", *map(str, given)], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr[:3_000] + told.stdout[-300:]
    *counts, hits = ([*map(int, line.split()[1:])] for line in told.stdout.splitlines())
    assert counts == [numbers(counted(one, SEED, index)) for index in range(GAMES)]
    assert hits == one.machine.hits


# ---- players' searches -----------------------------------------------------------------------------------------------

SEARCHED = ["backgammon", "cribbage", "freecell", "hearts", "klondike", "president", "spider"]
SEARCHED += ["long.yaml", "throws.yaml"]
"""Games of every form; and what goes on for longer, and draws more at once, than there is room for."""


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What a program finds in its surroundings that loads a library which was built with sanitizers, so that they watch its own memory too."""
    compiler, place = sanitizing(), tmp_path_factory.mktemp("watched")
    if compiler is None or sys.platform != "linux":
        pytest.skip("there is no compiler with sanitizers here that a library can be built by")
    command = [*compiler.words, "-print-file-name=libasan.so"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    own = {"LD_PRELOAD": found, "ASAN_OPTIONS": "detect_leaks=0", "PYTHONMALLOC": "malloc", "PYTHONPATH": str(ROOT)}
    library = str(built("int found;", compiler, place))
    loads = [sys.executable, "-c", "import ctypes, sys; ctypes.CDLL(sys.argv[1])", library]
    if not os.path.isabs(found) or subprocess.run(loads, env={**os.environ, **own}, check=False).returncode:
        pytest.skip("Python does not load here what is built with sanitizers")
    return {**os.environ, **own}


def built(text: str, compiler: Compiler, place: Path) -> Path:
    (place / "game.c").write_text(text, encoding="utf-8")
    subprocess.run([*compiler.words, *FLAGS, *LIBRARY, "-w", "-o", "game.so", "game.c"], cwd=place, check=True)
    return place / "game.so"


@pytest.mark.parametrize("name", in_tiers(SEARCHED))
def test_nothing_is_found_in_a_search(name: str, watched: dict[str, str], tmp_path: Path) -> None:
    compiler, one = sanitizing(), str(Path(__file__).parent / name) if name.endswith(".yaml") else name
    assert compiler is not None
    library = str(built(unit(lowered(game(one).ruleset)).text, compiler, tmp_path))
    command = [sys.executable, str(SEARCHES), one, library]
    told = subprocess.run(command, env=watched, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr[:3_000] + told.stdout[-300:]
    assert told.stdout.splitlines() == [*found_in(game(one).compiled)]


@pytest.mark.parametrize("name", in_tiers([*FEW, "cribbage", "piquet", "long.yaml"]))
def test_nothing_is_found_in_many_games_at_once(name: str, watched: dict[str, str], tmp_path: Path) -> None:
    """They are told what they are told without sanitizers, too."""
    compiler, one = sanitizing(), str(Path(__file__).parent / name) if name.endswith(".yaml") else name
    assert compiler is not None
    library = str(built(unit(lowered(game(one).ruleset)).text, compiler, tmp_path))
    command = [sys.executable, str(MANY), one, library]
    told = subprocess.run(command, env=watched, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr[:3_000] + told.stdout[-300:]
    plain = game(one).compiled
    natively = structs.replace(plain, machine=with_native(plain.machine, engine(one)))
    assert told.stdout.splitlines() == [*told_in(natively)]
