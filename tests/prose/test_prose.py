"""Formulas and moves in words, in each language."""

from pathlib import Path

import pytest
from games import game
from tiers import some_now

from hoyle import load
from hoyle.game.values import checked
from hoyle.language.sentences import FALLBACK, LANGUAGES
from hoyle.prose.moves import move_name
from hoyle.prose.speech import plural, singular
from hoyle.prose.words import headings, said, voice_of

FORMULAS = [
    ("klondike", "count(stock) + 2 * count(waste)", "the number of cards of the stock plus twice the number of cards of the waste"),
    ("klondike", "count(stock) + 2 * count(waste)", "le nombre de cartes du talon plus le double du nombre de cartes du pot"),
    ("klondike", "not (stock is empty and waste is empty)", "the stock is not empty or the waste is not empty"),
    ("klondike", "not (stock is empty and waste is empty)", "il y a quelque chose dans le talon ou il y a quelque chose dans le pot"),
    ("klondike", "top(waste).suit.colour is red", "the colour of the suit of the top card of the waste is red"),
    ("klondike", "top(waste).rank.order < top(stock).rank.order", "the rank of the top card of the waste is below the rank of the top card of the stock"),
    ("klondike", "top(waste).rank.order is top(stock).rank.order - 1", "the rank of the top card of the waste is just below the rank of the top card of the stock"),
    ("klondike", "top(waste).rank.order is top(stock).rank.order - 1", "la hauteur de la carte du dessus du pot est juste au-dessous de la hauteur de la carte du dessus du talon"),
    ("klondike", "some c in column has count(c) > 3", "the number of cards of a column is more than 3"),
    ("klondike", "not (every c in column has count(c) > 3)", "the number of cards of a column is at most 3"),
    ("klondike", "no c in column has c is empty", "pour aucune colonne, il n'y a rien dans cette colonne"),
    ("klondike", "sum(count(c) for c in column where c is not empty)", "the sum, for each column for which that column is not empty, of the number of cards of that column"),
    ("klondike", "count(c for c in column where c is not empty)", "le nombre de colonnes pour lesquelles il y a quelque chose dans cette colonne"),
    ("klondike", "(if stock is empty then 0 else 1) > 0", "the stock is not empty"),
    ("klondike", "top(waste).rank in (ace, two, king)", "the rank of the top card of the waste is ace, two or king"),
    ("klondike", "top(waste).rank in (ace, two, king)", "la hauteur de la carte du dessus du pot est as, deux ou roi"),
    ("klondike", "may_redeal", "“nothing changed since the last redeal” does not hold"),
    ("klondike", "top(waste) is none", "no card is the top card of the waste"),
    ("barbu", "score of dealer - 3 * (score of A - 1)", "the score of the dealer minus (3 times (the score of A minus 1))"),
    ("barbu", "most p in players by score of p", "the player for whom this is greatest: the score of that player"),
    ("barbu", "if trump is none then 0 else count(hand of dealer)", "0 if there is no trump suit, otherwise the number of cards of the hand of the dealer"),
    ("barbu", "first(c for c in hand of dealer where c.suit is trump)", "the first card of the hand of the dealer for which the suit of that card is the trump suit"),
    ("cribbage", "next(dealer)", "the opponent of the dealer"),
    ("cribbage", "next(dealer)", "l'adversaire du donneur"),
]  # fmt: skip


MOVES = [
    ("piquet", "call a point of a number of cards", "annoncer un point de tant de cartes"),
    ("piquet", "call a sequence and a head", "annoncer une séquence et une tête de séquence"),
    ("piquet", "tell the value of cards", "dire la valeur de cartes"),
    ("coinchee", "bid a contract and a trump suit", "annoncer un contrat et un atout"),
    ("gin-rummy", "lay off a card on a meld", "ajouter une carte à une combinaison"),
    ("klondike", "move a card from the waste to a column", "déplacer une carte du pot à une colonne"),
    ("backgammon", "play a die (… → …)", "jouer un dé (… → …)"),
    ("yukon", "move a card from a column to another", "déplacer une carte d'une colonne à une autre"),
    ("oh-hell", "bid a number of tricks", "annoncer tant de levées"),
    ("golf", "play a card from a column on the waste", "mettre une carte d'une colonne sur le pot"),
    ("freecell", "put a card from a column in a free cell", "mettre une carte (colonne) en cellule libre"),
]


@pytest.mark.whole
@pytest.mark.parametrize(("name", "english", "french"), some_now(MOVES, 8))
def test_moves_are_named_before_their_choices_are_made(name: str, english: str, french: str) -> None:
    rules = game(name).ruleset
    voices = [voice_of(rules, lang, headings(game(name).compiled.merged.root)) for lang in ("en", "fr")]
    assert (english, french) in [tuple(move_name(move, voice) for voice in voices) for move in rules.moves]


@pytest.mark.parametrize(("name", "formula", "words"), FORMULAS)
def test_formulas_are_said(name: str, formula: str, words: str) -> None:
    found, _ = checked(game(name).compiled, formula, False)
    rules = game(name).compiled
    told = {said(found, voice_of(rules.ruleset, lang, headings(rules.merged.root))) for lang in LANGUAGES}
    assert words in told


def test_long_formulas_are_not_said() -> None:
    rules = game("klondike").compiled
    long = " and ".join(f"count(stock) + count(waste) > {n}" for n in range(16))
    found, _ = checked(rules, long, False)
    assert said(found, voice_of(rules.ruleset, FALLBACK)) is None
    assert said(found, voice_of(rules.ruleset, FALLBACK), longest=100_000) is not None


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
    found, _ = checked(rules, "fits(top(stock), waste)", False)
    voice = voice_of(rules.ruleset, "en", headings(rules.merged.root))
    assert said(found, voice) == words
    denied, _ = checked(rules, "not fits(top(stock), waste)", False)
    assert said(denied, voice) == ("always" if words == "never" else f"it is not so that {words}")


def test_words_of_a_term_have_its_parameters() -> None:
    """Where a variant replaces a term, the words of the old one do not apply."""
    root = game("belote").compiled.merged.root
    known = headings(root)
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
    assert (singular(several, "en"), plural(one, "en")) == (one, several)


PLURALS = {
    "carte": "cartes",
    "tableau": "tableaux",
    "jeu": "jeux",
    "cheval": "chevaux",
    "as": "as",
    "choix": "choix",
    "dos": "dos",
}


@pytest.mark.parametrize(("one", "several"), PLURALS.items())
def test_plurals_in_french(one: str, several: str) -> None:
    assert plural(one, "fr") == several


def test_plurals_in_english() -> None:
    words = {"card": "cards", "box": "boxes", "penny": "pennies", "die": "dice"}
    assert {one: plural(one, "en") for one in words} == words
