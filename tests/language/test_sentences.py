"""The languages: which there are is said by the files, and each says the same things."""

import json
import re
import string
from pathlib import Path
from typing import Any

import pytest
from english import small
from rules import read_cases

from hoyle import load
from hoyle.language import sentences
from hoyle.language.sentences import (
    FALLBACK,
    LANGUAGES,
    Sentence,
    fill_sentence,
    load_catalogue,
    load_messages,
    make_message,
)
from hoyle.resources import folder

CASES = read_cases("language/sentences")

ROOMS = Path(sentences.__file__).parents[1]
FOLDERS = sorted(path.parent for path in ROOMS.glob(f"*/{FALLBACK}.json"))


ARTICLES = {"the", "a", "this", "none", "these", "first", "last", "which", "which_all", "one"}
"""Places for the small words that go with a noun, where a language has several of them."""


EVERY = sorted(path.parent for path in ROOMS.rglob(f"{FALLBACK}.json"))
"""All folders with sentences, those about problems included."""


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name} if "{" in sentence else set()


@pytest.mark.parametrize("place", EVERY, ids=lambda place: f"{place.parent.name}-{place.name}")
def test_every_language_has_the_same_sentences_with_the_same_places(place: Path) -> None:
    spared = set() if "problems" in place.parts else ARTICLES
    english = load_catalogue(place, FALLBACK)
    for lang in LANGUAGES:
        own = load_catalogue(place, lang)
        assert list(own) == list(english)
        assert {k: places(own[k]) - spared for k in own} == {k: places(english[k]) - spared for k in english}


@pytest.mark.whole
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_sentence_about_a_problem_can_be_filled(lang: str) -> None:
    """With numbers, words and other sentences. One that shows YAML in braces is given no values, and has them in every language."""
    for key, sentence in load_messages(lang).items():
        how = [spec or "" for _, name, spec, _ in string.Formatter().parse(sentence) if name] if "{" in sentence else []
        if any(spec and "|" not in spec for spec in how):
            assert make_message(key).texts[lang] == sentence
        else:
            for value in (0, 1, 12, "x", make_message("over")):
                assert make_message(key, **dict.fromkeys(places(sentence), value)).texts[lang] or not sentence


def test_the_same_languages_everywhere() -> None:
    assert FALLBACK in LANGUAGES
    for place in FOLDERS:
        assert sorted(path.stem for path in place.glob("*.json")) == list(LANGUAGES)
    schema: dict[str, Any] = json.loads((folder("grammar") / "ruleset.schema.json").read_text(encoding="utf-8"))
    assert set(LANGUAGES) <= set(schema["definitions"]["words"]["properties"])


ALIKE = "cache clause code figure hoyle menu normal note obligation option phase pile plus point position python secret source table total"
"""Words that are the same in English and French, also with an `s`."""
TYPED = {
    "option.bench.engine",
    "command.bench.help",
    "command.why.examples",
}
"""Where a word of the command line or of the rule language is named without marks."""


def alike(place: Path, lang: str) -> dict[str, str]:
    """What has words, and the same as in English; examples are typed."""
    own, english = load_catalogue(place, lang), load_catalogue(place, FALLBACK)
    same = {key: said for key, said in own.items() if said == english[key] and not key.endswith(".examples")}
    bare = {key: re.sub(r"\{[^{}]*\}|`[^`]*`", "", said) for key, said in same.items()}
    return {key: said.lower() for key, said in bare.items() if re.search(r"[^\W\d_]{3}", said)}


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != FALLBACK])
def test_every_language_says_it_in_its_own_words(lang: str) -> None:
    same = {key: said for place in FOLDERS for key, said in alike(place, lang).items()}
    bare = {key: said.strip("[] ") for key, said in same.items()}
    assert {key: said for key, said in bare.items() if not {*ALIKE.split()} & {said, said.removesuffix("s")}} == {}
    own = {key: said for place in FOLDERS for key, said in load_catalogue(place, lang).items()}
    assert {key for key, said in own.items() if small(said)} == TYPED


@pytest.mark.whole
def test_a_language_that_is_not_there_is_the_fallback() -> None:
    assert Sentence("value.yes")["xx"] == Sentence("value.yes")[FALLBACK]
    state = load("hearts").playout(1)
    assert [event.text("xx") for event in state.events] == [event.text(FALLBACK) for event in state.events]


@pytest.mark.parametrize("place", FOLDERS, ids=lambda place: place.name)
@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_counted_has_a_form_for_one(place: Path, lang: str) -> None:
    """A word in the plural behind a number is written `{n:card|cards}`."""
    forms, behind = re.compile(r"\{\w+:(?:[^{}]|\{\w+\})*\}"), re.compile(r"\{(\w+)\}(?: \w+)? \w+[sx]\b")
    left = {
        (key, m[1]) for key, said in load_catalogue(place, lang).items() for m in behind.finditer(forms.sub("#", said))
    }
    assert {(key, name) for key, name in left if name in COUNTED.split()} == MANY & left


MANY = {("validate.too_many", "most"), ("page.moves_all", "count"), ("verb.play_most", "count")}
"""Of which there is never one, or one of several."""
COUNTED = (
    "ahead count events excluded failures files games given lines most moves noticed number players refused same settings survived "
    "tried troubles"
)
"""Names of places that numbers fill."""


@pytest.mark.parametrize(("number", "en", "fr"), CASES["the form for a number"])
def test_the_form_for_a_number(number: object, en: str, fr: str) -> None:
    assert fill_sentence("{n:card|cards}", "en", {"n": number}) == en
    assert fill_sentence("{n:carte|cartes}", "fr", {"n": number}) == fr


def test_a_form_may_name_the_number() -> None:
    said = "{n:one card|{n} cards} of {seat}"
    assert [fill_sentence(said, "en", {"n": n, "seat": "A"}) for n in (1, 3)] == ["one card of A", "3 cards of A"]
