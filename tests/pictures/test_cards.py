"""Drawings of cards, dice and men, caches, pixels, rooms of all sizes, and pictures kept in `docs/pictures`."""

import os
import random
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from drawn import SVG, Frame, Shapes, boxes, defined, parsed, used
from exchange import walked
from games import game, names
from rules import read_cases
from test_shipped import states
from tiers import in_tiers

from hoyle.game.views.labels import picture_names
from hoyle.pictures import piles, shapes
from hoyle.pictures.cards import Card
from hoyle.pictures.letters import outline_text
from hoyle.pictures.picture import Fit, draw_picture
from hoyle.pictures.pieces import Pen
from hoyle.pictures.png import outline_texts, render_png
from hoyle.pictures.theme import DARK, LIGHT, Theme, find_theme
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


NAMES = in_tiers(["klondike", "hearts", "crapette"], whole=["klondike"])
ROOM = 620


@pytest.mark.parametrize("name", NAMES)
def test_cached_parts_are_drawn_alike(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules, kept = game(name), 0
    words = [picture_names(rules.compiled, lang) for lang in ("en", "fr")]
    for number, state in enumerate(walked(rules, 3, 10).states[1:]):
        view = state.view(rules.seats[0])
        how = words[number % 2], (LIGHT, DARK)[number % 3 % 2], (800, 500)[number % 5 % 2]
        drawn = draw_picture(view, *how)
        kept += len(piles._drawn)
        with monkeypatch.context() as fresh:
            fresh.setattr(piles, "_drawn", {})
            assert draw_picture(view, *how) == drawn
    assert kept


@pytest.mark.parametrize("name", NAMES)
def test_cards_keep_their_size_while_all_fits(name: str) -> None:
    rules, fit, sizes = game(name), Fit(), list[float]()
    words = picture_names(rules.compiled, "en")
    for state in walked(rules, 3, 18).states[1:]:
        view = state.view(rules.seats[0])
        alone, after = (
            float(parsed(draw_picture(view, words, height=ROOM, before=one)).get("viewBox", "").split()[3])
            for one in (None, fit)
        )
        sizes.append(fit.card)
        assert after <= max(ROOM, alone)
    assert len(set(sizes)) <= 3 < len(sizes)


SMALLEST = 1500
"""Least size of a picture that is not blank, in bytes."""


@pytest.mark.parametrize("name", in_tiers([name for name, _ in names()], ["klondike"], ["backgammon"]))
def test_words_of_a_game_need_no_font(name: str) -> None:
    for lang in ("en", "fr"):
        words = {text for space in game(name).labels(lang).values() for text in space.values()}
        words |= {face.text for face in game(name).pieces(lang)}
        assert [text for text in sorted(words) if outline_text(text) is None] == []


@pytest.mark.whole
def test_texts_of_a_picture_become_outlines() -> None:
    drawn = game("cribbage").start(1).picture("A", lang="fr")
    root = parsed(outline_texts(drawn))
    assert list(parsed(drawn).iter(f"{SVG}text")) and not list(root.iter(f"{SVG}text"))
    assert root.findtext(f"{SVG}title") == parsed(drawn).findtext(f"{SVG}title")


def test_unknown_letters_stay_a_text() -> None:
    written = '<text x="1" y="2" font-size="10" fill="#000">中</text>'
    assert outline_texts(written) == written


def test_png_is_drawn_without_texts_at_twice_the_size(monkeypatch: pytest.MonkeyPatch) -> None:
    resvg = pytest.importorskip("resvg_py")
    monkeypatch.setattr(resvg, "svg_to_bytes", lambda svg_string, zoom: f"{zoom} {svg_string}".encode())
    written = '<text x="1" y="2" font-size="10" fill="#000">A</text>'
    assert render_png(written).decode() == f"2 {outline_texts(written)}" and "<text" not in outline_texts(written)


@pytest.mark.slow
def test_pixels_are_the_same_without_fonts(monkeypatch: pytest.MonkeyPatch) -> None:
    resvg = pytest.importorskip("resvg_py")
    drawn, given = game("belote").start(1).picture("A"), resvg.svg_to_bytes
    with_fonts = render_png(drawn)
    monkeypatch.setattr(resvg, "svg_to_bytes", lambda **said: given(**said, skip_system_fonts=True))
    assert render_png(drawn) == with_fonts and len(with_fonts) > SMALLEST


HANDS = in_tiers(["spades", "spider", "barbu-3p", "piquet", "gin-rummy", "belote"], whole=["spades", "spider"])
READABLE = 12.0
"""Least height of an index on a telephone, in pixels."""


def signs(node: ElementTree.Element, frame: Frame, known: Shapes) -> list[float]:
    """Heights of the indices of pieces."""
    frame = frame.within(node.get("transform", ""))
    href = node.get("href", "")
    if "-sign-" in href:
        return [82 * abs(frame.scale)]
    inside = [known[href]] if href in known else list(node)
    return [high for inner in inside for high in signs(inner, frame, known)]


@pytest.mark.whole
@pytest.mark.parametrize("name", HANDS)
def test_cards_can_be_read_on_a_telephone(name: str) -> None:
    seat = game(name).seats[0]
    for state, width in zip(states(name), (360, 412, 360), strict=True):
        view = state.view(seat)
        own = {pile.key for pile in view.piles if pile.owner in (None, seat) and not pile.told_by}
        held = {pile.key: pile.count for pile in view.piles if pile.family == "hand" and pile.owner == seat}
        root = parsed(state.picture(seat, width=width, height=640))
        known = defined(root)
        for pile in root.iter(f"{SVG}g"):
            key = pile.get("data-pile", "")
            if pile.get("class") == "pile" and key in own:
                assert all(high >= READABLE for high in signs(pile, Frame(), known)), key
            cards = [node for node in pile if node.get("class") == "piece"]
            if len(cards) == held.get(key):  # else it is a stack
                assert _shown(cards) >= 14, "an index is covered"


def _shown(cards: list[ElementTree.Element]) -> float:
    """Least distance between cards of a row."""
    lines: dict[str, list[float]] = {}
    for node in cards:
        x, y = node.get("transform", "").removeprefix("translate(").rstrip(")").split()
        lines.setdefault(y, []).append(float(x))
    steps = [b - a for line in lines.values() for a, b in zip(sorted(line), sorted(line)[1:], strict=False)]
    return min(steps, default=1000.0)


@pytest.mark.whole
@pytest.mark.parametrize(("width", "room"), [(360, 2000), (800, 2000), (800, 600)])
def test_long_columns_draw_together(width: int, room: int) -> None:
    """No index is covered, and the picture does not outgrow its room."""
    state = game("freecell").position({"piles": {"column at 1": "KS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AS"}})
    root = parsed(state.picture("A", width=width, height=room))
    cards = [n for n in root.iter(f"{SVG}g") if n.get("class") == "piece" and n.get("data-pile") == "column at 1"]
    ys = sorted(float(node.get("transform", "").rstrip(")").split()[1]) for node in cards)
    steps = [below - above for above, below in pairwise(ys)]
    assert len(steps) == 12 and max(steps) - min(steps) < 0.02 and min(steps) > 8
    assert (float(root.get("height", "0")) > 600) == (room > 600 and width == 800)


@pytest.mark.whole
def test_sheets_lie_beside_the_table_where_there_is_room() -> None:
    state = states("yams")[-1]
    for width, aside in ((1300, True), (600, False)):
        root = parsed(state.picture("A", width=width))
        sheet = next(box for node, box in boxes(root) if node.get("rx") == "4")
        plate = next(box for node, box in boxes(root) if node.tag == f"{SVG}text" and node.get("font-size") == "14")
        assert (sheet.left > plate.right) == aside


PLACE = Path(__file__).parents[2] / "docs" / "pictures"
KEPT = dict(read_cases("pictures/kept")["pictures"])


@pytest.mark.parametrize("name", in_tiers(KEPT, ["klondike", "backgammon"], ["cribbage", "yams"]))
def test_a_picture_is_as_it_was(name: str) -> None:
    made, kept = picture(name, **KEPT[name]), PLACE / f"{name}.svg"
    if os.environ.get("UPDATE_GOLDEN"):
        PLACE.mkdir(exist_ok=True)
        kept.write_text(made, encoding="utf-8", newline="\n")
    assert made == kept.read_text(encoding="utf-8")


def picture(
    name: str, moves: int, width: int = 800, lang: str = "en", tone: Any = "light", four: bool = False, seed: int = 1
) -> str:
    """After so many moves at random, as the first seat sees it."""
    state, chance = game(name).start(seed), random.Random(seed)
    for _ in range(moves):
        state = state.play(chance.choice(state.moves()))
    return state.picture(game(name).seats[0], lang, find_theme(tone, four), width) + "\n"
