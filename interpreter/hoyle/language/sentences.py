"""The interpreter's own sentences in every language, and how languages write numbers, lists and spaces.

Each language is a file beside this module (`en.json`) with sentences by key. Messages of diagnostics are in `problems`, which are read
only when one is shown. The command line has catalogues of its own.
"""

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
"""Messages of diagnostics: a folder for each room that reports them, and one for shared ones."""
LANGUAGES = tuple(sorted(path.stem for path in _HERE.glob("*.json")))
FALLBACK = "en"
"""The language of sentences that are not translated."""


class Sentence:
    """A sentence by language."""

    def __init__(self, key: str) -> None:
        self.key = key

    def __getitem__(self, lang: str) -> str:
        return catalogue(_HERE, lang if lang in LANGUAGES else FALLBACK)[self.key]


def filled(sentence: str, lang: str, values: Mapping[str, object]) -> str:
    """Fill the `{places}` of a sentence. `{n:card|cards}` is `card` or `cards` by the number n, of several numbers (`2..4`) by the last."""
    return sentence.format(**{name: _Filling(value, lang) for name, value in values.items()})


def form_for(number: object, forms: tuple[str, str], lang: str) -> str:
    """Choose between singular and plural for a number."""
    return format(_Filling(number, lang), "|".join(forms))


class _Filling:
    """A value in a place of a sentence."""

    def __init__(self, value: object, lang: str) -> None:
        self._value, self._lang = value, lang

    def __format__(self, how: str) -> str:
        one, bar, many = how.partition("|")
        return (one if self._is_one() else many) if bar else format(self._value, how)

    def _is_one(self) -> bool:
        """Does the number take the singular? French has `1,5 joueur`, English `1.5 players`."""
        numbers = re.findall(r"\d+(?:[.,]\d+)?", str(self._value))
        return bool(numbers) and re.fullmatch(Sentence("number.singular")[self._lang], numbers[-1]) is not None


class _InEach(Mapping[str, str]):
    """A text by language, computed when it is read."""

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
    """A text in every language, computed by a function of the language. A `partial` of a module's function can be pickled."""
    return Said(tell(FALLBACK), _InEach(tell))


def said(key: str, /, **values: object) -> Said:
    """The message KEY of `problems` in every language, filled with values, which may be localized texts themselves."""
    return in_each(partial(_said, PROBLEMS, key, _kept(values)))


def in_all(key: str, /, **values: object) -> Said:
    """The sentence of a key in every language, filled with values, which may be localized texts themselves."""
    return in_each(partial(_said, _HERE, key, _kept(values)))


def _kept(values: Mapping[str, object]) -> dict[str, str | int]:
    """The values as they are now; other languages are computed later."""
    return {name: value if isinstance(value, str | int) else str(value) for name, value in values.items()}


def _said(place: Path, key: str, values: Mapping[str, str | int], lang: str) -> str:
    sentence = (problems(lang) if place == PROBLEMS else catalogue(place, lang))[key]
    return filled(sentence, lang, {n: _valued(v, lang) for n, v in values.items()}) if values else sentence


@cache
def problems(lang: str) -> dict[str, str]:
    """The messages of all rooms."""
    rooms = sorted(place for place in PROBLEMS.iterdir() if place.is_dir())
    return {key: text for room in rooms for key, text in catalogue(room, lang).items()}


def _valued(value: str | int, lang: str) -> str | int:
    return told(value, lang) if isinstance(value, str) else value


def in_row(items: Iterable[str], between: str = ", ") -> Said:
    """Join texts with a separator: `a, b, c`. Both may be localized."""
    return in_each(partial(_in_row, tuple(items), between))


def _in_row(items: Sequence[str], between: str, lang: str) -> str:
    return told(between, lang).join(told(item, lang) for item in items)


def either_of(items: Iterable[str]) -> Said:
    """Join alternatives: `a, b or c`."""
    return in_each(partial(_ending, "or", tuple(items)))


def both_of(items: Iterable[str]) -> Said:
    """Join texts: `a, b and c`."""
    return in_each(partial(_ending, "and", tuple(items)))


def nothing_of(items: Iterable[str]) -> Said:
    """Join negatives: `a and no b`."""
    return in_row(items, said("between.nor"))


def _ending(key: str, items: Sequence[str], lang: str) -> str:
    before, last = _in_row(items[:-1], ", ", lang), told(items[-1], lang) if items else ""
    return _said(PROBLEMS, key, {"before": before, "last": last}, lang) if before else last


def system_said(error: Exception) -> Said:
    """The reason of an OSError, translated where languages know it."""
    name = errno.errorcode.get(getattr(error, "errno", None) or 0, "")
    texts = {lang: known for lang in LANGUAGES if (known := catalogue(_HERE, lang).get(f"errno.{name}"))}
    return Said(texts[FALLBACK], texts) if texts else verbatim(getattr(error, "strerror", None) or str(error))


def typeset(text: str, lang: str) -> str:
    """Replace blanks by unbreakable spaces where the language needs them, except in backquotes. The length stays the same."""
    unbroken = _unbroken(lang)
    return unbroken.sub(lambda found: _SPACES.get(found.lastgroup or "", found[0]), text) if unbroken else text


_SPACES = {"wide": "\u00a0", "narrow": "\u202f"}


@lru_cache
def _unbroken(lang: str) -> re.Pattern[str] | None:
    """A pattern of the blanks to replace; None for a language without any."""
    rules = _read(_HERE, lang)["typography"] if lang in LANGUAGES else {}
    spaces = [f"(?P<{sort}>{rules[sort]})" for sort in _SPACES if rules.get(sort)]
    return re.compile("|".join(["`[^`]*`", *spaces])) if spaces else None


def figure(value: float, lang: str, digits: int = 0, signed: bool = False) -> str:
    """Format a number with the language's separators. A number that rounds to zero has no sign."""
    rounded = f"{round(value, digits) + 0.0:{'+' if signed else ''},.{digits}f}"
    marks = {
        ",": Sentence("number.thousands")[lang],
        ".": Sentence("number.decimal")[lang],
        "-": Sentence("number.minus")[lang],
    }
    return "".join(marks.get(c, c) for c in rounded)


def in_figures(value: int) -> Said:
    """A whole number with the separators of each language."""
    return in_each(partial(_in_figures, value))


def _in_figures(value: int, lang: str) -> str:
    return f"{value:,}".replace("-", Sentence("number.minus")[lang]).replace(",", Sentence("number.thousands")[lang])


def integer(value: int, lang: str, signed: bool = False) -> str:
    """Format a whole number with the language's minus, without separators."""
    return f"{value:{'+' if signed else ''}d}".replace("-", Sentence("number.minus")[lang])


def listed(names: Sequence[str], lang: str) -> str:
    """Join names: `A, B and C`."""
    return (
        Sentence("list.and")[lang].format(before=", ".join(names[:-1]), last=names[-1])
        if len(names) > 1
        else "".join(names)
    )


@cache
def catalogue(folder: Path, lang: str) -> dict[str, str]:
    """All sentences of a folder in a language, by dotted keys: `event.chosen` is `chosen` in `event`."""
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
