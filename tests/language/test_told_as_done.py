"""What others read of a move: `jouer V♠` is `joue V♠` once somebody has done it, and nothing is guessed."""

import pytest
from games import game, originals
from rules import read_cases
from tiers import in_tiers

from hoyle.game.moves.phrases import to_infinitive
from hoyle.language.phrases import count_noun, forms_of, is_done, name_of_phrase, parse_phrase, to_third_person
from hoyle.language.sentences import LANGUAGES, join_names
from hoyle.running.naming import fold_case

CASES = read_cases("language/told_as_done")


@pytest.mark.parametrize(("lang", "move", "done"), CASES["a verb that is known is told as done"])
def test_a_verb_that_is_known_is_told_as_done(lang: str, move: str, done: str) -> None:
    told = to_third_person(parse_phrase(move), lang)
    assert told is not None
    assert name_of_phrase(told) == done


@pytest.mark.parametrize(("lang", "move"), CASES["what is not known is left as it is"])
def test_what_is_not_known_is_left_as_it_is(lang: str, move: str) -> None:
    assert to_third_person(parse_phrase(move), lang) is None


SPOKEN = {
    "en": {"belote", "rebelote", "coinche", "surcoinche", "beaver", "equal", "good", "not good"},
    "fr": {"belote", "rebelote", "castor", "c'est bon", "c'est égal", "cela ne vaut pas"},
}
"""What is said at a table rather than done; what stands in quotation marks is too, and a move that is called by its place."""


@pytest.mark.parametrize("name", in_tiers(originals(), whole=["piquet"]))
@pytest.mark.parametrize("lang", LANGUAGES)
def test_shipped_moves_are_told_as_done_unless_they_are_said(lang: str, name: str) -> None:
    phrases = [move.telling.phrases[lang] for move in game(name).ruleset.moves.values()]
    left = {name_of_phrase(phrase) for phrase in phrases if to_third_person(phrase, lang) is None}
    assert {text for text in left if text[0] not in "“«" and not text.startswith("to ")} <= SPOKEN[lang]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_form_leads_back_to_its_verb(lang: str) -> None:
    for verb, does in forms_of(lang).items():
        assert to_infinitive(f"{fold_case(does)} 7h", lang) == f"{fold_case(verb)} 7h"
        assert does != verb or verb.startswith("s'")


@pytest.mark.parametrize(("lang", "number", "noun", "said"), CASES["things are counted where their noun is known"])
def test_things_are_counted_where_their_noun_is_known(lang: str, number: int, noun: str, said: str | None) -> None:
    assert count_noun(number, noun, lang) == said


@pytest.mark.parametrize(("lang", "text", "does"), CASES["what is told of somebody is not said by him"])
def test_what_is_told_of_somebody_is_not_said_by_him(lang: str, text: str, does: bool) -> None:
    assert is_done(text, lang) == does


def test_names_are_listed_as_a_language_does() -> None:
    assert [join_names(["A", "B", "C"][:n], "fr") for n in range(4)] == ["", "A", "A et B", "A, B et C"]
    assert join_names(["A", "B"], "en") == "A and B"
