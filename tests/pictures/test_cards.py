"""What is on a card, a die, a man."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from drawn import SVG, defined, parsed, used
from games import game

from interpreter.game.pictured import names_of
from interpreter.game.view import BACK, PieceView
from interpreter.pictures import shapes
from interpreter.pictures.cards import Card
from interpreter.pictures.pieces import Pen
from interpreter.pictures.theme import Theme, theme

RANKS = "A23456789T"


def drawn(name: str, sign: str, width: float = 80, lang: str = "en", look: Theme | None = None) -> ElementTree.Element:
    names = names_of(game(name).compiled, lang)
    known = {face.sign: face.colour for face in game(name).pieces()}
    piece = PieceView(sign, True, known[sign]) if sign else BACK
    made = Pen(names, Card(width, look or theme())).draw(piece)
    return parsed(f'<svg xmlns="{SVG[1:-1]}">{shapes.defined(made)}{made}</svg>')


def every(root: ElementTree.Element) -> list[str]:
    """What is drawn of shapes."""
    known = defined(root)
    return [name for node in root if node.tag != f"{SVG}defs" for name in used(node, known)]


def uses(root: ElementTree.Element) -> list[str]:
    """Suits and figures."""
    return [name for name in every(root) if not name.startswith("sign-")]


def indices(root: ElementTree.Element) -> list[str]:
    return [name.removeprefix("sign-") for name in every(root) if name.startswith("sign-")]


def texts(root: ElementTree.Element) -> list[str]:
    return [node.text or "" for node in root.iter(f"{SVG}text")]


@pytest.mark.parametrize(("count", "sign"), [*enumerate(RANKS, 1)])
def test_as_many_pips_as_the_number_says_and_two_at_the_indices(count: int, sign: str) -> None:
    root = drawn("klondike", f"{sign}H")
    assert uses(root) == ["heart"] * (count + 2)
    assert indices(root) == [sign.replace("T", "10")] * 2


def test_a_narrow_card_has_one_large_pip_and_one_index() -> None:
    root = drawn("klondike", "TC", width=40)
    assert uses(root) == ["club", "club"] and indices(root) == ["10"]


@pytest.mark.parametrize(
    ("sign", "figure", "letters"), [("JS", "jack", "JV"), ("QS", "queen", "QD"), ("KS", "king", "KR")]
)
def test_court_cards_have_two_halves_and_the_letters_of_the_language(sign: str, figure: str, letters: str) -> None:
    for lang, letter in zip(("en", "fr"), letters, strict=True):
        root = drawn("hearts", sign, lang=lang)
        assert uses(root).count(figure) == 2 and uses(root).count("spade") == 4
        assert indices(root) == [letter] * 2


def test_a_piece_is_called_by_its_rows() -> None:
    assert drawn("hearts", "QS", lang="fr").findtext(f"{SVG}title") == "dame pique"
    assert drawn("hearts", "").findtext(f"{SVG}title") == "a piece face down"


def test_four_colours_part_all_suits_and_two_only_by_their_colour() -> None:
    def inks(look: Theme) -> set[str]:
        return {
            group.get("fill", "") for suit in "SHDC" for group in drawn("hearts", f"5{suit}", look=look).iter(f"{SVG}g")
        }

    assert len(inks(theme()) - {""}) == 2 and len(inks(theme("dark", four_colours=True)) - {""}) == 4


def test_other_suits_than_the_french_are_drawn_as_the_ruleset_says_or_as_text() -> None:
    assert uses(drawn("scopa", "3C")) == ["cup"] * 5 and uses(drawn("scopa", "RD")).count("king") == 2


@pytest.mark.parametrize("spots", range(1, 7))
def test_a_die_has_its_spots(spots: int) -> None:
    root = drawn("yams", str(spots))
    assert len(list(root.iter(f"{SVG}circle"))) == spots and not texts(root)


def test_men_have_the_colours_of_their_seats() -> None:
    signs = [face.sign for face in game("backgammon").pieces() if face.colour in game("backgammon").seats]
    fills = [next(drawn("backgammon", sign).iter(f"{SVG}circle")).get("fill") for sign in signs]
    assert fills == [light for light, _ in theme().men[:2]]


def test_a_back_shows_nothing_but_a_back() -> None:
    root = drawn("hearts", "")
    assert uses(root) == ["back"] and not texts(root)
