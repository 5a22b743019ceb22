"""Which rulesets are built on a file: those that `extends` or `use` it, in its folder and among what is open, and those built on them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from hoyle.editor.desk import Texts, is_ours, real
from hoyle.reading.ground import meant
from hoyle.resources import ENDINGS, language_of

_BUILT = re.compile(r"^(?:extends|use)[ \t]*:(?P<same>.*)\n(?P<below>(?:[ \t]*-.*\n)*)", re.MULTILINE)
_NAME = re.compile(r"[^\s\[\],'\"]+")
MOST_FILES = 500
"""In a folder with more files than this nothing is looked for."""


def dependents(path: str, texts: Texts) -> list[str]:
    """The rulesets built on this one, the nearest first, by real path."""
    built = {place: named(place, texts) for place in _near(path, texts)}
    found, waiting = list[str](), [path]
    while waiting:
        below = waiting.pop(0)
        above = [place for place, names in built.items() if below in names and place not in found]
        found += above
        waiting += above
    return [place for place in found if place != path]


def named(place: str, texts: Texts) -> tuple[str, ...]:
    """The files that a ruleset says it is built on, by real path."""
    text = texts.get(place)
    if text is not None:
        return _found(place, tuple(_names(text)))
    try:
        return _found(place, _names_of_file(place, os.stat(place).st_mtime_ns))
    except OSError:
        return ()


def _near(path: str, texts: Texts) -> list[str]:
    """Rulesets in the same folder, and those that are open."""
    folder = os.path.dirname(path)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        names = []
    places = [real(os.path.join(folder, name)) for name in names if name.endswith(ENDINGS)]
    kept = places if len(places) <= MOST_FILES else []
    return [p for p in dict.fromkeys([*texts, *kept]) if not language_of(Path(p)) and is_ours(texts.get(p, "ruleset:"))]


def _found(place: str, names: tuple[str, ...]) -> tuple[str, ...]:
    places = [meant(name, Path(place)) for name in names]
    return tuple(real(found) for found in places if found is not None)


@lru_cache(maxsize=1000)
def _names_of_file(place: str, changed: int) -> tuple[str, ...]:
    """`changed`, the time of the file's last change, keeps what is remembered from being out of date."""
    return tuple(_names(Path(place).read_text(encoding="utf-8", errors="replace")))


def _names(text: str) -> Iterable[str]:
    for found in _BUILT.finditer(text + "\n"):
        said = found["same"].partition(" #")[0] + re.sub(r"(?m)^[ \t]*-|[ \t]#.*$", " ", found["below"])
        yield from _NAME.findall(said)
