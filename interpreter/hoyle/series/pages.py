"""What a series came to as HTML that stands among other things, as in a notebook: it needs nothing else, and has the colours of the page it stands in. Whatever comes
from a ruleset is escaped."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import jinja2
from msgspec import Struct

Rows = tuple[tuple[str, ...], ...]


class Part(Struct, frozen=True):
    """A table under a title, with sentences below it; what is empty is left out. The first column is of names; a row that begins with a star is marked."""

    title: str = ""
    heads: tuple[str, ...] = ()
    rows: Rows = ()
    notes: tuple[str, ...] = ()
    words: tuple[int, ...] = (0,)
    """Columns of words, which stand to the left."""


def html(title: str, parts: Sequence[Part]) -> str:
    return _template().render(title=title, parts=parts)


@cache
def _template() -> jinja2.Template:
    loader = jinja2.FileSystemLoader(Path(__file__).parent / "templates")
    return jinja2.Environment(
        loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    ).get_template("result.html.j2")
