"""What is told twice: by a sentence, and as the formulas have it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hoyle.rulebook.document import Entry


def left_out(exact: Iterable[Entry], plain: Iterable[Entry]) -> bool:
    """Does the exact telling say what the plain one does not?"""
    return not set(_texts(exact)) <= set(_texts(plain))


def _texts(entries: Iterable[Entry]) -> Iterator[str]:
    for entry in entries:
        yield entry.text or entry.head
        yield from _texts(entry.inside)
