"""The rulesets and libraries that a file can be built on: the shipped ones, and those beside it or below."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from hoyle.resources import ENDINGS, language_of, name_below, shipped

MOST = 400
"""How many files are looked at, at most."""
_HEAD = re.compile(r"^(game|library)[ \t]*:", re.MULTILINE)


def rulesets_near(file: str) -> list[tuple[str, str]]:
    """(name, `game` or `library`) of each."""
    found = {name: sort_of(path) for name, path in shipped().items()}
    for name, path in _beside(Path(file)):
        found[name] = sort_of(path)
    return sorted((name, sort) for name, sort in found.items() if sort)


def _beside(file: Path) -> Iterator[tuple[str, Path]]:
    seen = 0
    for place, folders, names in os.walk(file.parent):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        seen += len(names) + len(folders)
        if seen > MOST:
            return
        for name in names:
            path = Path(place, name)
            if path.suffix in ENDINGS and not language_of(path) and path != file:
                called = name_below(path, file.parent)
                if called is not None:
                    yield called.removesuffix(".yaml"), path


def sort_of(path: Path) -> str:
    """Is it a `game` or a `library`? Empty if neither."""
    try:
        return _sort(path, os.stat(path).st_mtime_ns)
    except OSError:
        return ""


@lru_cache(maxsize=1000)
def _sort(path: Path, changed: int) -> str:
    """`changed`, the time of the file's last change, keeps what is remembered from being out of date."""
    found = _HEAD.search(path.read_text(encoding="utf-8", errors="replace"))
    return found[1] if found else ""
