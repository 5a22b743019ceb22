"""Texts with places: `play {number} {rank}`. What stands in the places is filled in when the text is shown."""

from __future__ import annotations

import re
from collections.abc import Callable

from msgspec import Struct

from interpreter.language.ir import Expr

_NAME = r"[^\W\d]\w*"
_PIECE = re.compile(
    rf"(?P<brace>\{{\{{|\}}\}})|\{{(?P<name>{_NAME}(?:\.{_NAME})*)(?::(?P<forms>[^{{}}|]*\|[^{{}}|]*))?\}}|(?P<wrong>\{{[^{{}}]*\}}?|\}})"
)


class Blank(Struct, frozen=True):
    """A place in a text: what stands there (`card`, or `card.rank`), or the one of two `forms` that its number asks for."""

    name: str
    forms: tuple[str, str] | None = None


Phrase = tuple[str | Blank, ...]
"""A text, cut at its places."""


class Telling(Struct, frozen=True):
    """What is said, by language, and the formula of what stands in each of its places."""

    phrases: dict[str, Phrase]
    values: dict[str, Expr] = {}

    @property
    def words(self) -> dict[str, str]:
        """The same where nothing can be filled in."""
        return {lang: bare(phrase) for lang, phrase in self.phrases.items()}


class Unreadable(Exception):
    """A brace that begins or ends no place; its arguments are what stands there, and where in the text."""


def phrase_of(text: str) -> Phrase:
    """A text as written; `{{` and `}}` are braces that people read. Raises Unreadable."""
    found: list[str | Blank] = []
    at = 0
    for piece in _PIECE.finditer(text):
        if piece["wrong"]:
            raise Unreadable(piece["wrong"], piece.start())
        one, _, many = (piece["forms"] or "").partition("|")
        own = piece["brace"][:1] if piece["brace"] else Blank(piece["name"], (one, many) if piece["forms"] else None)
        found += [text[at : piece.start()], own]
        at = piece.end()
    return tuple(part for part in (*found, text[at:]) if part)


def filled_in(phrase: Phrase, fill: Callable[[Blank], str]) -> str:
    """The text with its places filled."""
    return "".join(part if isinstance(part, str) else fill(part) for part in phrase)


def blanks(phrase: Phrase) -> list[Blank]:
    return [part for part in phrase if isinstance(part, Blank)]


def bare(phrase: Phrase) -> str:
    """The text where nothing can be filled in, as the name of what it tells: `play …`; without what only adds to it."""
    shown = filled_in(phrase, lambda blank: blank.forms[1] if blank.forms else "…")
    return re.sub(r"…(?:\s*…)+", "…", re.sub(r"[ \t\n]+", " ", re.sub(r",? *\(…\)|, *…", "", shown)).strip())


def stem(phrase: Phrase) -> str:
    """What stands before the first place."""
    found = ""
    for part in phrase:
        if isinstance(part, Blank):
            break
        found += part
    return found
