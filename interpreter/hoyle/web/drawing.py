"""A view as a picture, for a page."""

from __future__ import annotations

from functools import cache

from hoyle.game.game import Game
from hoyle.game.pictured import names_of
from hoyle.game.view import View
from hoyle.pictures.names import Names
from hoyle.pictures.picture import WIDTH, picture
from hoyle.pictures.theme import theme
from hoyle.web.taste import Taste

NARROW, WIDE, LOW = 320, 1600, 240
"""Pixels between which a picture is as wide as its room, and less than which it is not high."""


def drawn(game: Game, view: View, taste: Taste) -> str:
    """Each pile as a group with its key, each piece with its place and, where it is seen, its sign."""
    width = max(NARROW, min(taste.width, WIDE)) if taste.width else WIDTH
    height = max(LOW, taste.height) if taste.height else None
    look = _colours("dark" if taste.tone == "dark" else "light", taste.four_colours)
    return picture(view, names(game, taste.lang), look, width, height, before=taste.before)


_colours = cache(theme)
"""The same ones each time, so that what is drawn in them is known again."""


def names(game: Game, lang: str) -> Names:
    """The words of a game in a language, made once."""
    key = ("web names", lang)
    found: Names | None = game.compiled.kept.get(key)
    if found is None:
        found = game.compiled.kept[key] = names_of(game.compiled, lang)
    return found
