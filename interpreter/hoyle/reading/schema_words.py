"""What the schema of rulesets says to people, in every language: its titles and descriptions, and what problems call things (`x-noun`,
`x-expects`, `x-help`).

Those of another language stand beside it, each by what it is in English.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache

from hoyle.language.sentences import FALLBACK, LANGUAGES, typeset
from hoyle.reading.shape import schema_text
from hoyle.resources import folder

_SAID = re.compile(r'("(?:title|description)": )("(?:[^"\\]|\\.)*")')


def schema_in(lang: str) -> str:
    """The schema as a text, with titles and descriptions in a language."""

    def said(found: re.Match[str]) -> str:
        return found[1] + json.dumps(said_in(json.loads(found[2]), lang), ensure_ascii=False)

    return _SAID.sub(said, schema_text())


def said_in(text: str, lang: str) -> str:
    """A title or a description of the schema in a language; as it is where that has no words for it."""
    known = words_in(lang)
    return typeset(known[text], lang) if text in known else text


@cache
def words_in(lang: str) -> Mapping[str, str]:
    """All that a language has words for: what the schema says → the same in the language."""
    if lang == FALLBACK or lang not in LANGUAGES:
        return {}
    return dict(json.loads((folder("grammar") / f"ruleset.schema.{lang}.json").read_text(encoding="utf-8")))
