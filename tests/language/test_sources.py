"""Rules for the sources of the interpreter that no run can show: keys of sentences and of the schema, languages, names of games."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import hoyle
from hoyle.language.sentences import FALLBACK, LANGUAGES, load_messages
from hoyle.reading.grammar import schema_text
from hoyle.resources import shipped

PACKAGE = Path(hoyle.__file__).parent
STRING = r""""[^"\n]*"|'[^'\n]*'"""
KEY = re.compile(r"[a-z]\w*\.\w")

ASKING = ("make_message", "report", "LazySentence", "partial")
"""Functions that are given keys of sentences about problems."""


@cache
def texts() -> dict[str, str]:
    return {str(path.relative_to(PACKAGE)): path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py")}


@cache
def quoted() -> frozenset[str]:
    return frozenset(
        word for text in texts().values() for mark in "\"'" for word in re.findall(f"{mark}([^{mark}\n]*){mark}", text)
    )


def given_to(*functions: str) -> list[str]:
    """The strings that are given to functions, in each call up to the first parenthesis."""
    call = re.compile(rf"""\b(?:{"|".join(functions)})(?=\(((?:[^()"']|{STRING})*))""")
    return [word[1:-1] for text in texts().values() for part in call.findall(text) for word in re.findall(STRING, part)]


@pytest.mark.whole
def test_keys_of_sentences_about_problems_are_those_that_are_asked_for() -> None:
    known, asked = set(load_messages(FALLBACK)), {word for word in given_to(*ASKING) if KEY.match(word)}
    begun = {word.partition("{")[0] for word in given_to(*ASKING) if re.match(r"[a-z]\w*\.[\w.]*\{", word)}
    chosen = {key for key in known if key.startswith(tuple(begun))}
    assert known - quoted() - chosen == set()
    assert {word for word in asked if "{" not in word} - known == set()
    assert len(asked) > 300


@pytest.mark.whole
def test_text_for_every_language_has_no_words() -> None:
    """`verbatim` and `LocalizedText` are for names, code and numbers; a sentence needs a key."""
    found = [re.sub(r"`[^`]*`|\{[^{}]*\}", "", text) for text in given_to("verbatim", "LocalizedText")]
    assert [text for text in found if re.search(r"[^\W\d_]{2,} [^\W\d_]{2,}", text)] == []


def keys(part: Any) -> set[str]:
    own = set(part.get("properties", ())) if isinstance(part, dict) else set[str]()
    inside = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
    return own.union(*map(keys, inside))


KEYS = keys(json.loads(schema_text())) - set(LANGUAGES)
READ_WHOLE = {"publisher", "year"}
"""Keys of `source`, which is read as a whole."""


def test_every_key_of_the_schema_is_read() -> None:
    assert KEYS - quoted() == READ_WHOLE


def test_every_key_of_the_schema_is_documented() -> None:
    page = (PACKAGE.parents[1] / "docs" / "language.md").read_text(encoding="utf-8")
    told = set(re.findall(r"\w+", " ".join(re.findall(r"```.*?```|`[^`]*`", page, re.DOTALL))))
    assert KEYS - told == set()


GENERIC = {"black", "tables", "dice", "tricks", "french", "hearts", "spades", "numbered"}
"""Names of shipped rulesets that are ordinary words of the language or of any pack of cards."""


@pytest.mark.whole
def test_the_interpreter_names_no_game() -> None:
    games = {part for name in shipped() for part in (name.replace("-", "_"), name.split("-")[0])} - GENERIC
    words = {file: set(re.findall(r"\w+", text.lower())) for file, text in texts().items()}
    assert {file: found & games for file, found in words.items() if found & games} == {}
