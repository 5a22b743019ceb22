"""A rulebook as data: sections of blocks, the same for every form that it is written in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace


def anchor(section: str, name: str) -> str:
    """Where links to a rule or a clause lead: the same in every language."""
    return f"{section}-{re.sub(r'[^0-9A-Za-zÀ-ÿ]+', '-', name).strip('-')}"


class Cite(Struct, frozen=True):
    """A place of the source: its words, and the anchor where this book tells what they name (empty: nowhere)."""

    words: str
    link: str = ""


class Entry(Struct, frozen=True):
    """Something said: a `head` that names it, the text, where that stands in the source, and what belongs to it. `anchor` is a place of its own
    to which links lead (empty: none), `link` the one that the head leads to. `exact`: the same once more, as the formulas have it."""

    text: str = ""
    head: str = ""
    cites: tuple[Cite, ...] = ()
    inside: tuple[Entry, ...] = ()
    anchor: str = ""
    link: str = ""
    exact: tuple[Entry, ...] = ()


def every(entry: Entry) -> Iterator[Entry]:
    """It and all inside it."""
    yield entry
    for inner in entry.inside:
        yield from every(inner)


class Paragraph(Struct, frozen=True):
    text: str
    sort: ClassVar[str] = "paragraph"


class Entries(Struct, frozen=True):
    """Entries one below the other; `numbered` where their order counts. `exact`: the same once more, as the steps and formulas have it."""

    items: tuple[Entry, ...]
    numbered: bool = False
    exact: tuple[Entry, ...] = ()
    sort: ClassVar[str] = "entries"

    @property
    def exactly(self) -> tuple[Entry, ...]:
        """`exact`, and that of each entry inside, by its head."""
        inside = (Entry(head=entry.head, inside=entry.exact) for item in self.items for entry in every(item))
        return (*self.exact, *(entry for entry in inside if entry.inside))


class Rules(Struct, frozen=True):
    """Entries that are rules of their own, each with its head and its anchor."""

    items: tuple[Entry, ...]
    sort: ClassVar[str] = "rules"


class Grid(Struct, frozen=True):
    """A table: a title, heads of its columns and rows of cells."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sort: ClassVar[str] = "grid"


class Figure(Struct, frozen=True):
    """A position: drawn (`svg`; `narrow`: for a telephone), and pile by pile where nothing can be drawn."""

    svg: str
    rows: tuple[tuple[str, str], ...]
    caption: str
    narrow: str = ""
    sort: ClassVar[str] = "figure"

    @property
    def told(self) -> str:
        """What is drawn, for those who do not see it."""
        return "; ".join(f"{place}: {what}" for place, what in self.rows)


class Heading(Struct, frozen=True):
    text: str
    anchor: str
    cites: tuple[Cite, ...] = ()
    sort: ClassVar[str] = "heading"


_MINUS = re.compile(r"(?<![\w\-−–])-(?=\d)")
_NO_WORDS = ("anchor", "link", "svg", "narrow", "name")


def typeset(part: Any) -> Any:
    """A part of a book as it is printed: a number less than nothing with a minus, where terminals have a hyphen."""
    if isinstance(part, str):
        return _MINUS.sub("−", part)
    if isinstance(part, tuple):
        return tuple(typeset(inner) for inner in part)
    if isinstance(part, Struct):
        words = (name for name in part.__struct_fields__ if name not in _NO_WORDS)
        return replace(part, **{name: typeset(getattr(part, name)) for name in words})
    return part


Block = Paragraph | Entries | Rules | Grid | Figure | Heading


class Section(Struct, frozen=True):
    anchor: str
    title: str
    blocks: tuple[Block, ...]


class Book(Struct, frozen=True):
    """The rulebook of one game as it is played with some options, in a language."""

    name: str
    title: str
    lang: str
    lead: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    words: tuple[tuple[str, str], ...] = ()
    """What the page itself says, by key: the name of its table of contents, and the like."""

    def said(self, key: str) -> str:
        return dict(self.words)[key]


def left_out(exact: Iterable[Entry], plain: Iterable[Entry]) -> bool:
    """Does the exact telling say what the plain one does not?"""
    return not set(_texts(exact)) <= set(_texts(plain))


def _texts(entries: Iterable[Entry]) -> Iterator[str]:
    for entry in entries:
        yield entry.text or entry.head
        yield from _texts(entry.inside)
