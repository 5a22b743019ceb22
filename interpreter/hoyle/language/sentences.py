"""The languages there are, and what the interpreter itself says in them. Each language is a file beside this one, `en.json`, with its
sentences by key, one of several lines as a list of them; problems are told by those in `problems`, which are read when there is something
to tell, and the command line has one of the same name for its own."""

from __future__ import annotations

import errno
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

from hoyle.diagnostics import Said, told, verbatim

_HERE = Path(__file__).parent
PROBLEMS = _HERE / "problems"
"""Where the sentences are by which problems are told: a folder for each room that finds them, and one for what they share."""
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


class _InEach(Mapping[str, str]):
    """What is said in each language, worked out when somebody asks for it in that."""

    def __init__(self, tell: Callable[[str], str]) -> None:
        self._tell = tell

    def __getitem__(self, lang: str) -> str:
        if lang not in LANGUAGES:
            raise KeyError(lang)
        return self._tell(lang)

    def __iter__(self) -> Iterator[str]:
        return iter(LANGUAGES)

    def __len__(self) -> int:
        return len(LANGUAGES)


def in_each(tell: Callable[[str], str]) -> Said:
    """What a function says of a language, in all of them. (A `partial` of a module's function goes to other processes.)"""
    return Said(tell(FALLBACK), _InEach(tell))


def said(key: str, /, **values: object) -> Said:
    """What a problem is told with, in all languages: the sentence `KEY` of `problems`. Values may be such sentences themselves."""
    return in_each(partial(_said, PROBLEMS, key, _kept(values)))


def in_all(key: str, /, **values: object) -> Said:
    """The sentence of a key in all languages, its places filled. Values may be such sentences themselves."""
    return in_each(partial(_said, _HERE, key, _kept(values)))


def _kept(values: Mapping[str, object]) -> dict[str, str | int]:
    """As they are now: other languages are asked for later."""
    return {name: value if isinstance(value, str | int) else str(value) for name, value in values.items()}


def _said(place: Path, key: str, values: Mapping[str, str | int], lang: str) -> str:
    sentence = (problems(lang) if place == PROBLEMS else catalogue(place, lang))[key]
    return filled(sentence, lang, {n: _valued(v, lang) for n, v in values.items()}) if values else sentence


@cache
def problems(lang: str) -> dict[str, str]:
    """All sentences by which problems are told, those of every room."""
    rooms = sorted(place for place in PROBLEMS.iterdir() if place.is_dir())
    return {key: text for room in rooms for key, text in catalogue(room, lang).items()}


def _valued(value: str | int, lang: str) -> str | int:
    return told(value, lang) if isinstance(value, str) else value


def in_row(items: Iterable[str], between: str = ", ") -> Said:
    """One after the other: `a, b, c`. What stands between them may be a sentence itself."""
    return in_each(partial(_in_row, tuple(items), between))


def _in_row(items: Sequence[str], between: str, lang: str) -> str:
    return told(between, lang).join(told(item, lang) for item in items)


def either_of(items: Iterable[str]) -> Said:
    """One of several: `a, b or c`."""
    return in_each(partial(_ending, "or", tuple(items)))


def both_of(items: Iterable[str]) -> Said:
    """All of several: `a, b and c`."""
    return in_each(partial(_ending, "and", tuple(items)))


def nothing_of(items: Iterable[str]) -> Said:
    """None of several: `a and no b`."""
    return in_row(items, said("between.nor"))


def _ending(key: str, items: Sequence[str], lang: str) -> str:
    before, last = _in_row(items[:-1], ", ", lang), told(items[-1], lang) if items else ""
    return _said(PROBLEMS, key, {"before": before, "last": last}, lang) if before else last


def system_said(error: Exception) -> Said:
    """Why a file could not be used, as the system has it; in the words of all languages where these have them."""
    name = errno.errorcode.get(getattr(error, "errno", None) or 0, "")
    texts = {lang: known for lang in LANGUAGES if (known := catalogue(_HERE, lang).get(f"errno.{name}"))}
    return Said(texts[FALLBACK], texts) if texts else verbatim(getattr(error, "strerror", None) or str(error))


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
    return in_each(partial(_in_figures, value))


def _in_figures(value: int, lang: str) -> str:
    return f"{value:,}".replace("-", Sentence("number.minus")[lang]).replace(",", Sentence("number.thousands")[lang])


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
