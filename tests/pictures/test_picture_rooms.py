"""Pictures in rooms of all sizes: what can be read on a telephone, what fills a window, and what needs no place."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from drawn import SVG, Frame, Shapes, boxes, defined, parsed, pieces
from exchange import walked
from games import FEW, game, names
from test_shipped import states
from tiers import in_tiers

from interpreter import State
from interpreter.game.view import PileView
from interpreter.pictures.theme import LIGHT

SOME = in_tiers([name for name, _ in names()], quick=["spades", "spider"], whole=[*FEW[::3], "spider"])
READABLE = 12.0
"""Pixels that an index is high at least, on a telephone."""
PHONES = (360, 412)


def signs(node: ElementTree.Element, frame: Frame, known: Shapes) -> list[float]:
    """How high the indices of the pieces in it are drawn."""
    frame = frame.within(node.get("transform", ""))
    href = node.get("href", "")
    if "-sign-" in href:
        return [82 * abs(frame.scale)]
    inside = [known[href]] if href in known else list(node)
    return [high for inner in inside for high in signs(inner, frame, known)]


@pytest.mark.parametrize("name", SOME)
def test_indices_can_be_read_on_a_telephone(name: str) -> None:
    seat = game(name).seats[0]
    for state in states(name):
        own = {pile.key for pile in state.view(seat).piles if pile.owner in (None, seat) and not pile.told_by}
        for width in PHONES:
            root = parsed(state.picture(seat, width=width, height=700))
            for pile in root.iter(f"{SVG}g"):
                if pile.get("class") == "pile" and pile.get("data-pile") in own:
                    assert all(high >= READABLE for high in signs(pile, Frame(), defined(root))), pile.get("data-pile")


@pytest.mark.parametrize("name", SOME)
def test_no_index_of_a_hand_is_covered_on_a_telephone(name: str) -> None:
    seat = game(name).seats[0]
    for state in states(name):
        held = {pile.key: pile.count for pile in state.view(seat).piles if pile.family == "hand" and pile.owner == seat}
        root = parsed(state.picture(seat, width=360, height=640))
        for pile in (node for node in root.iter(f"{SVG}g") if node.get("data-pile") in held):
            cards = [node for node in pile if node.get("class") == "piece"]
            if len(cards) == held[pile.get("data-pile", "")]:  # else it is a stack
                assert _shown(cards) >= 14


def _shown(cards: list[ElementTree.Element]) -> float:
    """How far the cards of a line lie from each other, where they are nearest."""
    lines: dict[str, list[float]] = {}
    for node in cards:
        x, y = node.get("transform", "").removeprefix("translate(").rstrip(")").split()
        lines.setdefault(y, []).append(float(x))
    steps = [b - a for line in lines.values() for a, b in zip(sorted(line), sorted(line)[1:], strict=False)]
    return min(steps, default=1000.0)


def high_in(state: State, width: int, room: int) -> float:
    return float(parsed(state.picture(state.game.seats[0], width=width, height=room)).get("height", "0"))


def test_cards_grow_with_their_room_and_keep_their_size_while_columns_grow() -> None:
    start = game("klondike").start(1)
    small, large = (_paper(parsed(start.picture("A", width=1300, height=high))) for high in (450, 900))
    assert small < large
    later = start
    for _ in range(15):
        later = later.play(later.moves()[0])
        assert _paper(parsed(later.picture("A", width=1300, height=700))) == _paper(
            parsed(start.picture("A", width=1300, height=700))
        )


def _paper(root: ElementTree.Element) -> float:
    piece = next(node for node in root.iter(f"{SVG}g") if node.get("class") == "piece")
    box = next(box for node, box in boxes(piece, known=defined(root)) if node.tag == f"{SVG}rect")
    return box.right - box.left


def test_long_columns_draw_together_before_the_picture_is_higher_than_its_room() -> None:
    state = game("freecell").position({"piles": {"column at 1": "KS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AS"}})
    assert high_in(state, 800, 600) <= 600 < high_in(state, 800, 2000)


def test_an_empty_place_that_would_take_a_line_is_only_named_and_one_to_build_on_is_whole() -> None:
    piquet = parsed(game("piquet").start(1).picture("A", width=360))
    high = {node.get("data-pile"): _high(node) for node in piquet.iter(f"{SVG}g") if node.get("class") == "pile"}
    assert 0 < high["discarded of A"] < 30
    klondike = parsed(game("klondike").position({"piles": {"column at 2": "KS"}}).picture("A", width=360))
    found = {node.get("data-pile"): _high(node) for node in klondike.iter(f"{SVG}g") if node.get("class") == "pile"}
    assert found["column at 1"] == pytest.approx(found["column at 2"], abs=2) and found["foundation of hearts"] > 50
    assert found["waste"] > 50  # beside others it takes no line


def _high(pile: ElementTree.Element) -> float:
    """How high the place of a pile is; 0 where only shared shapes are drawn."""
    place = next(pile.iter(f"{SVG}rect"), None)
    return float(place.get("height", "0")) if place is not None else 0.0


def test_a_card_of_a_trick_says_who_played_it() -> None:
    history = walked(game("spades"), 1, 20).states
    state = next(one for one in history if sum(pile.count for pile in _trick(one)) == 3)
    root = parsed(state.picture("A"))
    for pile in _trick(state):
        node = next(node for node in root.iter(f"{SVG}g") if node.get("data-pile") == pile.key)
        lying = [text.text for text in node.iter(f"{SVG}text")]
        assert (pile.owner in lying) == (pile.count == 0)
    tags = [text.text for text in root.iter(f"{SVG}text") if text.get("fill") == LIGHT.paper]
    assert {pile.owner for pile in _trick(state) if pile.count} <= set(tags)


def _trick(state: State) -> list[PileView]:
    return [pile for pile in state.view("A").piles if pile.family == "trick"]


def test_sheets_lie_beside_the_table_where_there_is_room() -> None:
    state = states("yams")[-1]
    for width, aside in ((1300, True), (600, False)):
        root = parsed(state.picture("A", width=width))
        sheet = next(box for node, box in boxes(root) if node.get("rx") == "4")
        plate = next(box for node, box in boxes(root) if node.tag == f"{SVG}text" and node.get("font-size") == "14")
        assert (sheet.left > plate.right) == aside


def test_every_piece_that_can_be_taken_has_what_is_below_it_beneath_it() -> None:
    state = states("klondike")[-1]
    root = parsed(state.picture("A"))
    found = pieces(root)
    for pile in state.view("A").piles:
        if pile.count > 1:
            below = pile.pieces[-2].sign
            assert found[pile.key, pile.count - 2] == below
        lowest = next(node for node in root.iter(f"{SVG}g") if node.get("data-pile") == pile.key)
        assert next(lowest.iter(f"{SVG}rect")).get("stroke-dasharray")  # a place, when all is taken
