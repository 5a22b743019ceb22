"""Games of every sort under AddressSanitizer and UndefinedBehaviorSanitizer: what they find ends the program, and it counts what Python counts."""

from __future__ import annotations

import subprocess
from functools import cache
from itertools import chain
from pathlib import Path

import pytest
from games import FEW, game, originals
from tiers import in_tiers

from interpreter.checking.build import ruleset
from interpreter.compiling.game import lowered
from interpreter.game.playouts import counted
from interpreter.game.ready import compiled
from interpreter.native.compiler import Compiler, find_compiler
from interpreter.native.rows import longest
from interpreter.native.unit import unit
from interpreter.running.machine import MOST_DECISIONS
from interpreter.running.tallies import Tallies

PROGRAM = Path(__file__).parents[1] / "support" / "sanitized.c"
FLAGS = ("-std=c11", "-O1", "-g1", "-DGUARDED", "-fsanitize=address,undefined", "-fno-sanitize-recover=undefined")
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
