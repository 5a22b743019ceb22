"""Pictures of shipped games: inside their frame, reproducible, with every visible piece and no other."""

from functools import cache
from xml.etree import ElementTree

import pytest
from drawn import SVG, boxes, defined, parsed, pieces, piles, used
from exchange import exchanged, walked
from games import game, originals
from tiers import in_tiers

from hoyle import State
from hoyle.game.views.view import View
from hoyle.pictures.shapes import share_faces

pytestmark = pytest.mark.whole
FORMS = ["cribbage", "backgammon", "crapette", "yams", "barbu-3p", "scopa", "spider", "piquet", "grabuge-8", "jacquet"]
"""Tracks, boards, columns, sheets, tricks, and many of each."""
LOOKS = ((800, "en"), (360, "fr"), (1400, "fr"))
"""Widths and languages, one for each state of a game."""


@cache
def states(name: str) -> list[State]:
    """A game at its start, in its middle and after twenty moves."""
    history = walked(game(name), 3, 20).states
    return [history[0], history[len(history) // 2], history[-1]]


def check_inside(root: ElementTree.Element, width: float, height: float) -> None:
    for node, box in boxes(root):
        assert box.left > -1 and box.top > -1 and box.right < width + 1 and box.bottom < height + 1, (node.attrib, box)


def check_pieces(root: ElementTree.Element, view: View) -> None:
    shown = [pile for pile in view.piles if pile.layout != "hidden"]
    assert sorted(piles(root)) == sorted(pile.key for pile in shown)
    found = pieces(root)
    for pile in shown:
        drawn = {height: sign for (key, height), sign in found.items() if key == pile.key}
        assert all(pile.pieces[height].sign == sign for height, sign in drawn.items())
        assert not pile.pieces or len(pile.pieces) - 1 in drawn  # at least the top of a stack
        stacked = pile.layout == "count" or len(drawn) <= 2
        upper = set(range(max(0, len(pile.pieces) - 2), len(pile.pieces)))  # the top and the piece below it
        assert drawn.keys() == (upper if stacked else set(range(pile.count)))


@pytest.mark.parametrize("name", in_tiers(FORMS, whole=FORMS[:4]))
def test_pictures_show_every_visible_piece_inside_the_frame(name: str) -> None:
    for state, (width, lang) in zip(states(name), LOOKS, strict=True):
        for seat in (None, state.game.seats[-1]):
            root = parsed(state.picture(seat, lang=lang, width=width))
            _, _, wide, high = map(float, root.get("viewBox", "").split())
            assert wide == width
            check_inside(root, wide, high)
            check_pieces(root, state.view(seat))


@pytest.mark.slow
def test_no_picture_of_any_game_leaves_its_frame() -> None:
    for name in originals():
        root = parsed(states(name)[-1].picture(None, lang="fr", width=360))
        check_inside(root, *map(float, root.get("viewBox", "").split()[2:]))


ROUGHLY = 1.05
"""Smaller cards may lie in other lines."""


@pytest.mark.parametrize("name", in_tiers(FORMS, whole=["crapette", "yams"]))
def test_higher_rooms_are_used(name: str) -> None:
    state = states(name)[-1]
    for width, height in ((1400, 800), (412, 800)):
        roots = [parsed(state.picture(state.game.seats[0], width=width, height=h)) for h in (height // 3, height)]
        low, high = (float(root.get("height", "0")) for root in roots)
        assert low <= high * ROUGHLY and high < max(height, low) + 20
        for root, bottom in zip(roots, (low, high), strict=True):
            check_inside(root, width, bottom)


@pytest.mark.parametrize("name", in_tiers(["spades", "hearts", "klondike", "barbu"], whole=["klondike"]))
def test_unseen_pieces_change_nothing(name: str) -> None:
    history, compared = walked(game(name), 2, 9), 0
    for seat in game(name).seats:
        other = next((found for found, _, _ in exchanged(history, seat, 5)), None)
        if other is not None:
            compared += 1
            for one, two in zip(history.states[::3], other.states[::3], strict=True):
                assert one.picture(seat) == two.picture(seat)
    assert compared


# ---- what is drawn more than once --------------------------------------------------------------------------------------

FACE = '<rect width="1"/><g fill="#000" color="#000"><use href="#hoyle-heart"/></g>'


def test_only_what_is_there_twice_is_shared_and_by_what_it_is() -> None:
    once, none = share_faces(f"<g>{FACE}</g>")
    assert once == f"<g>{FACE}</g>" and not none
    twice, faces = share_faces(f"<g>{FACE}</g><g>{FACE}</g>")
    other, again = share_faces(f"<a/>{FACE}{FACE}{FACE}")
    assert twice.count("<use") == 2 and faces.count(FACE) == 1
    assert faces == again and other.count("<use") == 3


def test_all_that_is_used_is_defined_and_equal_cards_show_the_same() -> None:
    state = states("grabuge-8")[-1]
    root = parsed(state.picture("A"))
    known, shown = defined(root), dict[str, set[tuple[str, ...]]]()
    for node in root.iter(f"{SVG}g"):
        if node.get("class") == "piece" and node.get("data-sign"):
            shown.setdefault(node.get("data-sign", ""), set()).add(tuple(used(node, known)))
    assert shown and all(len(found) <= 2 for found in shown.values())  # in columns they lie beside their suits
    assert any("-face-" in node.get("href", "") for node in root.iter(f"{SVG}use"))
