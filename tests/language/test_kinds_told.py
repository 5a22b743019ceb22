"""Types of values and built-in words, said in every language."""

from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from hoyle.diagnostics import localize
from hoyle.language import sentences
from hoyle.language.sentences import LANGUAGES, load_catalogue
from hoyle.language.value_types import (
    BOOL,
    LARGEST,
    SIDE,
    UNKNOWN,
    Choice,
    List,
    Number,
    Piece,
    Pile,
    Plain,
    Row,
    ValueType,
    describe_type,
)
from hoyle.language.vocabulary import WORDS

CARD = Piece("card")
SINGLE: list[ValueType] = [*map(Plain, get_args(get_type_hints(Plain)["name"])), SIDE, Row("ranks"), Choice("way")]
SINGLE += [Piece(), CARD, Pile(), Number(1, 1), Number(1, 6), Number(0, LARGEST)]
MANY = [k for k in SINGLE if k not in (Number(1, 1), Number(1, 6), CARD)]
TOLD: list[tuple[ValueType, str, str]] = [
    (Number(3, 3), "the number 3", "le nombre 3"),
    (Number(1, 6), "a number (1..6)", "un nombre (1..6)"),
    (Number(0, LARGEST), "a number", "un nombre"),
    (SIDE.with_optional(), "a side", "un camp"),
    (Row("ranks"), "a row of `ranks`", "une ligne de `ranks`"),
    (CARD, "a card", "une pièce `card`"),
    (List(List(CARD, 2), 9), "a list of lists of cards", "une liste de listes de pièces `card`"),
    (List(Number(1, 6), 2), "a list of numbers", "une liste de nombres"),
    (List(Plain("obligation"), 2), "a list of obligations", "une liste d'obligations"),
    (List(SIDE, 2), "a list of sides", "une liste de camps"),
    (List(BOOL, 2), "a list of values true or false", "une liste de valeurs vraies ou fausses"),
    (List(UNKNOWN, 0), "a list of items", "une liste d'éléments"),
]


@pytest.mark.parametrize(("value_type", "en", "fr"), TOLD)
def test_a_type_in_words(value_type: ValueType, en: str, fr: str) -> None:
    assert [localize(describe_type(value_type), lang) for lang in ("en", "fr")] == [en, fr]


def test_every_type_has_its_words() -> None:
    """Each is told apart from the others, alone and in a list, and no sentence about types is left over."""
    types = [*SINGLE, List(CARD, 2), *(List(value_type, 2) for value_type in MANY), List(List(CARD, 2), 2)]
    for lang in LANGUAGES:
        known = [key for key in load_catalogue(Path(sentences.__file__).parent, lang) if key.startswith("kind.")]
        assert (
            len({localize(describe_type(value_type), lang) for value_type in types}) == len(types) - 1
        )  # what is nothing or unknown is an item
        assert len(types) == len(known) - 1  # one is that of any list


def test_no_sentence_is_of_an_unknown_word() -> None:
    for lang in LANGUAGES:
        keys = {key for key in load_catalogue(Path(sentences.__file__).parent, lang) if key.startswith("word.")}
        assert {key.split(".")[1] for key in keys} == set(WORDS)
    assert all(localize(word.meaning, "fr") != word.meaning for word in WORDS.values())
