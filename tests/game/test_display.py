"""Display hints of a ruleset, as each seat's view follows them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import pytest
from exchange import exchanged, walked
from games import game
from rules import change_rules, find_rules, load_rules
from tiers import some_now

from interpreter import Game, State, View, load
from interpreter.game.display import BoardView
from interpreter.game.hints import Public, public
from interpreter.game.view import PileView, sees
from interpreter.language.evaluate import evaluate
from interpreter.language.ir import ABSENT, Expr, Var

RANKS = "A23456789TJQK"


@pytest.fixture(scope="module")
def hinted() -> Game:
    return load_rules("game/hinted")


def pile_of(view: View, key: str) -> PileView:
    return next(pile for pile in view.piles if pile.key == key)


def shown(pile: PileView) -> list[str | None]:
    return [pile.pieces[place].sign for place in pile.order]


def told(view: View, name: str) -> dict[str | None, object]:
    return {value.member: value.value for value in view.state if value.name == name}


def after(state: State, count: int) -> State:
    for _ in range(count):
        state = state.play(state.moves()[0])
    return state


def test_a_hidden_piece_equals_nothing_in_a_hint(hinted: Game) -> None:
    """A piece equals itself only where it is seen."""
    for piles, seen in (({"pile": "2H 3H"}, False), ({"pile": "3H"}, True)):
        state = hinted.position({"at": "turn", "to_act": "A", "piles": {**piles, "hand of A": "4S", "hand of B": "5S"}})
        assert told(state.view("A"), "whole") == {None: seen}


def test_a_hand_is_sorted_for_its_owner_alone(hinted: Game) -> None:
    state = hinted.start(seed=1)
    own, other = pile_of(state.view("A"), "hand of A"), pile_of(state.view("A"), "hand of B")
    signs = [sign for sign in shown(own) if sign is not None]
    suits = "SDCH"  # black and red in turn, and trumps last
    assert signs == sorted(signs, key=lambda sign: (suits.index(sign[1]), -RANKS.index(sign[0])))
    assert {sign[1] for sign in signs} >= {"H", "S"}
    assert other.order == tuple(range(9))
    assert own.order != tuple(range(9))
    assert [piece.sign for piece in own.pieces] == [
        piece.sign for piece in pile_of(state.view("A"), "hand of A").pieces
    ]


@pytest.mark.whole
@pytest.mark.parametrize(
    ("held", "suits"),
    [("AS AH AC AD", "HSDC"), ("AS AC AD", "SDC"), ("AH AD AC", "HCD"), ("AH AC AS", "HSC"), ("AD AC", "DC")],
)
def test_colours_alternate_in_a_hand_beside_trumps(held: str, suits: str, tmp_path: Path) -> None:
    game = change_rules("game/hinted", tmp_path, {"[card.suit is trump,": "[card.suit is not trump,"})
    position = {"at": "turn", "to_act": "A", "state": {"trump": "hearts"}, "piles": {"hand of A": held}}
    own = pile_of(game.position(position).view("A"), "hand of A")
    assert "".join((sign or "?")[1] for sign in shown(own)) == suits


def test_an_open_pile_is_shown_in_its_order_while_its_hint_says(hinted: Game) -> None:
    start = hinted.start(seed=1)
    layouts = [pile_of(after(start, count).view("A"), "heap").layout for count in range(4)]
    assert layouts == ["row", "row", "hidden", "row"]
    for seat in ("A", "B", None):
        found = [RANKS.index(str(sign)[0]) for sign in shown(pile_of(after(start, 3).view(seat), "heap"))]
        assert found == sorted(found)


@pytest.mark.whole
def test_an_empty_pile_that_cannot_be_filled_now_is_hidden() -> None:
    """The pack, while tricks are played. The trick and the won cards stay."""
    state = game("spades").start(seed=1)
    while not state.place.endswith("a card"):
        state = state.play(state.moves()[-1])
    layouts = {pile.family: pile.layout for pile in state.view(None).piles}
    assert layouts["pack"] == "hidden"
    assert layouts["trick"] == "row"
    assert layouts["won"] == "count"


def test_each_player_numbers_a_board_from_his_side(hinted: Game) -> None:
    state = hinted.start(seed=1)
    points = tuple(f"ring of {name}" for name in "abcd")
    bars = ("bar of A", "bar of B")
    assert state.view("A").boards == (BoardView("ring", points, ("1", "2", "3", "4"), True, bars, ()),)
    assert state.view("B").boards == (BoardView("ring", points[::-1], ("1", "2", "3", "4"), True, bars, ()),)
    assert state.view(None).boards == state.view("A").boards


@pytest.mark.whole
def test_dice_and_cube_are_shown_at_their_owner() -> None:
    """The cube is in the middle while nobody owns it."""
    start = game("backgammon").start(seed=1)
    owners = {pile.owner for seat in ("white", "black") for pile in start.view(seat).piles if pile.family == "thrown"}
    assert owners == {start.to_act}
    doubling = load("backgammon", {"doubling_cube": True})
    middle = {"game": "backgammon", "options": {"doubling_cube": True}, "at": "turn / offer", "state": {"cube": 2}}
    assert told(doubling.position(middle).view("white"), "cube") == {None: 2}
    held = {**middle, "state": {"cube": 2, "cube_owner": "white"}}
    assert told(doubling.position(held).view("white"), "cube") == {"white": 2}
    assert told(doubling.position(held).view("white"), "cube_owner") == {}
    over = doubling.position({**held, "to_act": "white"}).play("double").play("refuse")
    assert over.is_over and told(over.view("white"), "cube") == {"white": 2}  # nobody decides any more


@pytest.mark.whole
@pytest.mark.parametrize(
    ("hint", "empty", "filled"),
    [
        ("in: turn, while: heap is not empty", "hidden", "row"),
        ("in: [other, game]", "row", "row"),
        ("in: turn", "row", "row"),
        ("in: other", "hidden", "row"),
        ("in: other, while: count(hand of A) > 8", "hidden", "hidden"),
    ],
)
def test_an_empty_pile_is_shown_in_its_phases_alone(hint: str, empty: str, filled: str, tmp_path: Path) -> None:
    changes = {
        "order: card.rank, while: count(heap) is not 2": hint,
        "  turn:\n": "  other: {asked: {choose: [lay]}}\n  turn:\n",
        "    enter:": "    more:    {when: hand of A is empty, by: A, run: other}\n    enter:",
    }
    start = change_rules("game/hinted", tmp_path, changes).start(seed=1)
    assert [pile_of(state.view("A"), "heap").layout for state in (start, after(start, 1))] == [empty, filled]


def test_values_of_hints_are_shown_beside_the_state(hinted: Game) -> None:
    start = hinted.start(seed=1)
    later = after(start, 1)
    assert told(start.view("A"), "cards") == {"A": 9, "B": 9}
    assert told(later.view("B"), "cards") == {"A": 8, "B": 9}
    assert told(start.view(None), "red") == {None: False}
    assert hinted.labels("en")["state"]["cards"] == "cards left"
    assert told(start.view("A"), "trump") == {None: "hearts"}
    lying = pile_of(start.view(None), "pile").pieces
    assert [piece.up for piece in lying] == [False, False, True], "a card that lies face down is absent"
    assert told(start.view("A"), "low") == {None: RANKS.index(str(lying[-1].sign)[0]) + 1}
    assert told(later.view("A"), "trump") == {}, "the hint shows it while the heap is empty"
    assert told(later.view("A"), "unseen") == {}, "a sum with an absent value is no number"
    ranks = [RANKS.index(str(piece.sign)[0]) + 1 for piece in pile_of(later.view(None), "heap").pieces]
    assert told(later.view("A"), "seen") == {None: sum(ranks)}


def test_hints_are_no_part_of_the_digest(hinted: Game, tmp_path: Path) -> None:
    hints = find_rules("game/hinted").read_text(encoding="utf-8").partition("display:")
    plain = change_rules("game/hinted", tmp_path, {"".join(hints[1:]): ""})
    saved = after(hinted.start(seed=1), 2)
    assert plain.digest == hinted.digest
    assert plain.resume(saved.to_json()).moves() == saved.moves()


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
        known = public(own, state.core, lambda n, at, count, piece: sees(own, n, at, count, piece, ABSENT))
        for seen, pile in zip(known.setting.piles, state.view(None).piles, strict=False):
            assert [piece >= 0 for piece in seen] == [piece.sign is not None for piece in pile.pieces]


@pytest.mark.whole
def test_no_hint_tells_what_is_hidden(hinted: Game) -> None:
    """Exchanging pieces that a seat never saw changes nothing in its view."""
    compared = 0
    for seed in (1, 2):
        history = walked(hinted, seed, 3)
        for seat in hinted.seats:
            for other, _, _ in islice(exchanged(history, seat, seed), 2):
                for one, two in zip(history.states, other.states, strict=True):
                    views = [state.view(seat) for state in (one, two)]
                    assert views[0].piles == views[1].piles
                    assert views[0].state == views[1].state
                compared += 1
    assert compared > 2


@pytest.mark.whole
@pytest.mark.parametrize("name", some_now(["crapette", "backgammon", "klondike", "barbu", "yams", "belote"], 2))
def test_compiled_hints_have_the_values_of_their_formulas(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, tried = Public.value, list[str]()

    def both(known: Public, expr: Expr, names: Mapping[Var, Any]) -> Any:
        found, meant = compiled(known, expr, names), evaluate(expr, known.setting, dict(names))
        assert (list(found) == list(meant)) if expr.kind.name == "list" else (found == meant), expr.span.text
        tried.append(expr.kind.name)
        return found

    monkeypatch.setattr(Public, "value", both)
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
