"""Write a book as Markdown, HTML or PDF, with one template per format."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import jinja2
import markupsafe
from msgspec import Struct

from hoyle.rulebook.context import say
from hoyle.rulebook.document import Book, Entries, Entry, Rules

_TEMPLATES = Path(__file__).parent / "templates"
_BLANK_LINES = re.compile(r"\n{3,}")


class Missing(Exception):
    """Raised if the library for PDF is not installed."""


def render_markdown(book: Book, precise: bool = False) -> str:
    """Return the book as Markdown; with `precise`, include the exact wording of rules."""
    text = load_template("book.md.j2").render(book=book, precise=precise)
    lines = (line.rstrip() for line in text.splitlines())
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip() + "\n"


def render_html(book: Book, home: str = "", precise: bool = False) -> str:
    """Return the book as one self-contained page.

    `home` is the target of the link to all games (empty: no link). The exact wording is always
    included, and folded unless `precise`.
    """
    return load_template("book.html.j2").render(book=book, home=home, precise=precise)


def render_pdf(book: Book, precise: bool = False) -> bytes:
    """Return the page as PDF. Raises Missing."""
    try:
        import weasyprint
    except (ImportError, OSError) as error:  # OSError: the libraries of the system that it needs
        raise Missing from error
    found: bytes = weasyprint.HTML(string=render_html(book, precise=precise)).write_pdf()
    return found


def load_template(name: str) -> jinja2.Template:
    return _make_environment().get_template(name)


def escape_markdown(text: str) -> str:
    """Escape the characters that have a meaning in Markdown."""
    return re.sub(r"([\\`*_\[\]<>#])", r"\\\1", text)


@cache
def _make_environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=lambda name: name is not None and ".html" in name,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    made.filters["md"] = escape_markdown
    made.filters["base64"] = lambda text: base64.b64encode(text.encode()).decode()
    return made


INDEX = "index.html"
GENERATED_MARK = '<meta name="generator" content="hoyle">'
"""Marks generated pages, which may be overwritten."""


class SiteEntry(Struct):
    """A game of the site: the file of its page, and its variants."""

    file: str
    title: str
    players: str
    variants: list[SiteEntry] = []


def name_file(name: str) -> str:
    return f"{name}.html"


def render_index(books: Sequence[Book], parents: Mapping[str, str | None], lang: str) -> str:
    """Return the start page: games by family and a full-text search.

    `parents` maps each variant to the game it derives from.
    """
    words = {key: say(f"page.{key}", lang) for key in ("all_games", "search", "nothing_found", "made")}
    texts = [entry for book in books for entry in _list_texts(book)]
    page = load_template("index.html.j2")
    return page.render(lang=lang, words=words, families=_group_families(books, parents), texts=_dump_json(texts))


def _group_families(books: Sequence[Book], parents: Mapping[str, str | None]) -> list[SiteEntry]:
    found = {book.name: SiteEntry(name_file(book.name), book.title, book.facts[0][1]) for book in books}
    top: list[SiteEntry] = []
    for name, game in found.items():
        parent = parents.get(name)
        (found[parent].variants if parent in found else top).append(game)
    return top


def _dump_json(texts: Sequence[Mapping[str, str]]) -> markupsafe.Markup:
    """Return the texts as JSON that cannot close the script element around it."""
    return markupsafe.Markup(json.dumps(texts, ensure_ascii=False).replace("<", "\\u003c"))


def _list_texts(book: Book) -> Iterator[dict[str, str]]:
    page = name_file(book.name)
    yield {"game": book.title, "head": "", "text": "", "link": page}
    for section in book.sections:
        for block in section.blocks:
            if isinstance(block, Rules | Entries) and section.anchor != "options":
                yield from (
                    _make_search_entry(book, entry, page) for item in block.items for entry in _iter_anchored(item)
                )


def _iter_anchored(entry: Entry) -> Iterator[Entry]:
    """Yield all entries that have an anchor."""
    if entry.anchor:
        yield entry
    for inner in entry.inside:
        yield from _iter_anchored(inner)


def _make_search_entry(book: Book, entry: Entry, page: str) -> dict[str, str]:
    return {"game": book.title, "head": entry.head, "text": entry.text, "link": f"{page}#{entry.anchor}"}
