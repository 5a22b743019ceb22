"""Every shipped variant beside what it extends, in all languages, as `hoyle diff` tells it: kept in `variants`, and read.

After a wanted change, run with UPDATE_GOLDEN=1 and read the difference.
"""

from __future__ import annotations

import os
import random
import re
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from games import originals
from test_differences import pairs, parents, shipped
from tiers import in_tiers, some_now
from wording import foreign

from interpreter.differences.outline import is_told
from interpreter.differences.page import page
from interpreter.differences.report import data, lines, report
from interpreter.differences.speech import say, word_for
from interpreter.differences.telling import sentence
from interpreter.language.sentences import LANGUAGES
from interpreter.reading.shape import grammar

HERE = Path(__file__).parent / "variants"
ABOVE = parents()
SAMPLE = ("barbu-ammoun", "grabuge-8", "grabuge-short", "oklahoma-gin")


def told(a: str, b: str) -> str:
    """In all languages. Which line it is changes with every edit of a ruleset, and is tried elsewhere."""
    found = [lines(report(shipped(a), shipped(b), lang), 100) for lang in LANGUAGES]
    return re.sub(r"(?<=\.yaml):\d+(?:, \d+)*", "", "\n\n".join("\n".join(some) for some in found)) + "\n"


def kept(name: str, text: str) -> None:
    place = HERE / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        place.write_text(text, encoding="utf-8")
    assert text == place.read_text(encoding="utf-8")


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(ABOVE, quick=("grabuge-8",), whole=SAMPLE))
def test_a_variant_is_told(name: str) -> None:
    kept(name, told(ABOVE[name], name))


@pytest.mark.whole
def test_two_variants_are_told_as_an_encyclopedia_would() -> None:
    kept("barbu-contre and barbu-ammoun", told("barbu-contre", "barbu-ammoun"))


def test_a_variant_that_only_sets_an_option_is_three_lines() -> None:
    assert len(list(lines(report(shipped("grabuge"), shipped("grabuge-8"), "en"), 80))) == 3


def strangers() -> list[tuple[str, str]]:
    """Games that have nothing to do with each other, so that everything in one is new, gone or of another shape."""
    every = [*permutations(originals(), 2)]
    return [("backgammon", "jacquet"), ("freecell", "spider"), *random.Random(1).sample(every, 40)]


@pytest.mark.parametrize(
    ("a", "b"), in_tiers(pairs(), quick=[("grabuge", "grabuge-8")], whole=[("barbu-ammoun", "barbu-contre")])
)
def test_a_family_is_told_in_words_alone(a: str, b: str) -> None:
    """No formula, no name that only authors know, and no English in another language; nothing that only says that something is otherwise."""
    for lang in LANGUAGES:
        told = [sentence(c, lang) for c in report(shipped(a), shipped(b), lang).changes if c.section != "source"]
        assert [text for text in told if "`" in text or foreign(text, lang)] == []
        assert [text for text in told if "  " in text or say("otherwise", lang) in text] == []


@pytest.mark.whole
@pytest.mark.parametrize(("a", "b"), some_now(strangers(), 2))
def test_any_two_games_can_be_told(a: str, b: str) -> None:
    for lang in LANGUAGES:
        found = report(shipped(a), shipped(b), lang)
        assert [text for change in found.changes if "`" in (text := sentence(change, lang))] == []
        assert all(len(sentence(change, lang)) > 1 for change in found.changes)
        assert len(list(lines(found, 80))) > len(found.changes)
        assert page(found).count("<article") == len(data(found)["changes"]) == len(found.changes)


def test_nothing_is_kept_of_what_is_not_there() -> None:
    assert {place.stem for place in HERE.iterdir()} == {*ABOVE, "barbu-contre and barbu-ammoun"}


def test_every_key_has_a_name_in_words() -> None:
    keys = {key for name in ENTRIES for key in _keys(grammar()["definitions"][name])}
    words = {key for key in keys if not is_told(key, ("moves", "x"))}
    for lang in LANGUAGES:
        assert {key for key in words if not word_for(key, lang)} == set()


ENTRIES = (
    "players",
    "option",
    "table",
    "row",
    "piece",
    "pile",
    "state_entry",
    "move",
    "obligation",
    "step",
    "whenever_entry",
    "display_entry",
    "result",
)


def _keys(schema: dict[str, Any]) -> set[str]:
    inner = [part for word in ("allOf", "anyOf", "oneOf") for part in schema.get(word, ())]
    return {*schema.get("properties", {})}.union(*map(_keys, inner))
