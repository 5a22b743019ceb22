"""Sentences of the command line in the user's language, looked up by key in `en.json` and `fr.json`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from hoyle.diagnostics import localize
from hoyle.language import sentences
from hoyle.language.sentences import FALLBACK, LANGUAGES, Sentence, describe_os_error, fill_sentence, load_catalogue
from hoyle.printable import printable

if TYPE_CHECKING:
    from hoyle.series.measures import Measure


_HERE = Path(__file__).resolve().parent
_chosen = FALLBACK
_asked = False
_spoken: ContextVar[str | None] = ContextVar("spoken", default=None)
"""Language of the current thread or task, set by `use_language`."""


def choose_language(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> str:
    """Set the language: `--lang`, else the locale, else English. Unknown languages are skipped."""
    global _chosen, _asked
    _asked = _find_lang_option(arguments) in LANGUAGES
    _chosen = next((x for x in (_find_lang_option(arguments), _find_locale(environment)) if x in LANGUAGES), FALLBACK)
    return _chosen


def continue_language(known: object) -> None:
    """Switch to the language of a record unless `--lang` was given."""
    global _chosen
    if not _asked and isinstance(known, str) and known in LANGUAGES:
        _chosen = known


@contextmanager
def use_language(language: str) -> Iterator[None]:
    """Set the language of the current thread for the duration of a block."""
    before = _spoken.set(language if language in LANGUAGES else FALLBACK)
    try:
        yield
    finally:
        _spoken.reset(before)


def get_requested_language() -> str:
    """Return the language of `--lang`, or an empty string."""
    return _chosen if _asked else ""


def lang() -> str:
    return _spoken.get() or _chosen


def t(key: str, **values: object) -> str:
    """Return the sentence for a key, with its `{places}` filled."""
    sentence = load_catalogue(_HERE, lang())[key]
    return (
        fill_sentence(sentence, lang(), {name: _format_value(value) for name, value in values.items()})
        if values
        else sentence
    )


def describe_error(error: Exception) -> str:
    """Return the reason for an operating system error."""
    return localize(describe_os_error(error), _chosen)


def join_sentences(*sentences: str) -> str:
    """Join sentences that belong together."""
    return t("run.and").join(sentences)


def has_sentence(key: str) -> bool:
    return key in load_catalogue(_HERE, lang())


def find_translated_names(group: str) -> dict[str, str]:
    """Map the translations of a group's names in every language to these names."""
    found = [
        (said, key.removeprefix(f"{group}.")) for lang in LANGUAGES for key, said in load_catalogue(_HERE, lang).items()
    ]
    return {said: name for said, name in found if "." not in name and has_sentence(f"{group}.{name}")}


def quote_name(name: str) -> str:
    """Return a name or formula for display; it is quoted unless the language is English."""
    return name if lang() == FALLBACK else f"`{name}`"


def get_lines(key: str) -> list[str]:
    """Return the lines of a sentence that is a list, such as the examples of a command."""
    return t(key).splitlines() if has_sentence(key) else []


def _format_value(value: object) -> object:
    if isinstance(value, float):
        return str(value).replace(".", Sentence("number.decimal")[_chosen])
    return value if isinstance(value, int) else printable(str(value))


def _find_lang_option(arguments: Sequence[str]) -> str:
    found = ""
    for word, following in zip(arguments, [*arguments[1:], ""], strict=False):
        if word == "--":
            break
        if word == "--lang":
            found = following
        elif word.startswith("--lang="):
            found = word.removeprefix("--lang=")
    return found


def _find_locale(environment: Mapping[str, str]) -> str:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return environment[name][:2].lower()
    return ""


class UserError(Exception):
    """An error in the user's input, with a translated message. Exit code 1: wrong data; 2: wrong usage."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


def format_share(m: Measure) -> tuple[str, str]:
    """Return a share in percent, and its confidence interval."""
    return format_percent(m.mean), f" [{format_number(100 * m.low, 1)} – {format_number(100 * m.high, 1)}]"


def format_mean(m: Measure) -> tuple[str, str]:
    """Return a mean, and its confidence interval."""
    return format_number(m.mean), f" [{format_number(m.low)} – {format_number(m.high)}]"


def format_percent(share: float, digits: int = 1) -> str:
    return t("figure.percent", percent=format_number(100 * share, digits))


def format_number(value: float, digits: int = 2, signed: bool = False) -> str:
    """Format a number for the language. Zero has no minus sign."""
    return sentences.format_figure(value, lang(), digits, signed)


def format_error(error: float) -> str:
    """Format an estimated error; it is at least 0.1."""
    return format_number(max(0.1, error), 1)
