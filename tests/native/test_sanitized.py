"""Play games, and search in them, under AddressSanitizer and UndefinedBehaviorSanitizer: an error ends the program, and its counts and
finds are those of Python."""

import os
import subprocess
import sys
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from engines import GAMES, engine
from games import game
from msgspec import structs

from hoyle.compiling.game import lower_ruleset
from hoyle.game.playouts import play_game
from hoyle.native.compiler import Compiler, find_compiler
from hoyle.native.engine_builder import with_native
from hoyle.native.rows import longest
from hoyle.native.unit import write_unit
from hoyle.running.machine import MOST_DECISIONS
from hoyle.running.outcomes import Tallies

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[2]
PROGRAM, SEARCHES, MANY = (ROOT / "tests" / "support" / n for n in ("sanitized.c", "searched.py", "vectored.py"))
FLAGS = ("-std=c11", "-O0", "-g1", "-DGUARDED", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
LIBRARY = ("-shared", "-fPIC", "-ffp-contract=off")
SEED, PLAYED, MOST, LOG = 11, 12, MOST_DECISIONS, 1 << 20


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
    """In the order of the native engine."""
    first = (one.decisions, one.choices, one.turns, one.offered, one.most_offered, one.over)
    return [*map(int, chain(first, one.moves, one.scores, one.wins, one.early))]


@pytest.mark.parametrize(("name", "trace"), [*((name, False) for name in GAMES), *((name, True) for name in GAMES[:3])])
def test_games_are_clean(name: str, trace: bool, tmp_path: Path) -> None:
    from hoyle.checking.build import load_ruleset
    from hoyle.game.compiled import compile_ruleset

    compiler = sanitizing()
    if compiler is None:
        pytest.skip("there is no compiler with sanitizers here")
    one = compile_ruleset(*load_ruleset(name, {}), trace=trace) if trace else game(name).compiled
    built = write_unit(lower_ruleset(one.ruleset, trace))
    (tmp_path / "game.c").write_text(built.text + PROGRAM.read_text(encoding="utf-8"), encoding="utf-8")
    subprocess.run([*compiler.words, *FLAGS, "-w", "-o", "game", "game.c"], cwd=tmp_path, check=True)
    given = (SEED, PLAYED, MOST, longest(built.layout, one.machine), LOG)
    told = subprocess.run([tmp_path / "game", *map(str, given)], capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr[:3_000] + told.stdout[-300:]
    *counts, hits = ([*map(int, line.split()[1:])] for line in told.stdout.splitlines())
    assert counts == [numbers(play_game(one, SEED, index)) for index in range(PLAYED)]
    assert hits == one.machine.hits


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of a program that loads a library with sanitizers."""
    compiler, place = sanitizing(), tmp_path_factory.mktemp("watched")
    if compiler is None or sys.platform != "linux":
        pytest.skip("there is no compiler with sanitizers here that a library can be built by")
    command = [*compiler.words, "-print-file-name=libasan.so"]
    found = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    own = {
        "LD_PRELOAD": found,
        "ASAN_OPTIONS": "detect_leaks=0",
        "PYTHONMALLOC": "malloc",
        "PYTHONPATH": str(ROOT / "interpreter"),
    }
    library = str(built("int found;", compiler, place))
    loads = [sys.executable, "-c", "import ctypes, sys; ctypes.CDLL(sys.argv[1])", library]
    if not os.path.isabs(found) or subprocess.run(loads, env={**os.environ, **own}, check=False).returncode:
        pytest.skip("Python does not load here what is built with sanitizers")
    return {**os.environ, **own}


def built(text: str, compiler: Compiler, place: Path) -> Path:
    (place / "game.c").write_text(text, encoding="utf-8")
    subprocess.run([*compiler.words, *FLAGS, *LIBRARY, "-w", "-o", "game.so", "game.c"], cwd=place, check=True)
    return place / "game.so"


def program(path: Path, name: str, watched: dict[str, str], folder: Path) -> list[str]:
    """The lines that this program prints of a game."""
    compiler = sanitizing()
    assert compiler is not None
    library = built(write_unit(lower_ruleset(game(name).ruleset)).text, compiler, folder)
    command = [sys.executable, str(path), name, str(library)]
    told = subprocess.run(command, env=watched, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr[:3_000] + told.stdout[-300:]
    return told.stdout.splitlines()


LONG, THROWS = (str(Path(__file__).parent / name) for name in ("long.yaml", "throws.yaml"))
"""A game that is longer, and one that draws more at once, than there is memory for."""


@pytest.mark.parametrize("name", ["backgammon", "freecell", "hearts", "president", LONG, THROWS], ids=os.path.basename)
def test_searches_are_clean(name: str, watched: dict[str, str], tmp_path: Path) -> None:
    from searched import found_in

    assert program(SEARCHES, name, watched, tmp_path) == [*found_in(game(name).compiled)]


@pytest.mark.parametrize("name", ["backgammon", "crapette", "cribbage", "hearts", LONG], ids=os.path.basename)
def test_many_games_at_once_are_clean(name: str, watched: dict[str, str], tmp_path: Path) -> None:
    from vectored import told_in

    plain = game(name).compiled
    natively = structs.replace(plain, machine=with_native(plain.machine, engine(name)))
    assert program(MANY, name, watched, tmp_path) == [*told_in(natively)]
