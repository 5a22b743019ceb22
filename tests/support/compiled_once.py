"""Games that several tests load are checked and compiled once in a process.

A ruleset is the same while its path as given, its options, the rulesets in its folder and `HOYLE_PATH` are. What a test patches in
checker or compiler must be patched before a game is loaded with other options or another text.
"""

import os
import sys
import time
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from hoyle.checking import build
from hoyle.compiling import game as compiling
from hoyle.game import compiled
from hoyle.reading import sources
from hoyle.resources import data_folder, folder

_check, _compile = build._run_check, compiling.compile_game
_MOST = 256
_LATELY = 2_000_000_000
"""Nanoseconds in which a file may change again without its time being another."""


def install(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(build, "_run_check", check)
    patch.setattr(compiled, "compile_game", compile_game)


def check(path: Path, values: dict[str, Any], root: Any = None, trace: Any = None) -> build.CheckRun:
    others = root is not None or trace is not None or str(path) == "-"
    if others or os.environ.get("HOYLE_PATH") or sources._UNSAVED.get():
        return _check(path, values, root, *([] if trace is None else [trace]))
    try:
        return _checked(
            str(path),
            tuple(sorted((name, type(value), value) for name, value in values.items())),
            os.getcwd(),
            _mark_of(Path(path).parent),
        )
    except (TypeError, OSError):  # options that are no plain values, or a folder that cannot be read
        return _check(path, values, root)


@lru_cache(maxsize=_MOST)
def _checked(path: str, values: tuple[tuple[str, type, Any], ...], here: str, mark: str) -> build.CheckRun:
    """`type` keeps apart what is equal, such as 1 and True."""
    return _check(Path(path), {name: value for name, _, value in values})


def _mark_of(place: Path) -> str:
    """Changes when a ruleset or a file of words does in the folder, in one below it, or where rulesets are found by name.

    Shipped rulesets do not change during a run. What was not written lately is known by its time and size."""
    found, lately = sha256(repr(sys.path).encode()), time.time_ns() - _LATELY
    for folder_ in (place, data_folder()):
        if folder_ is not None and folder_.absolute() != folder("rulesets"):
            for path in sorted([*folder_.glob("*.y*ml"), *folder_.glob("*/*.y*ml")]):
                at = path.stat()
                is_known = at.st_mtime_ns < lately or not path.is_file()
                mark = f"{at.st_ino} {at.st_size} {at.st_mtime_ns}".encode() if is_known else path.read_bytes()
                found.update(os.fsencode(path) + mark)
    return found.hexdigest()


def compile_game(ruleset: Any, trace: bool = False, watch: Any = None) -> Any:
    """A machine that counts or watches is one's own."""
    if trace or watch is not None:
        return _compile(ruleset, trace, watch)
    return _compiled(_Same(ruleset))


class _Same:
    """A ruleset, equal to itself alone."""

    def __init__(self, ruleset: Any) -> None:
        self.ruleset = ruleset

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.ruleset is self.ruleset

    def __hash__(self) -> int:
        return id(self.ruleset)


@lru_cache(maxsize=_MOST)
def _compiled(same: _Same) -> Any:
    return _compile(same.ruleset)
