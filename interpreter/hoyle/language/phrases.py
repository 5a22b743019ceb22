"""Texts with places: `play {number} {rank}`. What stands in the places is filled in when the text is shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache

from msgspec import Struct

from hoyle.language.ir import Expr, Var
from hoyle.language.sentences import FALLBACK, LANGUAGES, Sentence, integer

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


_NUMBERED = Sentence("noun.numbered")
_PRESENT, _AND, _SMALL = Sentence("verb.present"), Sentence("verb.and"), Sentence("input.small_words")
_OWN, _WITHOUT = Sentence("verb.own"), Sentence("value.without")


class _Verbs(Struct, frozen=True):
    """Where the verbs that a language knows stand first in a text, where they follow an “and”, and where what follows one may be a verb that it does not know."""

    first: re.Pattern[str]
    joined: re.Pattern[str]
    doubtful: re.Pattern[str]


def present(phrase: Phrase, lang: str) -> Phrase | None:
    """The words of a move as those of what somebody does; None where the language does not know all their verbs, so that nothing wrong is said."""
    verbs = _verbs(lang) if lang in LANGUAGES else None
    begun = phrase[0] if phrase else None
    if verbs is None or not isinstance(begun, str) or not verbs.first.match(begun):
        return None
    if any(isinstance(part, str) and verbs.doubtful.search(part) for part in phrase):
        return None
    forms = forms_of(lang)
    parts = (verbs.first.sub(lambda found: forms[found[0]], begun, count=1), *phrase[1:])
    return tuple(
        verbs.joined.sub(lambda found: found[1] + forms[found[2]], part) if isinstance(part, str) else part
        for part in parts
    )


def is_done(text: str, lang: str) -> bool:
    """Does it begin with what somebody does, `shows the hand`, so that it is told of him and not said by him?"""
    return lang in LANGUAGES and _does(lang).match(text) is not None


@cache
def _does(lang: str) -> re.Pattern[str]:
    return re.compile(rf"{any_of(forms_of(lang).values())}(?!\S)")


@cache
def forms_of(lang: str) -> dict[str, str]:
    """How the words that moves begin with are said of somebody, in a language there is."""
    return dict(line.split(" = ") for line in _PRESENT[lang].splitlines())


def own_forms(lang: str) -> dict[str, str]:
    """What moves say by how somebody may say that he does it: as he does, as others do, or as moves have it."""
    known, own = forms_of(lang), dict(line.split(" = ") for line in _OWN[lang].splitlines())
    return {form: verb for verb in known for form in (verb, known[verb], own.get(verb, verb))}


@cache
def _verbs(lang: str) -> _Verbs:
    known, ands, small = map(any_of, (forms_of(lang), _AND[lang].split(), _SMALL[lang].split()))
    return _Verbs(
        re.compile(rf"{known}(?!\S)"),
        re.compile(rf"(?<!\S)({ands} )({known})(?!\S)"),
        re.compile(rf"(?<!\S){ands} (?!(?:{known}|{small})(?!\S))\S"),
    )


def without(text: str, lang: str) -> str:
    """The words of a move with none of what it might take, where a language says that otherwise than by a word behind the verb:
    `ne rien garder`."""
    said = _without(lang if lang in LANGUAGES else FALLBACK)
    return re.sub(rf"(?<!\S){any_of(said)}$", lambda found: said[found[0]], text) if said else text


@cache
def _without(lang: str) -> dict[str, str]:
    return dict(line.split(" = ") for line in _WITHOUT[lang].splitlines())


def counted(number: int, noun: str, lang: str) -> str | None:
    """So many of these, `a card` or `3 cards`; None where the language does not know the noun."""
    forms = _nouns(lang if lang in LANGUAGES else FALLBACK).get(noun)
    return None if forms is None else forms[0] if number == 1 else f"{integer(number, lang)} {forms[1]}"


@cache
def _nouns(lang: str) -> dict[str, tuple[str, str]]:
    """One of them, and several."""
    found = (line.split(" = ") for line in _NUMBERED[lang].splitlines())
    return {noun: (one, several) for noun, forms in found for one, several in [forms.split(" | ")]}


def any_of(words: Iterable[str]) -> str:
    """A pattern of these words; where several fit, the longest does."""
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})"
