"""Words in another form: what somebody does, of what he may do (`play J♠` is `plays J♠` of another, `jouer V♠` is `joue V♠`), and things by their number
(`3 cards`). Verbs and nouns are data of each language; of others nothing is guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from msgspec import Struct

from hoyle.language.phrases import Phrase
from hoyle.language.sentences import FALLBACK, LANGUAGES, Sentence, integer

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
