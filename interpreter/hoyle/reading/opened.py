"""Files that are open in an editor: what they say there counts, whatever lies on the disk, and they may not lie there yet."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from types import MappingProxyType

from hoyle.resources import language_of, ruleset_of, words_beside

_UNSAVED: ContextVar[Mapping[str, str]] = ContextVar("unsaved", default=MappingProxyType({}))


@contextmanager
def unsaved(texts: Mapping[str, str]) -> Iterator[None]:
    """In here these files, by their real paths, say what is open in an editor, whatever lies on the disk."""
    before = _UNSAVED.set(texts)
    try:
        yield
    finally:
        _UNSAVED.reset(before)


def unsaved_text(path: str | Path) -> str | None:
    """What a file says that is open; None of others."""
    texts = _UNSAVED.get()
    return texts.get(os.path.realpath(path)) if texts else None


def unsaved_beside(name: str, place: Path) -> Path | None:
    """The file that is open, and may not be on the disk yet, that a text in this folder names."""
    candidates = [place / name, place / f"{name}.yaml"]
    return next((path for path in candidates if os.path.realpath(path) in _UNSAVED.get()), None)


def words_of(path: Path) -> list[Path]:
    """The files that say a ruleset's words in other languages, in the order of the languages, with those that are open and not on the disk yet."""
    there, texts = words_beside(path), _UNSAVED.get()
    known, own = {os.path.realpath(words) for words in there}, os.path.realpath(path)
    others = [Path(name) for name in texts if name not in known and language_of(Path(name))]
    new = [path.with_name(other.name) for other in others if os.path.realpath(ruleset_of(other)) == own]
    return sorted([*there, *new])
