"""The languages there are, and what the interpreter itself says in them. Each language is a file beside this one, `en.json`, with its
sentences by key, one of several lines as a list of them; the command line has one of the same name for its own."""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from interpreter.diagnostics import Said, told

_HERE = Path(__file__).parent
LANGUAGES = tuple(sorted(path.stem for path in _HERE.glob("*.json")))
FALLBACK = "en"
"""The language in which everything is said that has no words in another."""


class Sentence:
    """What is said under a key, by language."""

    def __init__(self, key: str) -> None:
        self.key = key

    def __getitem__(self, lang: str) -> str:
        return catalogue(_HERE, lang if lang in LANGUAGES else FALLBACK)[self.key]


def filled(sentence: str, lang: str, values: Mapping[str, object]) -> str:
    """The sentence with its `{places}` filled. `{n:card|cards}` is `card` or `cards`, as the language has it for the number that `n` is;
    of several numbers (`2..4`) the last counts."""
    return sentence.format(**{name: _Filling(value, lang) for name, value in values.items()})


def form_for(number: object, forms: tuple[str, str], lang: str) -> str:
    """The one of two forms, for one and for many, that a language has for this number."""
    return format(_Filling(number, lang), "|".join(forms))


class _Filling:
    """What stands in a place of a sentence."""

    def __init__(self, value: object, lang: str) -> None:
        self._value, self._lang = value, lang

    def __format__(self, how: str) -> str:
        one, bar, many = how.partition("|")
        return (one if self._is_one() else many) if bar else format(self._value, how)

    def _is_one(self) -> bool:
        """Is the noun beside it in the singular? French has `1,5 joueur` where English has `1.5 players`."""
        numbers = re.findall(r"\d+(?:[.,]\d+)?", str(self._value))
        return bool(numbers) and re.fullmatch(Sentence("number.singular")[self._lang], numbers[-1]) is not None


def said(key: str, /, **values: object) -> Said:
    """What a problem is told with, in all languages: the sentence `problem.KEY`. Values may be such sentences themselves."""
    return in_all(f"problem.{key}", **values)


def in_all(key: str, /, **values: object) -> Said:
    """The sentence of a key in all languages, its places filled. Values may be such sentences themselves."""
    sentence = Sentence(key)
    texts = {
        lang: filled(sentence[lang], lang, {n: _valued(v, lang) for n, v in values.items()})
        if values
        else sentence[lang]
        for lang in LANGUAGES
    }
    return Said(texts[FALLBACK], texts)


def _valued(value: object, lang: str) -> object:
    return told(value, lang) if isinstance(value, str) else value


def system_said(error: Exception) -> str:
    """Why a file could not be used, as the system has it; in the words of all languages where these have them."""
    name = errno.errorcode.get(getattr(error, "errno", None) or 0, "")
    texts = {lang: known for lang in LANGUAGES if (known := catalogue(_HERE, lang).get(f"errno.{name}"))}
    return Said(texts[FALLBACK], texts) if texts else getattr(error, "strerror", None) or str(error)


def typeset(text: str, lang: str) -> str:
    """The text with the spaces where the language breaks no line; its writers write plain ones. What stands in backquotes is to be typed as
    it is. No character is added or taken, so that places in the text stay places in what was written."""
    unbroken = _unbroken(lang)
    return unbroken.sub(lambda found: _SPACES.get(found.lastgroup or "", found[0]), text) if unbroken else text


_SPACES = {"wide": "\u00a0", "narrow": "\u202f"}


@lru_cache
def _unbroken(lang: str) -> re.Pattern[str] | None:
    """What finds the spaces that hold together what stands beside them; None in a language without any."""
    rules = _read(_HERE, lang)["typography"] if lang in LANGUAGES else {}
    spaces = [f"(?P<{sort}>{rules[sort]})" for sort in _SPACES if rules.get(sort)]
    return re.compile("|".join(["`[^`]*`", *spaces])) if spaces else None


def figure(value: float, lang: str, digits: int = 0, signed: bool = False) -> str:
    """A number as the language writes it, with so many digits behind the point; what is nothing then has no minus."""
    rounded = f"{round(value, digits) + 0.0:{'+' if signed else ''},.{digits}f}"
    marks = {
        ",": Sentence("number.thousands")[lang],
        ".": Sentence("number.decimal")[lang],
        "-": Sentence("number.minus")[lang],
    }
    return "".join(marks.get(c, c) for c in rounded)


def in_figures(value: int) -> Said:
    """A whole number as every language writes it."""
    return Said(figure(value, FALLBACK), {lang: figure(value, lang) for lang in LANGUAGES})


def integer(value: int, lang: str, signed: bool = False) -> str:
    """A whole number with the minus of the language, to be read among words."""
    return f"{value:{'+' if signed else ''}d}".replace("-", Sentence("number.minus")[lang])


def listed(names: Sequence[str], lang: str) -> str:
    """Names one after the other: `A, B and C`."""
    return (
        Sentence("list.and")[lang].format(before=", ".join(names[:-1]), last=names[-1])
        if len(names) > 1
        else "".join(names)
    )


@cache
def catalogue(folder: Path, lang: str) -> dict[str, str]:
    """All sentences of a language in a folder: `event.chosen` is `chosen` in `event`."""
    return {key: typeset(text, lang) for key, text in _flat(_read(folder, lang))}


def _read(folder: Path, lang: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / f"{lang}.json").read_text(encoding="utf-8"))
    return found


def _flat(table: Mapping[str, Any], above: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in table.items():
        key = f"{above}{name}"
        text = "\n".join(value) if isinstance(value, list) else str(value)
        found += _flat(value, f"{key}.") if isinstance(value, dict) else [(key, text)]
    return found
