"""Build sentences and nouns of a language from the catalogues beside this module."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from hoyle.language.sentences import FALLBACK, LANGUAGES, Sentence, fill_sentence, load_catalogue

_HERE = Path(__file__).parent
_SMALL = ("the", "a", "this", "none", "these", "first", "last", "which", "which_all")
Rewriting = tuple[tuple[re.Pattern[str], str], ...]


def say(key: str, lang: str, /, **values: object) -> str:
    """Fill the sentence of a key.

    Keys that begin with `word.` are in the catalogue of the vocabulary, others in that of this room.
    """
    sentence = Sentence(key)[lang] if key.startswith("word.") else _load_sentences(lang)[key]
    return smooth(fill_sentence(sentence, lang, values), lang)


def join_list(items: Sequence[str], lang: str, how: str = "and") -> str:
    """Join items: `A, B and C`; `how` selects another conjunction such as `or`."""
    if len(items) < 2:
        return "".join(items)
    comma = _load_sentences(lang)["list.comma_of" if how.endswith("of") else "list.comma"]
    return say(f"list.{how}", lang, before=comma.join(items[:-1]), last=items[-1])


def smooth(text: str, lang: str) -> str:
    """Contract adjacent words as the language requires: `de le talon` becomes `du talon`."""
    for pattern, instead in _load_rewriting("smooth", lang):
        text = pattern.sub(instead, text)
    return text


def capitalize(text: str) -> str:
    """Capitalise the first letter, even after a bracket or quotation mark."""
    return re.sub(r"^(\W*)(\w)", lambda found: found[1] + found[2].upper(), text, count=1)


def strip_full_stop(text: str) -> str:
    """Remove a full stop at the end."""
    return text[:-1] if text.endswith(".") else text


# ---- nouns -----------------------------------------------------------------------------------------------------------


def add_the(noun: str, lang: str) -> str:
    return _fill_noun("the_many" if is_several(noun, lang) else "the", noun, lang)


def add_a(noun: str, lang: str) -> str:
    return _fill_noun("a", noun, lang).strip()


def add_this(noun: str, lang: str) -> str:
    return _fill_noun("this_many" if is_several(noun, lang) else "this", noun, lang)


def add_other(noun: str, lang: str) -> str:
    return _fill_noun("other", noun, lang)


def find_articles(noun: str, lang: str) -> dict[str, str]:
    """Return the articles and similar words of a noun, by their placeholder in sentences."""
    sort = "many" if is_several(noun, lang) else "feminine" if is_feminine(noun, lang) else "masculine"
    return {word: _load_sentences(lang).get(f"articles.{word}.{sort}", "") for word in _SMALL}


def pluralize(noun: str, lang: str) -> str:
    """Return the plural of a noun phrase; only its head word changes."""
    return _inflect("noun.plural", noun, lang)


def singularize(noun: str, lang: str) -> str:
    return _inflect("noun.singular", noun, lang)


def is_feminine(noun: str, lang: str) -> bool:
    return _compile_pattern("noun.feminine", lang).match(noun) is not None


def is_several(noun: str, lang: str) -> bool:
    return _compile_pattern("noun.several", lang).match(noun) is not None


def is_clausal(label: str, lang: str) -> bool:
    """Return whether a label is a predicate like `has passed`, which takes no article."""
    return re.search(_load_sentences(lang)["noun.clausal"], label) is not None


def add_the_or_quote(label: str, lang: str) -> str:
    """Return a label with its article, or in quotation marks if it is no noun."""
    return quote(label, lang) if is_clausal(label, lang) else add_the(label, lang)


def quote(label: str, lang: str) -> str:
    return say("quoted", lang, label=label)


def _fill_noun(form: str, noun: str, lang: str) -> str:
    return say(f"noun.{form}", lang, noun=noun, **find_articles(noun, lang))


def _inflect(key: str, noun: str, lang: str) -> str:
    behind = _compile_pattern("noun.behind", lang).search(noun)
    end = behind.start() if behind is not None else len(noun)
    for pattern, instead in _load_rewriting(key, lang):
        if pattern.search(noun[:end]):
            return pattern.sub(instead, noun[:end]) + noun[end:]
    return noun


@cache
def _compile_pattern(key: str, lang: str) -> re.Pattern[str]:
    return re.compile(_load_sentences(lang)[key])


@cache
def _load_rewriting(key: str, lang: str) -> Rewriting:
    lines = (line.split(" => ") for line in _load_sentences(lang)[key].split("\n"))
    return tuple((re.compile(pattern), instead) for pattern, instead in lines)


def _load_sentences(lang: str) -> dict[str, str]:
    return load_catalogue(_HERE, lang if lang in LANGUAGES else FALLBACK)
