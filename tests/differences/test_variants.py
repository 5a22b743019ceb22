"""Every shipped variant beside what it extends: the keys of its differences are in `variants`, and some are in words in `words`.

After a wanted change, run with UPDATE_GOLDEN=1 and read the difference.
"""

import os
import random
import re
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from english import foreign
from games import originals
from test_differences import pairs, parents, shipped
from tiers import in_tiers

from hoyle.differences.change_sentences import describe_change
from hoyle.differences.changes import Change
from hoyle.differences.detection import find_changes
from hoyle.differences.outline import is_told
from hoyle.differences.report import data, lines, page, report
from hoyle.differences.wording import key_word, say
from hoyle.language.sentences import LANGUAGES
from hoyle.reading.grammar import grammar

HERE = Path(__file__).parent / "variants"
WORDS = Path(__file__).parent / "words"
IN_WORDS = {"grabuge-short": "grabuge", "barbu-ammoun": "barbu-contre", "oklahoma-gin": "gin-rummy"}
"""Variants whose differences are also kept in words, each with its parent."""


def key(change: Change) -> str:
    """A change as one line: what it is, what of it differs, and what comes of it."""
    inner = [(name, c) for name in ("follows", "helpers", "also") for c in getattr(change, name)]
    return "; ".join(
        [
            f"{change.kind} {change.section} {'/'.join(change.path)}{'' if change.in_force else ' (dormant)'}",
            *(f"{detail.kind} {'/'.join(detail.path)}" for detail in change.details),
            *(f"{name} {key(c)}" for name, c in inner),
        ]
    )


def in_words(a: str, b: str) -> str:
    """In all languages, without the numbers of lines, which change with every edit of a ruleset."""
    found = [lines(report(shipped(a), shipped(b), lang), 100) for lang in LANGUAGES]
    return re.sub(r"(?<=\.yaml):\d+(?:, \d+)*", "", "\n\n".join("\n".join(some) for some in found)) + "\n"


def kept(place: Path, text: str) -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        place.write_text(text, encoding="utf-8")
    assert text == place.read_text(encoding="utf-8")


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(parents(), whole=["grabuge-short"]))
def test_a_variant_has_these_differences(name: str) -> None:
    kept(HERE / f"{name}.txt", "".join(f"{key(c)}\n" for c in find_changes(shipped(parents()[name]), shipped(name))))


@pytest.mark.whole
@pytest.mark.parametrize("name", in_tiers(IN_WORDS, whole=["grabuge-short"]))
def test_a_variant_is_compared_in_words(name: str) -> None:
    kept(WORDS / f"{name}.txt", in_words(IN_WORDS[name], name))


def strangers() -> list[tuple[str, str]]:
    """Games that have nothing to do with each other, so that everything in one is new, gone or of another shape."""
    every = [*permutations(originals(), 2)]
    return [("freecell", "spider"), ("backgammon", "jacquet"), *random.Random(1).sample(every, 10)]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("oklahoma-gin", "gin-rummy"),
        *(pytest.param(*pair, marks=pytest.mark.slow) for pair in random.Random(2).sample(pairs(), 25)),
    ],
)
def test_variants_are_compared_without_formulas_and_in_one_language(a: str, b: str) -> None:
    for lang in LANGUAGES:
        told = [describe_change(c, lang) for c in report(shipped(a), shipped(b), lang).changes if c.section != "source"]
        assert [text for text in told if "`" in text or foreign(text, lang)] == []
        assert [text for text in told if "  " in text or say("otherwise", lang) in text] == []


@pytest.mark.slow
@pytest.mark.parametrize(("a", "b"), strangers())
def test_any_two_games_can_be_told(a: str, b: str) -> None:
    for lang in LANGUAGES:
        found = report(shipped(a), shipped(b), lang)
        assert [text for change in found.changes if "`" in (text := describe_change(change, lang))] == []
        assert all(len(describe_change(change, lang)) > 1 for change in found.changes)
        assert len(list(lines(found, 80))) > len(found.changes)
        assert page(found).count("<article") == len(data(found)["changes"]) == len(found.changes)


def test_nothing_is_kept_of_what_is_not_there() -> None:
    assert {place.stem for place in HERE.iterdir()} == {*parents()}


def test_every_key_has_a_name_in_words() -> None:
    entries = "players option table row piece pile state_entry move obligation step whenever_entry display_entry result"
    keys = {key for name in entries.split() for key in _keys(grammar()["definitions"][name])}
    words = {key for key in keys if not is_told(key, ("moves", "x"))}
    for lang in LANGUAGES:
        assert {key for key in words if not key_word(key, lang)} == set()


def _keys(schema: dict[str, Any]) -> set[str]:
    inner = [part for word in ("allOf", "anyOf", "oneOf") for part in schema.get(word, ())]
    return {*schema.get("properties", {})}.union(*map(_keys, inner))
