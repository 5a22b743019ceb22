"""The rulebooks of many games as pages that link to each other, and a page before them that finds what they say without a server."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence

import markupsafe
from msgspec import Struct

from hoyle.rulebook.document import Book, Entries, Entry, Rules
from hoyle.rulebook.telling import say
from hoyle.rulebook.writing import template

INDEX = "index.html"
OURS = '<meta name="generator" content="hoyle">'
"""Stands at the beginning of every page that is made here, and so may be made anew."""


class Listed(Struct):
    """A game of the site: the file of its page, and the variants of it."""

    file: str
    title: str
    players: str
    variants: list[Listed] = []


def file_of(name: str) -> str:
    return f"{name}.html"


def index(books: Sequence[Book], parents: Mapping[str, str | None], lang: str) -> str:
    """The page before all others: the games by family (`parents`: what each is a variant of), and what is to be found in them."""
    words = {key: say(f"page.{key}", lang) for key in ("all_games", "search", "nothing_found", "made")}
    texts = [entry for book in books for entry in _texts(book)]
    page = template("index.html.j2")
    return page.render(lang=lang, words=words, families=_families(books, parents), texts=_as_json(texts))


def _families(books: Sequence[Book], parents: Mapping[str, str | None]) -> list[Listed]:
    found = {book.name: Listed(file_of(book.name), book.title, book.facts[0][1]) for book in books}
    top: list[Listed] = []
    for name, game in found.items():
        parent = parents.get(name)
        (found[parent].variants if parent in found else top).append(game)
    return top


def _as_json(texts: Sequence[Mapping[str, str]]) -> markupsafe.Markup:
    """As a page may hold it: nothing in it ends the script."""
    return markupsafe.Markup(json.dumps(texts, ensure_ascii=False).replace("<", "\\u003c"))


def _texts(book: Book) -> Iterator[dict[str, str]]:
    page = file_of(book.name)
    yield {"game": book.title, "head": "", "text": "", "link": page}
    for section in book.sections:
        for block in section.blocks:
            if isinstance(block, Rules | Entries) and section.anchor != "options":
                yield from (_found(book, entry, page) for item in block.items for entry in _told(item))


def _told(entry: Entry) -> Iterator[Entry]:
    """What has a place of its own: rules and clauses, wherever they are told."""
    if entry.anchor:
        yield entry
    for inner in entry.inside:
        yield from _told(inner)


def _found(book: Book, entry: Entry, page: str) -> dict[str, str]:
    return {"game": book.title, "head": entry.head, "text": entry.text, "link": f"{page}#{entry.anchor}"}
