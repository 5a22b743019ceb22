"""What lies open in the editor, and what is known of it: each ruleset as it was checked last."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from hoyle.checking import build
from hoyle.checking.world import Hearing
from hoyle.diagnostics import Diagnostic, Problems, Refused
from hoyle.game.examples.static_checks import finished
from hoyle.reading.merge import Merged
from hoyle.reading.sources import meant, read, unsaved, words_of
from hoyle.reading.tree import Node
from hoyle.resources import ENDINGS, language_of, ruleset_of

Texts = Mapping[str, str]
"""What is open, by real path."""
_OURS = re.compile(r"^(?:ruleset|library|words) *:", re.MULTILINE)


def is_ours(text: str) -> bool:
    """Is it a ruleset, a library or a file of words? All of them say so in a line of their own."""
    return _OURS.search(text) is not None


def real(path: str | Path) -> str:
    """One name for each file, however it is reached."""
    return os.path.realpath(path)


class Analysis(Struct):
    """What a check of one ruleset gave: its problems, its tree as far as there is one, and what its formulas mean."""

    path: Path
    problems: tuple[Diagnostic, ...]
    merged: Merged | None
    hearing: Hearing
    files: tuple[str, ...]
    """What it is made of, by real path: itself, what it is built on, and all their files of words."""
    texts: Texts
    """What was open then."""
    check: build.Check
    told: tuple[Diagnostic, ...] | None = None
    """What `judged` told of it."""

    def holds(self, texts: Texts) -> bool:
        """Does nothing of what is open now say anything else?"""
        return all(texts.get(name) == self.texts.get(name) for name in self.files)

    @property
    def root(self) -> Node | None:
        return self.merged.root if self.merged is not None else None


def analysed(path: Path, texts: Texts) -> Analysis:
    """The first answer: what each formula says. What only the whole ruleset can tell, `judged` tells."""
    problems, hearing = Problems(), Hearing()
    with unsaved(texts):
        check = build.heard(path, hearing)
        merged = check.tell(problems)[1]
        files = files_of(path, merged)
    return Analysis(path, tuple(problems), merged, hearing, files, texts, check)


def judged(known: Analysis) -> tuple[Diagnostic, ...]:
    """Every problem, as `hoyle validate` has them; of what is known only the rest is asked. Not for two threads at once."""
    if known.told is None:
        with unsaved(known.texts):
            known.told = tuple(finished(known.path, known.check, known.hearing))
    return known.told


def judged_anew(path: Path, texts: Texts) -> tuple[Diagnostic, ...]:
    """Every problem of a ruleset of which nothing else is asked."""
    return judged(analysed(path, texts))


def files_of(path: Path, merged: Merged | None) -> tuple[str, ...]:
    """All files that a ruleset is made of, by real path."""
    rulesets = merged.files if merged is not None else [path]
    return tuple(dict.fromkeys(real(file) for place in rulesets for file in (place, *words_of(place))))


def checked_with(path: Path) -> Path:
    """The ruleset that is checked when this file is open: itself, or the one whose words it has."""
    ruleset = ruleset_of(path)
    return ruleset if language_of(path) and ruleset.exists() else path


def own_tree(path: str | Path, texts: Texts) -> Node | None:
    """The tree of one file as it stands there; None if it cannot be read."""
    try:
        with unsaved(texts):
            return build.loaded(read(path))
    except Refused:
        return None


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
