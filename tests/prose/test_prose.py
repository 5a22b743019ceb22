"""Formulas and moves in words, in each language."""

from pathlib import Path

import pytest
from games import game
from rules import read_cases
from tiers import some_now

from hoyle import load
from hoyle.game.values import check_formula
from hoyle.language.sentences import FALLBACK, LANGUAGES
from hoyle.prose.conditions import describe_formula, make_voice, read_headings
from hoyle.prose.grammar import pluralize, singularize
from hoyle.prose.moves import build_move_name

CASES = read_cases("prose/prose")


@pytest.mark.whole
@pytest.mark.parametrize(("name", "english", "french"), some_now(map(tuple, CASES["moves"]), 8))
def test_moves_are_named_before_their_choices_are_made(name: str, english: str, french: str) -> None:
    rules = game(name).ruleset
    voices = [make_voice(rules, lang, read_headings(game(name).compiled.merged.root)) for lang in ("en", "fr")]
    assert (english, french) in [tuple(build_move_name(move, voice) for voice in voices) for move in rules.moves]


@pytest.mark.parametrize(("name", "formula", "words"), CASES["formulas"])
def test_formulas_are_said(name: str, formula: str, words: str) -> None:
    found, _ = check_formula(game(name).compiled, formula, False)
    rules = game(name).compiled
    told = {
        describe_formula(found, make_voice(rules.ruleset, lang, read_headings(rules.merged.root))) for lang in LANGUAGES
    }
    assert words in told


def test_long_formulas_are_not_said() -> None:
    rules = game("klondike").compiled
    long = " and ".join(f"count(stock) + count(waste) > {n}" for n in range(16))
    found, _ = check_formula(rules, long, False)
    assert describe_formula(found, make_voice(rules.ruleset, FALLBACK)) is None
    assert describe_formula(found, make_voice(rules.ruleset, FALLBACK), longest=100_000) is not None


VARIANT = """
game: called
ruleset: 1
extends: klondike
terms:
  {term}
in_words:
  fits(card, to): "{{card}} goes on {{to}}"
"""


@pytest.mark.whole
@pytest.mark.parametrize(
    ("term", "words"),
    [
        ("fits(a, b): a.rank is ace and b is waste", "the top card of the stock goes on the waste"),  # called otherwise
        ("fits(card, to): false", "never"),  # decided, whatever it is called
    ],
)
def test_terms_of_a_variant_have_words(tmp_path: Path, term: str, words: str) -> None:
    place = tmp_path / "called.yaml"
    place.write_text(VARIANT.format(term=term), encoding="utf-8")
    rules = load(str(place)).compiled
    found, _ = check_formula(rules, "fits(top(stock), waste)", False)
    voice = make_voice(rules.ruleset, "en", read_headings(rules.merged.root))
    assert describe_formula(found, voice) == words
    denied, _ = check_formula(rules, "not fits(top(stock), waste)", False)
    assert describe_formula(denied, voice) == ("always" if words == "never" else f"it is not so that {words}")


@pytest.mark.whole
def test_words_of_a_term_have_its_parameters() -> None:
    """The words of a term do not apply to a variant's replacement."""
    root = game("belote").compiled.merged.root
    known = read_headings(root)
    for name, _, _ in root["in_words"].entries():
        called, bracket, _ = name.partition("(")
        if bracket and called in known:
            own = next(term for term, _, _ in root["terms"].entries() if term.partition("(")[0] == called)
            assert own.count(",") == name.count(",") and own.count("()") == name.count("()")


@pytest.mark.parametrize(
    ("several", "one"),
    [("boxes of the board", "box of the board"), ("seats to the left", "seat to the left"), ("ladies", "lady")],
)
def test_singular_and_plural_change_the_noun_alone(several: str, one: str) -> None:
    assert (singularize(several, "en"), pluralize(one, "en")) == (one, several)


@pytest.mark.parametrize(("one", "several"), CASES["plurals"])
def test_plurals_in_french(one: str, several: str) -> None:
    assert pluralize(one, "fr") == several


def test_plurals_in_english() -> None:
    words = {"card": "cards", "box": "boxes", "penny": "pennies", "die": "dice"}
    assert {one: pluralize(one, "en") for one in words} == words
