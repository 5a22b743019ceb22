"""Pictures of every shipped game: well-formed, the same again, nothing outside, all that is seen and no more."""

from __future__ import annotations

from functools import cache

import pytest
from drawn import boxes, parsed, pieces, piles
from exchange import exchanged, walked
from games import FEW, game, names
from tiers import in_tiers, sized

from interpreter import State
from interpreter.game.view import PileView, View
from interpreter.pictures.theme import theme

SOME = in_tiers([name for name, _ in names()], quick=["klondike", "backgammon"], whole=[*FEW[::3], "yams", "cribbage"])
WIDTHS = (360, 800, 1400)


@cache
def states(name: str) -> list[State]:
    """A game as it begins, and how it stands later."""
    history = walked(game(name), 3, sized(12, 60)).states
    return [history[0], history[len(history) // 2], history[-1]]


def shown(view: View) -> list[PileView]:
    return [pile for pile in view.piles if pile.layout != "hidden"]


@pytest.mark.parametrize("name", SOME)
def test_every_pile_is_there_once_and_every_piece_that_is_seen(name: str) -> None:
    for state in states(name):
        for seat in (None, game(name).seats[0]):
            view = state.view(seat)
            root = parsed(state.picture(seat))
            assert sorted(piles(root)) == sorted(pile.key for pile in shown(view))
            found = pieces(root)
            for pile in shown(view):
                drawn = {height: sign for (key, height), sign in found.items() if key == pile.key}
                assert all(pile.pieces[height].sign == sign for height, sign in drawn.items())
                assert not pile.pieces or len(pile.pieces) - 1 in drawn  # at least the top of a stack
                stacked = pile.layout == "count" or len(drawn) <= 2
                upper = set(range(max(0, len(pile.pieces) - 2), len(pile.pieces)))  # and what is below it
                assert drawn.keys() == (upper if stacked else set(range(pile.count)))


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_lies_outside(name: str, width: int) -> None:
    for state in states(name):
        root = parsed(state.picture(game(name).seats[-1], lang="fr", width=width))
        _, _, wide, high = map(float, root.get("viewBox", "").split())
        assert wide == width
        for node, box in boxes(root):
            assert box.left > -1 and box.top > -1 and box.right < wide + 1 and box.bottom < high + 1, (node.attrib, box)


ROUGHLY = 1.05
"""Smaller cards may lie in other lines."""
ROOMS = ((1400, 800), (412, 800))


@pytest.mark.parametrize("name", SOME)
def test_a_higher_room_is_used_and_nothing_lies_outside(name: str) -> None:
    for state in states(name):
        for width, height in ROOMS:
            low, high = (
                parsed(state.picture(game(name).seats[0], width=width, height=h)) for h in (height // 3, height)
            )
            tall = [float(root.get("height", "0")) for root in (low, high)]
            assert tall[0] <= tall[1] * ROUGHLY and tall[1] < max(height, tall[0]) + 20
            for root, bottom in zip((low, high), tall, strict=True):
                assert all(box.right < width + 1 and box.bottom < bottom + 1 for _, box in boxes(root))


@pytest.mark.parametrize("name", SOME)
def test_the_same_view_gives_the_same_text(name: str) -> None:
    for state in states(name):
        again = state.game.resume(state.to_json())
        for seat in (None, *state.game.seats):
            look = theme("dark", four_colours=True)
            assert state.picture(seat, theme=look) == again.picture(seat, theme=look)


@pytest.mark.parametrize("name", in_tiers(FEW, quick=["spades"], whole=FEW))
def test_pieces_that_a_seat_does_not_see_change_nothing_in_it(name: str) -> None:
    history = walked(game(name), 2, 9)
    compared = 0
    for seat in game(name).seats:
        for other, _, _ in exchanged(history, seat, 5):
            for one, two in zip(history.states, other.states, strict=True):
                assert one.picture(seat) == two.picture(seat)
            compared += 1
            break
    assert compared or name not in ("spades", "hearts", "klondike", "barbu")
