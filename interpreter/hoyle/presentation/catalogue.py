"""What the command line says, in English or French: sentences looked up by key in `en.json` and `fr.json`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING

from hoyle.diagnostics import told
from hoyle.language import sentences
from hoyle.language.sentences import FALLBACK, LANGUAGES, Sentence, catalogue, filled, system_said
from hoyle.printable import printable

if TYPE_CHECKING:
    from hoyle.series.measures import Measure


_HERE = Path(__file__).resolve().parent
_chosen = FALLBACK
_asked = False
_spoken: ContextVar[str | None] = ContextVar("spoken", default=None)
"""What is spoken for now, to somebody who may have chosen another language than whoever started the program."""


def choose(arguments: Sequence[str], environment: Mapping[str, str] = os.environ) -> str:
    """The language of `--lang` anywhere on the line, else of the locale, else English; it is used from now on. In one that is not there
    nothing can be said, so that what is wrong with it is said in that of the locale."""
    global _chosen, _asked
    _asked = _option(arguments) in LANGUAGES
    _chosen = next((x for x in (_option(arguments), _locale(environment)) if x in LANGUAGES), FALLBACK)
    return _chosen


def remember(known: object) -> None:
    """The language that something was said in before goes on, unless `--lang` asks for another."""
    global _chosen
    if not _asked and isinstance(known, str) and known in LANGUAGES:
        _chosen = known


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """All that is said inside is said in this language, by this thread alone."""
    before = _spoken.set(language if language in LANGUAGES else FALLBACK)
    try:
        yield
    finally:
        _spoken.reset(before)


def asked_language() -> str:
    """The language of `--lang`; empty if nobody asked for one."""
    return _chosen if _asked else ""


def lang() -> str:
    return _spoken.get() or _chosen


def t(key: str, **values: object) -> str:
    """The sentence `key` in the language chosen, with its `{places}` filled."""
    sentence = catalogue(_HERE, lang())[key]
    return filled(sentence, lang(), {name: _shown(value) for name, value in values.items()}) if values else sentence


def system_words(error: Exception) -> str:
    """Why a file could not be used, in the language chosen."""
    return told(system_said(error), _chosen)


def both(*sentences: str) -> str:
    """Sentences that belong together, as one."""
    return t("run.and").join(sentences)


def has(key: str) -> bool:
    return key in catalogue(_HERE, lang())


def known_as(group: str) -> dict[str, str]:
    """What the names of a group are called in any language, and so may be given as → the name."""
    found = [
        (said, key.removeprefix(f"{group}.")) for lang in LANGUAGES for key, said in catalogue(_HERE, lang).items()
    ]
    return {said: name for said, name in found if "." not in name and has(f"{group}.{name}")}


def typed(name: str) -> str:
    """A name or a formula that is typed as it stands: marked where the words around it are not in the language of its letters."""
    return name if lang() == FALLBACK else f"`{name}`"


def listed(key: str) -> list[str]:
    """The lines of a sentence that is a list, such as the examples of a command."""
    return t(key).splitlines() if has(key) else []


def _shown(value: object) -> object:
    if isinstance(value, float):
        return str(value).replace(".", Sentence("number.decimal")[_chosen])
    return value if isinstance(value, int) else printable(str(value))


def _option(arguments: Sequence[str]) -> str:
    found = ""
    for word, following in zip(arguments, [*arguments[1:], ""], strict=False):
        if word == "--":
            break
        if word == "--lang":
            found = following
        elif word.startswith("--lang="):
            found = word.removeprefix("--lang=")
    return found


def _locale(environment: Mapping[str, str]) -> str:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if environment.get(name):
            return environment[name][:2].lower()
    return ""


class UserError(Exception):
    """Something that stops a command, in the user's language. Code 1: in what was given; 2: in how it was asked."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


def percent(m: Measure) -> tuple[str, str]:
    return of_hundred(m.mean), f" [{figure(100 * m.low, 1)} – {figure(100 * m.high, 1)}]"


def in_figures(m: Measure) -> tuple[str, str]:
    return figure(m.mean), f" [{figure(m.low)} – {figure(m.high)}]"


def of_hundred(share: float, digits: int = 1) -> str:
    return t("figure.percent", percent=figure(100 * share, digits))


def figure(value: float, digits: int = 2, signed: bool = False) -> str:
    """As it is written in the user's language; what is nothing then has no minus."""
    return sentences.figure(value, lang(), digits, signed)


def within(error: float) -> str:
    """How far a figure may be off: never said to be nothing where it was found by trying."""
    return figure(max(0.1, error), 1)
