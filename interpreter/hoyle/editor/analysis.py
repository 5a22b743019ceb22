"""Analyses of rulesets as they are in the editor, saved or not, and which rulesets are built on a file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from hoyle.checking import build
from hoyle.checking.formulas.symbols import CheckTrace
from hoyle.diagnostics import Diagnostic, Problems, Refused
from hoyle.game.examples.static_checks import finish_validation
from hoyle.reading.merge import Merged
from hoyle.reading.sources import locate, read, unsaved, words_of
from hoyle.reading.tree import Node
from hoyle.resources import ENDINGS, language_of, ruleset_of

Texts = Mapping[str, str]
"""The open texts by real path."""
MOST_FILES = 500
"""Folders with more files are not searched for rulesets."""
_FIRST_KEY = re.compile(r"^(?:ruleset|library|words) *:", re.MULTILINE)
_BASES = re.compile(r"^(?:extends|use)[ \t]*:(?P<same>.*)\n(?P<below>(?:[ \t]*-.*\n)*)", re.MULTILINE)
_NAME = re.compile(r"[^\s\[\],'\"]+")


def is_hoyle_text(text: str) -> bool:
    """Return whether a text is a ruleset, a library or a file of words, by its first key."""
    return _FIRST_KEY.search(text) is not None


def resolve_path(path: str | Path) -> str:
    """Return the real path, which identifies a file however it is reached."""
    return os.path.realpath(path)


class Analysis(Struct):
    """The result of checking a ruleset: problems, merged tree (None if there is none) and the trace of its formulas.

    files         real paths of the ruleset, its bases, and the files of words of all of them
    texts         the open texts at the time
    all_problems  the result of find_all_problems, once it was called
    """

    path: Path
    problems: tuple[Diagnostic, ...]
    merged: Merged | None
    trace: CheckTrace
    files: tuple[str, ...]
    texts: Texts
    check: build.CheckRun
    all_problems: tuple[Diagnostic, ...] | None = None

    def is_current(self, texts: Texts) -> bool:
        """Return whether none of its files differs in these open texts."""
        return all(texts.get(name) == self.texts.get(name) for name in self.files)

    @property
    def root(self) -> Node | None:
        return self.merged.root if self.merged is not None else None


def analyse(path: Path, texts: Texts) -> Analysis:
    """Check the formulas of a ruleset. Problems of the ruleset as a whole are left to find_all_problems."""
    problems, trace = Problems(), CheckTrace()
    with unsaved(texts):
        check = build.start_check(path, trace)
        merged = check.report(problems)[1]
        rulesets = merged.files if merged is not None else [path]
        files = dict.fromkeys(resolve_path(file) for ruleset in rulesets for file in (ruleset, *words_of(ruleset)))
    return Analysis(path, tuple(problems), merged, trace, tuple(files), texts, check)


def find_all_problems(analysis: Analysis) -> tuple[Diagnostic, ...]:
    """Return all problems that `hoyle validate` reports, continuing the analysis. Not thread-safe."""
    if analysis.all_problems is None:
        with unsaved(analysis.texts):
            analysis.all_problems = tuple(finish_validation(analysis.path, analysis.check, analysis.trace))
    return analysis.all_problems


def find_ruleset(path: Path) -> Path:
    """Return the ruleset to check for an open file: the file itself, or the ruleset of a file of words."""
    ruleset = ruleset_of(path)
    return ruleset if language_of(path) and ruleset.exists() else path


def load_tree(path: str | Path, texts: Texts) -> Node | None:
    """Return the tree of a single file; None if it cannot be read."""
    try:
        with unsaved(texts):
            return build.load_tree(read(path))
    except Refused:
        return None


# ---- rulesets built on a file ----------------------------------------------------------------------------------------


def find_dependents(path: str, texts: Texts) -> list[str]:
    """Return real paths of rulesets built on a file, the nearest first: among open texts and in its folder."""
    folder = os.path.dirname(path)
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        names = []
    nearby = [resolve_path(os.path.join(folder, name)) for name in names if name.endswith(ENDINGS)]
    bases = {
        file: list_bases(file, texts)
        for file in dict.fromkeys([*texts, *(nearby if len(nearby) <= MOST_FILES else [])])
        if not language_of(Path(file)) and is_hoyle_text(texts.get(file, "ruleset:"))
    }
    dependents, waiting = list[str](), [path]
    while waiting:
        base = waiting.pop(0)
        above = [file for file in bases if base in bases[file] and file not in dependents]
        dependents += above
        waiting += above
    return [file for file in dependents if file != path]


def list_bases(file: str, texts: Texts) -> tuple[str, ...]:
    """Return real paths of the files that a ruleset says it is built on."""
    try:
        text = texts.get(file)
        names = tuple(_scan_bases(text)) if text is not None else _read_bases(file, os.stat(file).st_mtime_ns)
    except OSError:
        return ()
    paths = [locate(name, Path(file)) for name in names]
    return tuple(resolve_path(path) for path in paths if path is not None)


@lru_cache(maxsize=1000)
def _read_bases(file: str, changed: int) -> tuple[str, ...]:
    """`changed`, the time of the file's last change, makes old cache entries unreachable."""
    return tuple(_scan_bases(Path(file).read_text(encoding="utf-8", errors="replace")))


def _scan_bases(text: str) -> Iterator[str]:
    for match in _BASES.finditer(text + "\n"):
        yield from _NAME.findall(
            match["same"].partition(" #")[0] + re.sub(r"(?m)^[ \t]*-|[ \t]#.*$", " ", match["below"])
        )
