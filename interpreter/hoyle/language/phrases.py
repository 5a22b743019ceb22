"""Texts with places: `play {number} {rank}`. What stands in the places is filled in when the text is shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from msgspec import Struct

from hoyle.language.ir import Expr, Var

_NAME = r"[^\W\d]\w*"


def _pieces(inside: str) -> re.Pattern[str]:
    """What begins with a brace, where places have this inside."""
    return re.compile(
        rf"(?P<brace>\{{\{{|\}}\}})|\{{(?P<name>{inside})(?::(?P<forms>[^{{}}|]*(?:\|[^{{}}|]*)?))?\}}|(?P<wrong>\{{[^{{}}]*\}}?|\}})"
    )


_NAMED, _WORKED_OUT = _pieces(rf"{_NAME}(?:\.{_NAME})*"), _pieces(r"[^{}:|]*[^{}:|\s][^{}:|]*")


class Blank(Struct, frozen=True):
    """A place in a text: what stands there (`card`, or `card.rank`), or the one of two `forms` that its number asks for, or what is true or
    false: the first if it holds. `alone`: there is but one form, and nothing where it does not hold."""

    name: str
    forms: tuple[str, str] | None = None
    alone: bool = False


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

    @property
    def names(self) -> set[str]:
        """What its places are about, without attributes."""
        return {name.partition(".")[0] for name in self.values}


def told(lets: Iterable[Var], *tellings: Telling | None) -> tuple[Var, ...]:
    """What `let` gives, as far as these words say it."""
    named = {name for telling in tellings if telling is not None for name in telling.names}
    return tuple(var for var in lets if var.name in named)


class Unreadable(Exception):
    """A brace that begins or ends no place; its arguments are what stands there, and where in the text."""


def phrase_of(text: str, formulas: bool = False) -> Phrase:
    """A text as written; `{{` and `}}` are braces that people read. `formulas`: what stands in a place may be any formula, and not a name
    alone. Raises Unreadable."""
    found: list[str | Blank] = []
    at = 0
    for piece in (_WORKED_OUT if formulas else _NAMED).finditer(text):
        if piece["wrong"]:
            raise Unreadable(piece["wrong"], piece.start())
        own = piece["brace"][:1] if piece["brace"] else _blank(piece["name"].strip(), piece["forms"])
        found += [text[at : piece.start()], own]
        at = piece.end()
    return tuple(part for part in (*found, text[at:]) if part)


def _blank(name: str, forms: str | None) -> Blank:
    if not forms:
        return Blank(name)
    one, bar, many = forms.partition("|")
    return Blank(name, (one, many), alone=not bar)


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
