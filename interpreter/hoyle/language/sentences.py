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

from hoyle.diagnostics import LocalizedText, localize, verbatim

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
        return load_catalogue(_HERE, lang if lang in LANGUAGES else FALLBACK)[self.key]


def fill_sentence(sentence: str, lang: str, values: Mapping[str, object]) -> str:
    """Fill the `{places}` of a sentence. `{n:card|cards}` is `card` or `cards` by the number n, of several numbers (`2..4`) by the last."""
    return sentence.format(**{name: _Filling(value, lang) for name, value in values.items()})


def choose_form(number: object, forms: tuple[str, str], lang: str) -> str:
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


class _LazyTexts(Mapping[str, str]):
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


def make_localized(tell: Callable[[str], str]) -> LocalizedText:
    """A text in every language, computed by a function of the language. A `partial` of a module's function can be pickled."""
    return LocalizedText(tell(FALLBACK), _LazyTexts(tell))


def make_message(key: str, /, **values: object) -> LocalizedText:
    """The message KEY of `problems` in every language, filled with values, which may be localized texts themselves."""
    return make_localized(partial(_fill_message, PROBLEMS, key, _freeze_values(values)))


def make_sentence(key: str, /, **values: object) -> LocalizedText:
    """The sentence of a key in every language, filled with values, which may be localized texts themselves."""
    return make_localized(partial(_fill_message, _HERE, key, _freeze_values(values)))


def _freeze_values(values: Mapping[str, object]) -> dict[str, str | int]:
    """The values as they are now; other languages are computed later."""
    return {name: value if isinstance(value, str | int) else str(value) for name, value in values.items()}


def _fill_message(place: Path, key: str, values: Mapping[str, str | int], lang: str) -> str:
    sentence = (load_messages(lang) if place == PROBLEMS else load_catalogue(place, lang))[key]
    return (
        fill_sentence(sentence, lang, {n: _localize_value(v, lang) for n, v in values.items()}) if values else sentence
    )


@cache
def load_messages(lang: str) -> dict[str, str]:
    """The messages of all rooms."""
    rooms = sorted(place for place in PROBLEMS.iterdir() if place.is_dir())
    return {key: text for room in rooms for key, text in load_catalogue(room, lang).items()}


def _localize_value(value: str | int, lang: str) -> str | int:
    return localize(value, lang) if isinstance(value, str) else value


def join_row(items: Iterable[str], between: str = ", ") -> LocalizedText:
    """Join texts with a separator: `a, b, c`. Both may be localized."""
    return make_localized(partial(_join_row, tuple(items), between))


def _join_row(items: Sequence[str], between: str, lang: str) -> str:
    return localize(between, lang).join(localize(item, lang) for item in items)


def join_alternatives(items: Iterable[str]) -> LocalizedText:
    """Join alternatives: `a, b or c`."""
    return make_localized(partial(_join_with, "or", tuple(items)))


def join_all(items: Iterable[str]) -> LocalizedText:
    """Join texts: `a, b and c`."""
    return make_localized(partial(_join_with, "and", tuple(items)))


def join_negatives(items: Iterable[str]) -> LocalizedText:
    """Join negatives: `a and no b`."""
    return join_row(items, make_message("between.nor"))


def _join_with(key: str, items: Sequence[str], lang: str) -> str:
    before, last = _join_row(items[:-1], ", ", lang), localize(items[-1], lang) if items else ""
    return _fill_message(PROBLEMS, key, {"before": before, "last": last}, lang) if before else last


def describe_os_error(error: Exception) -> LocalizedText:
    """The reason of an OSError, translated where languages know it."""
    name = errno.errorcode.get(getattr(error, "errno", None) or 0, "")
    texts = {lang: known for lang in LANGUAGES if (known := load_catalogue(_HERE, lang).get(f"errno.{name}"))}
    return LocalizedText(texts[FALLBACK], texts) if texts else verbatim(getattr(error, "strerror", None) or str(error))


def typeset(text: str, lang: str) -> str:
    """Replace blanks by unbreakable spaces where the language needs them, except in backquotes. The length stays the same."""
    unbroken = _compile_unbroken(lang)
    return unbroken.sub(lambda found: _SPACES.get(found.lastgroup or "", found[0]), text) if unbroken else text


_SPACES = {"wide": "\u00a0", "narrow": "\u202f"}


@lru_cache
def _compile_unbroken(lang: str) -> re.Pattern[str] | None:
    """A pattern of the blanks to replace; None for a language without any."""
    rules = _read(_HERE, lang)["typography"] if lang in LANGUAGES else {}
    spaces = [f"(?P<{sort}>{rules[sort]})" for sort in _SPACES if rules.get(sort)]
    return re.compile("|".join(["`[^`]*`", *spaces])) if spaces else None


def format_figure(value: float, lang: str, digits: int = 0, signed: bool = False) -> str:
    """Format a number with the language's separators. A number that rounds to zero has no sign."""
    rounded = f"{round(value, digits) + 0.0:{'+' if signed else ''},.{digits}f}"
    marks = {
        ",": Sentence("number.thousands")[lang],
        ".": Sentence("number.decimal")[lang],
        "-": Sentence("number.minus")[lang],
    }
    return "".join(marks.get(c, c) for c in rounded)


def localize_integer(value: int) -> LocalizedText:
    """A whole number with the separators of each language."""
    return make_localized(partial(_format_with_separators, value))


def _format_with_separators(value: int, lang: str) -> str:
    return f"{value:,}".replace("-", Sentence("number.minus")[lang]).replace(",", Sentence("number.thousands")[lang])


def format_integer(value: int, lang: str, signed: bool = False) -> str:
    """Format a whole number with the language's minus, without separators."""
    return f"{value:{'+' if signed else ''}d}".replace("-", Sentence("number.minus")[lang])


def join_names(names: Sequence[str], lang: str) -> str:
    """Join names: `A, B and C`."""
    return (
        Sentence("list.and")[lang].format(before=", ".join(names[:-1]), last=names[-1])
        if len(names) > 1
        else "".join(names)
    )


@cache
def load_catalogue(folder: Path, lang: str) -> dict[str, str]:
    """All sentences of a folder in a language, by dotted keys: `event.chosen` is `chosen` in `event`."""
    return {key: typeset(text, lang) for key, text in _flatten(_read(folder, lang))}


def _read(folder: Path, lang: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / f"{lang}.json").read_text(encoding="utf-8"))
    return found


def _flatten(table: Mapping[str, Any], above: str = "") -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in table.items():
        key = f"{above}{name}"
        text = "\n".join(value) if isinstance(value, list) else str(value)
        found += _flatten(value, f"{key}.") if isinstance(value, dict) else [(key, text)]
    return found
