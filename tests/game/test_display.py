"""Display hints of a ruleset, as each seat's view follows them."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import pytest
from exchange import walked
from games import game
from tiers import some_now

from hoyle.game.views.display import PublicState, make_public_state
from hoyle.game.views.view import can_see
from hoyle.language.evaluate import evaluate
from hoyle.language.ir import ABSENT, Expr, Var

SHIPPED = ["hearts", "backgammon", "crapette", "belote", "klondike", "barbu", "scopa", "grabuge", "gin-rummy", "yams"]


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(SHIPPED, 3))
def test_views_show_every_piece_and_point_once(name: str) -> None:
    """The public view knows no piece that not everybody sees: hints are evaluated on it."""
    own = game(name).compiled
    for state in walked(game(name), 1, 12).states:
        for view in (state.view(seat) for seat in (*game(name).seats, None)):
            assert all(sorted(pile.order) == list(range(pile.count)) for pile in view.piles)
            keys = {pile.key for pile in view.piles}
            for board in view.boards:
                assert {*board.points, *board.bar, *board.off} <= keys
                assert len(set(board.labels)) == len(board.points) == len(board.labels)
        known = make_public_state(
            own, state.core, lambda n, at, count, piece: can_see(own, n, at, count, piece, ABSENT)
        )
        for seen, pile in zip(known.setting.piles, state.view(None).piles, strict=False):
            assert [piece >= 0 for piece in seen] == [piece.sign is not None for piece in pile.pieces]


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["crapette", "backgammon", "klondike", "barbu", "yams", "belote"], 2))
def test_compiled_hints_have_the_values_of_their_formulas(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, tried = PublicState.value, list[str]()

    def both(known: PublicState, expr: Expr, names: Mapping[Var, Any]) -> Any:
        found, meant = compiled(known, expr, names), evaluate(expr, known.setting, dict(names))
        assert (list(found) == list(meant)) if expr.type.name == "list" else (found == meant), expr.span.text
        tried.append(expr.type.name)
        return found

    monkeypatch.setattr(PublicState, "value", both)
    for state in walked(game(name), 2, 8).states:
        for seat in (None, *state.game.seats):
            state.view(seat)
    assert tried


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["hearts", "crapette", "backgammon", "grabuge", "spades"], 2))
def test_piles_that_the_next_move_changes_are_shown(name: str) -> None:
    """No pile is left out that the next move takes from or puts on, unless the rules hide it."""
    states, namer = walked(game(name), 1, 40).states, game(name).namer
    compared = 0
    for one, two in pairwise(states):
        if one.place != two.place or one.is_over:
            continue  # more than the move has happened
        layouts = {pile.key: pile.layout for pile in one.view(one.to_act).piles}
        for number in range(len(one.core.piles) - 1):
            if len(one.core.piles[number]) != len(two.core.piles[number]):
                assert layouts[namer.key(number)] != "hidden" or namer.family(number).layout == "hidden"
                compared += 1
    assert compared
