"""Drawings of cards, dice and men."""

from collections import Counter
from xml.etree import ElementTree

import pytest
from drawn import SVG, defined, parsed, used
from games import game
from rules import read_cases

from hoyle.game.views.labels import picture_names
from hoyle.pictures import shapes
from hoyle.pictures.cards import Card
from hoyle.pictures.pieces import Pen
from hoyle.pictures.theme import Theme, find_theme
from hoyle.view_data import BACK, PieceView


def drawn(name: str, sign: str, width: float = 80, lang: str = "en", look: Theme | None = None) -> ElementTree.Element:
    names = picture_names(game(name).compiled, lang)
    known = {face.sign: face.colour for face in game(name).pieces()}
    piece = PieceView(sign, True, known[sign]) if sign else BACK
    made = Pen(names, Card(width, look or find_theme())).draw(piece)
    return parsed(f'<svg xmlns="{SVG[1:-1]}">{shapes.define_shapes(made)}{made}</svg>')


def drawn_shapes(root: ElementTree.Element) -> Counter[str]:
    """How often each suit, figure and index sign is drawn."""
    known = defined(root)
    return Counter(name for node in root if node.tag != f"{SVG}defs" for name in used(node, known))


def texts(root: ElementTree.Element) -> list[str]:
    return [node.text or "" for node in root.iter(f"{SVG}text")]


@pytest.mark.whole
@pytest.mark.parametrize(("name", "sign", "width", "lang", "shapes"), read_cases("pictures/cards")["shapes"])
def test_shapes_of_a_card(name: str, sign: str, width: int, lang: str, shapes: dict[str, int]) -> None:
    root = drawn(name, sign, width, lang)
    assert drawn_shapes(root) == shapes and not texts(root)


@pytest.mark.whole
def test_men_have_the_colours_of_their_seats() -> None:
    signs = [face.sign for face in game("backgammon").pieces() if face.colour in game("backgammon").seats]
    fills = [next(drawn("backgammon", sign).iter(f"{SVG}circle")).get("fill") for sign in signs]
    assert fills == [light for light, _ in find_theme().men[:2]]


def test_suits_have_four_or_two_colours() -> None:
    def inks(look: Theme) -> set[str]:
        return {
            group.get("fill", "") for suit in "SHDC" for group in drawn("hearts", f"5{suit}", look=look).iter(f"{SVG}g")
        }

    assert len(inks(find_theme()) - {""}) == 2 and len(inks(find_theme("dark", four_colours=True)) - {""}) == 4


@pytest.mark.whole
@pytest.mark.parametrize("spots", range(1, 7))
def test_a_die_has_its_spots(spots: int) -> None:
    root = drawn("yams", str(spots))
    assert len(list(root.iter(f"{SVG}circle"))) == spots and not texts(root)
