"""Programs that stand for compilers, so that what is made of them can be tried on machines without one."""

import tempfile
from pathlib import Path

import pytest

from hoyle.native import compiler
from hoyle.native.compiler import Compiler, find_compiler

VERSION = 'for last; do :; done; if [ "$last" = --version ]; then echo "stand-in 1.0"; echo "and more"; exit; fi'
COPY = 'while [ "$#" -gt 2 ]; do shift; done; while read -r line; do echo "$line"; done <"$2" >"$1"'
"""A compiler that copies the text: its last words are the library, then the text."""


def script(place: Path, *lines: str) -> Path:
    """A program of these lines, which finds itself in `$home` and other programs nowhere."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("\n".join(["#!/bin/sh", f"home='{place.parent}'", *lines, ""]), encoding="utf-8")
    place.chmod(0o755)
    return place


def only(monkeypatch: pytest.MonkeyPatch, folder: Path, cc: str = "") -> None:
    """From now on programs are looked for in this folder alone, no package brings a compiler, and `$CC` is this."""
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.setenv("CC", cc)
    monkeypatch.setattr(compiler, "PACKAGE", "a_compiler_that_nobody_wrote")
    compiler._find.cache_clear()


def calls(folder: Path) -> list[str]:
    noted = folder / "calls"
    return noted.read_text(encoding="utf-8").splitlines() if noted.exists() else []


def needs_compiler() -> Compiler:
    """The compiler of this machine; the test is skipped if there is none."""
    found = find_compiler()
    if not isinstance(found, Compiler):
        pytest.skip("there is no C compiler on this machine")
    return found


def own_cache(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Gives a test and its processes a cache and a folder for temporary files, `tmp`. Returns the folder of libraries."""
    (folder / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "tmp"))
    monkeypatch.setenv("TMPDIR", str(folder / "tmp"))
    monkeypatch.setenv("HOYLE_CACHE", str(folder / "cache"))
    return folder / "cache" / "native"
