"""The rulebook as data: sections made of blocks, independent of the output format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from msgspec import Struct
from msgspec.structs import replace


def make_anchor(section: str, name: str) -> str:
    """Return the anchor of a rule or clause, the same in every language."""
    return f"{section}-{re.sub(r'[^0-9A-Za-zÀ-ÿ]+', '-', name).strip('-')}"


class Cite(Struct, frozen=True):
    """A reference to the source: its words, and the anchor in this book that covers it (empty: none)."""

    words: str
    link: str = ""


class Entry(Struct, frozen=True):
    """A statement: heading, text, references to the source, and entries inside it.

    `anchor` is the target for links to it (empty: none), `link` the target of its heading.
    `exact` repeats the statement in the wording of the formulas.
    """

    text: str = ""
    head: str = ""
    cites: tuple[Cite, ...] = ()
    inside: tuple[Entry, ...] = ()
    anchor: str = ""
    link: str = ""
    exact: tuple[Entry, ...] = ()


def walk_entries(entry: Entry) -> Iterator[Entry]:
    """Yield the entry and all entries inside it."""
    yield entry
    for inner in entry.inside:
        yield from walk_entries(inner)


class Paragraph(Struct, frozen=True):
    text: str
    sort: ClassVar[str] = "paragraph"


class Entries(Struct, frozen=True):
    """A list of entries, `numbered` if their order matters; `exact` repeats it in the wording of the formulas."""

    items: tuple[Entry, ...]
    numbered: bool = False
    exact: tuple[Entry, ...] = ()
    sort: ClassVar[str] = "entries"

    @property
    def exactly(self) -> tuple[Entry, ...]:
        """Return `exact`, followed by the exact wording of each entry inside, under its heading."""
        inside = (Entry(head=entry.head, inside=entry.exact) for item in self.items for entry in walk_entries(item))
        return (*self.exact, *(entry for entry in inside if entry.inside))


class Rules(Struct, frozen=True):
    """Entries for rules, each with its own heading and anchor."""

    items: tuple[Entry, ...]
    sort: ClassVar[str] = "rules"


class Grid(Struct, frozen=True):
    """A table: title, column headings, and rows of cells."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    sort: ClassVar[str] = "grid"


class Figure(Struct, frozen=True):
    """A position: pictures as SVG (`narrow` is for telephones), and the same as rows of text."""

    svg: str
    rows: tuple[tuple[str, str], ...]
    caption: str
    narrow: str = ""
    sort: ClassVar[str] = "figure"

    @property
    def description(self) -> str:
        """Return a description of the picture for screen readers."""
        return "; ".join(f"{place}: {what}" for place, what in self.rows)


class Heading(Struct, frozen=True):
    text: str
    anchor: str
    cites: tuple[Cite, ...] = ()
    sort: ClassVar[str] = "heading"


_MINUS = re.compile(r"(?<![\w\-−–])-(?=\d)")
_NO_WORDS = ("anchor", "link", "svg", "narrow", "name")


def typeset(part: Any) -> Any:
    """Return a part of a book with minus signs in place of hyphens before numbers."""
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
    """The rulebook of one game under some options, in one language."""

    name: str
    title: str
    lang: str
    lead: str
    facts: tuple[tuple[str, str], ...]
    sections: tuple[Section, ...]
    words: tuple[tuple[str, str], ...] = ()
    """Labels of the page itself by key, such as the title of the table of contents."""

    def get_label(self, key: str) -> str:
        return dict(self.words)[key]


def has_more_text(exact: Iterable[Entry], plain: Iterable[Entry]) -> bool:
    """Return whether the exact entries have a text that the plain ones lack."""
    return not set(_iter_texts(exact)) <= set(_iter_texts(plain))


def _iter_texts(entries: Iterable[Entry]) -> Iterator[str]:
    for entry in entries:
        yield entry.text or entry.head
        yield from _iter_texts(entry.inside)
