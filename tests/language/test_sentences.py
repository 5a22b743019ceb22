"""The languages: which there are is said by the files, and each says the same things."""

from __future__ import annotations

import ast
import json
import string
from pathlib import Path
from typing import Any

import pytest

from interpreter import load
from interpreter.language import sentences
from interpreter.language.sentences import FALLBACK, LANGUAGES, Sentence, catalogue
from interpreter.resources import folder

ROOMS = Path(sentences.__file__).parents[1]
FOLDERS = [ROOMS / "language", ROOMS / "cli"]


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("place", FOLDERS, ids=lambda place: place.name)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_says_the_same_things(place: Path, lang: str) -> None:
    here, there = catalogue(place, FALLBACK), catalogue(place, lang)
    assert list(here) == list(there)
    assert {key: places(here[key]) for key in here} == {key: places(there[key]) for key in there}


def test_the_same_languages_everywhere() -> None:
    assert FALLBACK in LANGUAGES
    for place in FOLDERS:
        assert sorted(path.stem for path in place.glob("*.toml")) == list(LANGUAGES)
    schema: dict[str, Any] = json.loads((folder("grammar") / "ruleset.schema.json").read_text(encoding="utf-8"))
    assert set(LANGUAGES) <= set(schema["definitions"]["words"]["properties"])


def test_no_other_place_says_which_there_are() -> None:
    for path in ROOMS.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Tuple | ast.List | ast.Set):
                words = [part.value for part in node.elts if isinstance(part, ast.Constant)]
                assert len({word for word in words if word in LANGUAGES}) < 2, path


def test_a_language_that_is_not_there_is_the_fallback() -> None:
    assert Sentence("value.yes")["xx"] == Sentence("value.yes")[FALLBACK]
    state = load("hearts").playout(1)
    assert [event.text("xx") for event in state.events] == [event.text(FALLBACK) for event in state.events]
