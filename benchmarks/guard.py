"""What games cost, counted and not timed: `python -m benchmarks.guard` compares it with what is written down, `--pin` writes it down.

Native: instructions a decision of random games, counted by `valgrind` in a program of its own. Python: lines and calls of generated code and of
what it calls, a decision.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from shutil import which
from types import FrameType
from typing import Any

from hoyle import load
from hoyle.compiling.game import lower_ruleset
from hoyle.native.compiler import NoCompiler, find_compiler
from hoyle.native.unit import write_unit

HERE = Path(__file__).resolve().parent
PINS = HERE / "guard.json"
GAMES = {"grabuge": 40, "cribbage": 40, "backgammon": 4, "hearts": 10, "klondike": 20}
"""Random games that are played natively; a tenth of them, or one, by Python."""
SEED = 1
SAME, OTHER = 0.1, 0.6
"""What a decision may cost more: with the compiler, or the version of Python, that it was written down with, and with others."""


# ---- native ----------------------------------------------------------------------------------------------------------


def is_counted() -> bool:
    """Is there all that counting instructions needs?"""
    return which("valgrind") is not None and not isinstance(find_compiler(), NoCompiler) and sys.platform == "linux"


def compiler() -> str:
    found = find_compiler()
    return "" if isinstance(found, NoCompiler) else found.version


def instructions(game: str) -> float:
    """A decision."""
    with tempfile.TemporaryDirectory() as folder:
        program = _built(game, Path(folder))
        return _counted(program, GAMES[game]) / decisions(game, GAMES[game])


def _built(game: str, folder: Path) -> Path:
    text, program = folder / f"{game}.c", folder / game
    text.write_text(write_unit(lower_ruleset(load(game).ruleset)).text + (HERE / "guard.c").read_text(encoding="utf-8"))
    found = find_compiler()
    assert not isinstance(found, NoCompiler)
    flags = ["-std=c11", "-O2", "-fwrapv", "-fno-strict-aliasing", "-w"]
    subprocess.run([*found.words, *flags, "-o", str(program), str(text)], check=True)
    return program


def _counted(program: Path, games: int) -> int:
    """Without those of a program that plays nothing."""
    found = []
    for count in (0, games):
        words = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(program), str(count)]
        told = subprocess.run(words, check=True, capture_output=True, text=True).stderr
        match = re.search(r"Collected : (\d+)", told)
        assert match is not None, told
        found.append(int(match[1]))
    return found[1] - found[0]


@cache
def decisions(game: str, games: int) -> int:
    return sum(load(game).playouts(SEED, games).decisions)


# ---- Python ----------------------------------------------------------------------------------------------------------


def lines(game: str) -> float:
    """Lines and calls a decision."""
    machine, games = load(game, engine="python").machine, max(1, GAMES[game] // 10)
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Callable[..., Any]:
        nonlocal count
        count += event in ("line", "call")
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        for index in range(games):
            machine.playout(SEED, index)
    finally:
        sys.settrace(before)
    return count / decisions(game, games)


# ---- both ------------------------------------------------------------------------------------------------------------

WAYS: dict[str, Callable[[str], float]] = {"python": lines, **({"native": instructions} if is_counted() else {})}


def version(way: str) -> str:
    return compiler() if way == "native" else f"{sys.version_info.major}.{sys.version_info.minor}"


def pins() -> dict[str, Any]:
    """By way: the version it was counted with, and the cost of each game."""
    found: dict[str, Any] = json.loads(PINS.read_text(encoding="utf-8"))
    return found


def change(way: str, game: str) -> tuple[float, float]:
    """What a decision costs more or less than was written down, as a part of it; and how much that may be."""
    pin = pins()[way]
    return WAYS[way](game) / pin["games"][game] - 1, SAME if pin["version"] == version(way) else OTHER


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pin", action="store_true", help="write down what is counted")
    if parser.parse_args().pin:
        _pin()
    for way in WAYS:
        for game in GAMES:
            more, most = change(way, game)
            told = f"{pins()[way]['games'][game]:10,} a decision, now {100 * more:+.1f} %"
            print(f"{way:8}{game:14}{told}{'' if more <= most else ' !'}", flush=True)


def _pin() -> None:
    found = {way: {"version": version(way), "games": {g: round(of(g)) for g in GAMES}} for way, of in WAYS.items()}
    PINS.write_text(json.dumps((pins() if PINS.exists() else {}) | found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
