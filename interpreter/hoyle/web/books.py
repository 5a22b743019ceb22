"""The rules of a variant as the book that `hoyle rules` writes, for who sits at a table of it."""

from __future__ import annotations

from functools import lru_cache

from hoyle.game.game import Game
from hoyle.rulebook.book import book
from hoyle.rulebook.writing import html

KEPT = 32
"""So many pages are kept: making one takes about a second."""
HEADERS = {
    "Cache-Control": "max-age=3600",
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'",
}


@lru_cache(maxsize=KEPT)
def page(game: Game, lang: str) -> str:
    """One page of HTML that needs nothing else."""
    return html(book(game, lang))
