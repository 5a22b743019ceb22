"""Pictures in rooms of all sizes: what can be read on a telephone, and what lies beside the table."""

from itertools import pairwise
from xml.etree import ElementTree

import pytest
from drawn import SVG, Frame, Shapes, boxes, defined, parsed
from games import game
from test_shipped import states
from tiers import in_tiers

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
