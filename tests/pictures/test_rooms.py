"""Pictures in rooms of all sizes, and those kept in `docs/pictures`. UPDATE_GOLDEN=1 draws these again."""

import os
import random
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from drawn import SVG, Frame, Shapes, boxes, defined, parsed
from games import game
from rules import read_cases
from test_shipped import states
from tiers import in_tiers

from hoyle.pictures.theme import find_theme

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
