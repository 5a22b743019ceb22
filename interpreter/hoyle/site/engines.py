"""Compiles the native engines of games to WebAssembly, as modules that Pyodide's `ctypes` loads."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec import Struct

from hoyle.game.game import Game
from hoyle.native.compiler import PACKAGE
from hoyle.native.engine_builder import FLAGS, engine_file, write_engine
from hoyle.native.layout import Untranslatable

TARGET = (
    "-target",
    "wasm32-emscripten",
    "-std=c11",
    "-O2",
    "-fwrapv",
    "-fPIC",
    "-mcpu=mvp+bulk_memory+mutable_globals+sign_ext+nontrapping_fptoint",
)
LINK = ("-shared", "--experimental-pic", "--gc-sections")
"""A module that shares the memory and the functions of the program that loads it."""


class BuiltEngine(Struct, frozen=True):
    """A game's engine: the name of its file and its bytes, or why there is none."""

    game: str
    file: str
    data: bytes = b""
    reason: str = ""


def has_compiler() -> bool:
    """Return whether the package with the compiler is installed."""
    return find_spec(PACKAGE) is not None


def build_engine(game: Game) -> BuiltEngine:
    """Compile the engine of a game with its options."""
    name = engine_file(game.ruleset, game.machine).name
    try:
        text = write_engine(game.ruleset, game.machine)
    except Untranslatable as reason:
        return BuiltEngine(game.name, name, reason=str(reason))
    with TemporaryDirectory(prefix="hoyle-") as folder:
        Path(folder, "engine.c").write_text(text, encoding="utf-8")
        for words in _list_commands():
            done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
            if done.returncode:
                return BuiltEngine(game.name, name, reason=done.stderr.strip().splitlines()[0][:200])
        return BuiltEngine(game.name, name, Path(folder, "engine.wasm").read_bytes())


def _list_commands() -> Iterator[list[str]]:
    zig = [sys.executable, "-P", "-m", PACKAGE]
    yield [*zig, "cc", *TARGET, *FLAGS, "-c", "engine.c", "-o", "engine.o"]
    yield [*zig, "wasm-ld", *LINK, "-o", "engine.wasm", "engine.o"]
