"""What the schema says to people: all of it in every language, and the schema else the same."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from english import small

from hoyle.language.sentences import FALLBACK, LANGUAGES
from hoyle.reading.grammar import schema_in, schema_text, schema_translations, translate_schema_text

OTHERS = [lang for lang in LANGUAGES if lang != FALLBACK]


def said(part: Any) -> Iterator[str]:
    """Titles and descriptions, of the schema and of whatever is in it."""
    if isinstance(part, dict):
        yield from (part[key] for key in ("title", "description") if isinstance(part.get(key), str))
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from said(inner)


def noted(part: Any) -> Iterator[str]:
    """What problems call things, and what helps."""
    if isinstance(part, dict):
        yield from (part[key] for key in ("x-noun", "x-expects", "x-help") if isinstance(part.get(key), str))
    for inner in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from noted(inner)


def bare(part: Any) -> Any:
    """Without titles and descriptions."""
    if isinstance(part, dict):
        return {k: bare(v) for k, v in part.items() if not (k in ("title", "description") and isinstance(v, str))}
    return [bare(item) for item in part] if isinstance(part, list) else part


def test_what_it_says_in_english_is_what_stands_in_it() -> None:
    assert schema_in(FALLBACK) == schema_in("xx") == schema_text()
    assert translate_schema_text("Who plays.", FALLBACK) == "Who plays."


@pytest.mark.whole
@pytest.mark.parametrize("lang", OTHERS)
def test_all_of_it_is_said_in_every_language(lang: str) -> None:
    english, words = json.loads(schema_text()), schema_translations(lang)
    assert list(words) == list(dict.fromkeys([*said(english), *noted(english)]))
    found = json.loads(schema_in(lang))
    assert bare(found) == bare(english)
    assert [*said(found)] == [translate_schema_text(text, lang) for text in said(english)]


@pytest.mark.parametrize("lang", OTHERS)
def test_it_is_said_in_words_of_the_language(lang: str) -> None:
    """And what is typed is the same."""
    for english, text in schema_translations(lang).items():
        assert text and small(text) == set(), english
        typed = [sorted(re.findall(r"`([^`{]+)`", one)) for one in (english, text)]
        assert typed[0] == typed[1], english
        assert text != english or " " not in text, english
