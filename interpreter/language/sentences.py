"""The languages there are, and what the interpreter itself says in them. Each language is a file beside this one, `en.json`, with its
sentences by key, one of several lines as a list of them; the command line has one of the same name for its own."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

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


@cache
def catalogue(folder: Path, lang: str) -> dict[str, str]:
    """All sentences of a language in a folder: `event.chosen` is `chosen` in `event`."""
    return dict(_flat(json.loads((folder / f"{lang}.json").read_text(encoding="utf-8"))))


def _flat(table: Mapping[str, Any], above: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in table.items():
        key = f"{above}{name}"
        text = "\n".join(value) if isinstance(value, list) else str(value)
        found += _flat(value, f"{key}.") if isinstance(value, dict) else [(key, text)]
    return found
