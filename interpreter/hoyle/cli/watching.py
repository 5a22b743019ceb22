"""Looking again whenever files are saved: their times and sizes are asked for a few times a second, which works everywhere."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from hoyle.cli.output import deserted, flush, screen

PAUSE = 0.25
"""Seconds between two looks, and at least four times as long as a look takes."""
_SETTLED = 0.05
Stamps = dict[Path, tuple[int, int, int] | None]


def watch(look: Callable[[], object], files: Callable[[], Iterable[Path]]) -> None:
    """Looks at once, and again whenever one of the files changes, comes or goes. It ends with Ctrl-C, or when nobody reads what is said."""
    before: Stamps | None = None
    while not deserted():
        began = time.monotonic()
        now = _stamps(files())
        if now != before:
            before = _settled(now, files)
            screen()
            look()
            flush()
        time.sleep(max(PAUSE, 4 * (time.monotonic() - began) if now == before else 0))


def _settled(now: Stamps, files: Callable[[], Iterable[Path]]) -> Stamps:
    """The state of the files once nothing is written any more; half a second is waited for a file that somebody is replacing."""
    for _ in range(10):
        time.sleep(_SETTLED)
        last, now = now, _stamps(files())
        if last == now and None not in now.values():
            break
    return now


def _stamps(files: Iterable[Path]) -> Stamps:
    return {path: _stamp(path) for path in files}


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


class Behind:
    """The files on which what is looked at depends: what they extend and use, and their words in other languages. What a file was built on when it
    could last be read is watched as long as it cannot."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[Any, list[Path]]] = {}

    def of(self, paths: Iterable[Path]) -> list[Path]:
        from hoyle.resources import words_beside

        found: dict[Path, None] = {}
        waiting = list(paths)
        while waiting:
            path = waiting.pop()
            if path not in found:
                found[path] = None
                found.update(dict.fromkeys(words_beside(path)))
                waiting += self._below(path)
        return [*found]

    def _below(self, path: Path) -> list[Path]:
        stamp, (known, below) = _stamp(path), self._known.get(path, (None, []))
        if stamp is not None and stamp != known:
            self._known[path] = stamp, below = stamp, [*_built_on(path)] or below
        return below


def _built_on(path: Path) -> Iterator[Path]:
    """What a file says that it is built on, as far as it can be read and is found."""
    from hoyle.diagnostics import Refused
    from hoyle.reading.sources import meant, read
    from hoyle.reading.tree import listed
    from hoyle.reading.yaml_tree import load

    try:
        root = load(read(path), only=("extends", "use"))
    except Refused:
        return
    names = [node for key in ("extends", "use") for node in listed(root.get(key))] if root.kind == "map" else []
    yield from (found for node in names if node.raw and (found := meant(node.raw, path)) is not None)
