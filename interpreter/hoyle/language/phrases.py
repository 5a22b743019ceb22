"""Texts with placeholders (`play {number} {rank}`), and inflection: verbs for a third person, nouns by number.

Verbs and nouns are data of each language; unknown ones are left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache

from msgspec import Struct

from hoyle.language.ir import Expr, Var
from hoyle.language.sentences import FALLBACK, LANGUAGES, Sentence, format_integer

_NAME = r"[^\W\d]\w*"


def _pieces(inside: str) -> re.Pattern[str]:
    """Return a pattern for braces and placeholders whose content matches `inside`."""
    return re.compile(
        rf"(?P<brace>\{{\{{|\}}\}})|\{{(?P<name>{inside})(?::(?P<forms>[^{{}}|]*(?:\|[^{{}}|]*)?))?\}}|(?P<wrong>\{{[^{{}}]*\}}?|\}})"
    )


_NAMED, _WORKED_OUT = _pieces(rf"{_NAME}(?:\.{_NAME})*"), _pieces(r"[^{}:|]*[^{}:|\s][^{}:|]*")


class Blank(Struct, frozen=True):
    """A placeholder.

    name   what it stands for: `card` or `card.rank`
    forms  two forms, chosen by number or truth
    alone  there is one form, shown only if the value is true
    """

    name: str
    forms: tuple[str, str] | None = None
    alone: bool = False


Phrase = tuple[str | Blank, ...]
"""A text, split at its placeholders."""


class Telling(Struct, frozen=True):
    """A text by language, and the formula of each placeholder."""

    phrases: dict[str, Phrase]
    values: dict[str, Expr] = {}

    @property
    def words(self) -> dict[str, str]:
        """The texts with their placeholders left out."""
        return {lang: name_of_phrase(phrase) for lang, phrase in self.phrases.items()}

    @property
    def names(self) -> set[str]:
        """The names in its placeholders, without attributes."""
        return {name.partition(".")[0] for name in self.values}


def used_lets(lets: Iterable[Var], *tellings: Telling | None) -> tuple[Var, ...]:
    """The `let` variables that these texts use."""
    named = {name for telling in tellings if telling is not None for name in telling.names}
    return tuple(var for var in lets if var.name in named)


class Unreadable(Exception):
    """A brace outside a placeholder; its arguments are the text and its offset."""


def parse_phrase(text: str, formulas: bool = False) -> Phrase:
    """Parse a text; `{{` and `}}` are literal braces. With `formulas`, placeholders may hold any formula. Raises Unreadable."""
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


def fill_phrase(phrase: Phrase, fill: Callable[[Blank], str]) -> str:
    """Fill the placeholders of a text."""
    return "".join(part if isinstance(part, str) else fill(part) for part in phrase)


def blanks(phrase: Phrase) -> list[Blank]:
    return [part for part in phrase if isinstance(part, Blank)]


def name_of_phrase(phrase: Phrase) -> str:
    """The text with `…` for its placeholders, as a name: `play …`. Optional additions are left out."""
    shown = fill_phrase(phrase, lambda blank: blank.forms[1] if blank.forms else "…")
    return re.sub(r"…(?:\s*…)+", "…", re.sub(r"[ \t\n]+", " ", re.sub(r",? *\(…\)|, *…", "", shown)).strip())


def stem(phrase: Phrase) -> str:
    """The text before the first placeholder."""
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
    """Patterns of a language: known verbs at the start of a text, known verbs after “and”, and unknown words after “and” that may be verbs."""

    first: re.Pattern[str]
    joined: re.Pattern[str]
    doubtful: re.Pattern[str]


def to_third_person(phrase: Phrase, lang: str) -> Phrase | None:
    """Put the words of a move into the third person: `play J♠` → `plays J♠`. None if the language does not know all verbs."""
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
    """Does a text begin with a verb in the third person, as in `shows the hand`?"""
    return lang in LANGUAGES and _does(lang).match(text) is not None


@cache
def _does(lang: str) -> re.Pattern[str]:
    return re.compile(rf"{any_of(forms_of(lang).values())}(?!\S)")


@cache
def forms_of(lang: str) -> dict[str, str]:
    """The verbs of a language with their third person."""
    return dict(line.split(" = ") for line in _PRESENT[lang].splitlines())


def own_forms(lang: str) -> dict[str, str]:
    """The verbs of moves by each form in which somebody may write them: first person, third person, or as moves have it."""
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


def reword_empty(text: str, lang: str) -> str:
    """Reword a move that takes nothing, where a language does not put that behind the verb: `ne rien garder`."""
    said = _without(lang if lang in LANGUAGES else FALLBACK)
    return re.sub(rf"(?<!\S){any_of(said)}$", lambda found: said[found[0]], text) if said else text


@cache
def _without(lang: str) -> dict[str, str]:
    return dict(line.split(" = ") for line in _WITHOUT[lang].splitlines())


def count_noun(number: int, noun: str, lang: str) -> str | None:
    """A number of things: `a card`, `3 cards`. None if the language does not know the noun."""
    forms = _nouns(lang if lang in LANGUAGES else FALLBACK).get(noun)
    return None if forms is None else forms[0] if number == 1 else f"{format_integer(number, lang)} {forms[1]}"


@cache
def _nouns(lang: str) -> dict[str, tuple[str, str]]:
    """Singular and plural of the known nouns."""
    found = (line.split(" = ") for line in _NUMBERED[lang].splitlines())
    return {noun: (one, several) for noun, forms in found for one, several in [forms.split(" | ")]}


def any_of(words: Iterable[str]) -> str:
    """A pattern of these words, the longest first."""
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})"
