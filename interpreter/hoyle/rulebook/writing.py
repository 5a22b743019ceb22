"""A book as Markdown, HTML or PDF: one template for each form, the same for all games."""

from __future__ import annotations

import base64
import re
from functools import cache
from pathlib import Path

import jinja2

from hoyle.rulebook.document import Book

_TEMPLATES = Path(__file__).parent / "templates"
_BLANK_LINES = re.compile(r"\n{3,}")


class Missing(Exception):
    """The library that makes PDF is not there."""


def markdown(book: Book, precise: bool = False) -> str:
    """With `precise`, also what rules with sentences of their own say once more in the words of their formulas."""
    text = template("book.md.j2").render(book=book, precise=precise)
    lines = (line.rstrip() for line in text.splitlines())
    return _BLANK_LINES.sub("\n\n", "\n".join(lines)).strip() + "\n"


def html(book: Book, home: str = "", precise: bool = False) -> str:
    """One page that needs nothing else. `home`: where its link to all games leads; empty: it has none. What is told exactly is there in any case,
    closed unless `precise`."""
    return template("book.html.j2").render(book=book, home=home, precise=precise)


def pdf(book: Book, precise: bool = False) -> bytes:
    """The page on paper. Raises Missing."""
    try:
        import weasyprint
    except (ImportError, OSError) as error:  # OSError: the libraries of the system that it needs
        raise Missing from error
    found: bytes = weasyprint.HTML(string=html(book, precise=precise)).write_pdf()
    return found


def template(name: str) -> jinja2.Template:
    return _environment().get_template(name)


def escaped(text: str) -> str:
    """A text as Markdown shows it letter by letter."""
    return re.sub(r"([\\`*_\[\]<>#])", r"\\\1", text)


@cache
def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_TEMPLATES),
        autoescape=lambda name: name is not None and ".html" in name,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    made.filters["md"] = escaped
    made.filters["base64"] = lambda text: base64.b64encode(text.encode()).decode()
    return made
