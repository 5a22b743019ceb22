"""What a ruleset hints of how things lie, in the view of every seat."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from exchange import exchanged, walked
from games import FEW, game, names
from tiers import in_tiers

from interpreter import Game, State, View, load
from interpreter.cli.drawing.lines import holding, in_order, look_of
from interpreter.game.display import BoardView
from interpreter.game.hints import Public, public
from interpreter.game.view import PileView, sees
from interpreter.language.evaluate import evaluate
from interpreter.language.ir import ABSENT, Expr, Var



@pytest.fixture(scope="module")
def hinted(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("hinted") / "hinted.yaml"
    path.write_text(HINTED, encoding="utf-8")
    return load(path)


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


def test_what_is_hidden_is_like_nothing_in_a_compiled_hint_either(hinted: Game) -> None:
    """A piece is like itself, unless it is not seen: then nobody can say so."""
    for piles, seen in (({"pile": "2H 3H"}, False), ({"pile": "3H"}, True)):
        state = hinted.position({"at": "turn", "to_act": "A", "piles": {**piles, "hand of A": "4S", "hand of B": "5S"}})
        assert told(state.view("A"), "whole") == {None: seen}


def test_a_hand_lies_as_its_hint_says_and_what_is_not_seen_as_it_lies(hinted: Game) -> None:
    state = hinted.start(seed=1)
    own, other = pile_of(state.view("A"), "hand of A"), pile_of(state.view("A"), "hand of B")
    signs = [sign for sign in shown(own) if sign is not None]
    ranks = "A23456789TJQK"
    suits = "SDCH"  # black and red in turn, and trumps last
    assert signs == sorted(signs, key=lambda sign: (suits.index(sign[1]), -ranks.index(sign[0])))
    assert {sign[1] for sign in signs} >= {"H", "S"}
    assert other.order == tuple(range(9))
    assert own.order != tuple(range(9))
    assert [piece.sign for piece in own.pieces] == [
        piece.sign for piece in pile_of(state.view("A"), "hand of A").pieces
    ]


@pytest.mark.parametrize(
    ("held", "suits"),
    [
        ("AS AH AC AD", "HSDC"),  # trumps apart, before them nothing
        ("AS AC AD", "SDC"),
        ("AH AD AC", "HCD"),
        ("AH AC AS", "HSC"),
        ("AD AC", "DC"),
    ],
)
def test_colours_alternate_in_what_is_left_beside_trumps_too(held: str, suits: str, tmp_path: Path) -> None:
    path = tmp_path / "held.yaml"
    path.write_text(HINTED.replace("[card.suit is trump,", "[card.suit is not trump,"), encoding="utf-8")
    position = {"at": "turn", "to_act": "A", "state": {"trump": "hearts"}, "piles": {"hand of A": held}}
    own = pile_of(load(path).position(position).view("A"), "hand of A")
    assert "".join((sign or "?")[1] for sign in shown(own)) == suits


def test_what_lies_open_is_shown_in_its_order_to_everybody(hinted: Game) -> None:
    state = after(hinted.start(seed=1), 3)
    ranks = "A23456789TJQK"
    for seat in ("A", "B", None):
        found = [ranks.index(str(sign)[0]) for sign in shown(pile_of(state.view(seat), "heap"))]
        assert found == sorted(found)


def test_a_pile_is_hidden_while_it_plays_no_part(hinted: Game) -> None:
    start = hinted.start(seed=1)
    layouts = [pile_of(after(start, count).view("A"), "heap").layout for count in range(4)]
    assert layouts == ["row", "row", "hidden", "row"]


def test_an_empty_pile_that_nothing_comes_to_now_is_hidden() -> None:
    """The pack, while tricks are played; what a trick is made of stays, and so does what is won."""
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


def test_what_somebody_holds_lies_at_his_place() -> None:
    """Dice at who threw them, the cube at its owner, and in the middle while nobody owns it."""
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


PLACED = [
    ("in: turn", "row", "row"),
    ("in: [other, game]", "row", "row"),
    ("in: other", "hidden", "row"),
    ("in: turn, while: heap is not empty", "hidden", "row"),
    ("in: other, while: count(hand of A) > 8", "hidden", "hidden"),
]


@pytest.mark.parametrize(("hint", "empty", "filled"), PLACED)
def test_an_empty_pile_has_its_place_in_its_phases(hint: str, empty: str, filled: str, tmp_path: Path) -> None:
    """Elsewhere only with something in it."""
    text = HINTED.replace("order: card.rank, while: count(heap) is not 2", hint)
    text = text.replace("  turn:\n", "  other: {asked: {choose: [lay]}}\n  turn:\n")
    text = text.replace("    enter:", "    more:    {when: hand of A is empty, by: A, run: other}\n    enter:")
    path = tmp_path / "hinted.yaml"
    path.write_text(text, encoding="utf-8")
    start = load(path).start(seed=1)
    assert [pile_of(state.view("A"), "heap").layout for state in (start, after(start, 1))] == [empty, filled]


def test_values_that_no_rule_keeps_are_shown_beside_the_state(hinted: Game) -> None:
    start = hinted.start(seed=1)
    assert told(start.view("A"), "cards") == {"A": 9, "B": 9}
    assert told(after(start, 1).view("B"), "cards") == {"A": 8, "B": 9}
    assert told(start.view(None), "red") == {None: False}
    assert hinted.labels("en")["state"]["cards"] == "cards left"


TRUMPS = {
    "game": "belote",
    "at": "play to the trick / a card",
    "to_act": "A",
    "piles": {"hand of A": "AS 7H JH 9H TH AH KC TC", "hand of B": "?*8", "hand of C": "?*8", "hand of D": "?*8"},
    "state": {"trump": "hearts", "bidder": "A", "leader": "A", "dealer": "D"},
}


def test_trumps_stand_apart_in_a_hand_by_what_they_beat() -> None:
    state = game("belote").position(TRUMPS)
    view = state.view("A")
    assert shown(pile_of(view, "hand of A")) == ["AS", "KC", "TC", "7H", "TH", "AH", "9H", "JH"]
    moves = [move.id.split()[-1] for move in in_order(state.moves(), holding(look_of(game("belote")), view))]
    assert moves == shown(pile_of(view, "hand of A"))


LAID = {
    "game": "barbu",
    "at": "réussite",
    "piles": {
        "layout": {"spades": "7S 8S 6S 9S 5S"},
        "hand of A": "TS",
        "hand of B": "4S",
        "hand of C": "JS",
        "hand of D": "3S",
    },
    "state": {"dealer": "A", "contract": "reussite", "opening": "seven"},
}


def test_what_is_laid_out_goes_by_rank_and_is_shown_while_it_is_played() -> None:
    laid = game("barbu").position(LAID)
    assert shown(pile_of(laid.view("A"), "layout of spades")) == ["5S", "6S", "7S", "8S", "9S"]
    assert {p.layout for p in laid.view("A").piles if p.family == "layout"} == {"row"}
    start = game("barbu").start(seed=1)
    assert {p.layout for p in start.view("A").piles if p.family == "layout"} == {"hidden"}


def test_doubles_that_are_owed_are_shown() -> None:
    start = game("barbu").start(seed=1)
    assert sorted(told(start.view(None), "owed_doubles").values()) == [2, 2, 2]  # type: ignore[type-var]


def test_state_is_shown_while_its_hint_says(hinted: Game) -> None:
    start = hinted.start(seed=1)
    assert told(start.view("A"), "trump") == {None: "hearts"}
    assert told(after(start, 1).view("A"), "trump") == {}


def test_what_lies_face_down_counts_as_absent(hinted: Game) -> None:
    """The lowest of three cards, of which all see one."""
    for seed in range(1, 9):
        state = hinted.start(seed=seed)
        lying = pile_of(state.view(None), "pile").pieces
        assert [piece.up for piece in lying] == [False, False, True]
        rank = "A23456789TJQK".index(str(lying[-1].sign)[0]) + 1
        assert told(state.view("A"), "low") == {None: rank}


def test_a_sum_with_what_is_absent_in_it_is_no_number_and_not_shown(hinted: Game) -> None:
    state = after(hinted.start(seed=1), 1)
    assert told(state.view("A"), "unseen") == {}
    ranks = ["A23456789TJQK".index(str(piece.sign)[0]) + 1 for piece in pile_of(state.view(None), "heap").pieces]
    assert told(state.view("A"), "seen") == {None: sum(ranks)}


def test_the_points_of_a_deal_are_shown_where_its_tricks_lie_open() -> None:
    given = {"contract": "coeurs", "leader": "A", "dealer": "A"}
    piles = {"won of B": "AH 2H", "won of C": "3H KC", "hand": {seat: f"{n}S" for n, seat in enumerate("ABCD", 4)}}
    state = game("barbu").position({"game": "barbu", "at": "play to the trick", "piles": piles, "state": given})
    assert told(state.view("D"), "in_deal") == {"A": 0, "B": -8, "C": -2, "D": 0}


def test_hints_are_no_part_of_the_game(hinted: Game, tmp_path: Path) -> None:
    plain = tmp_path / "hinted.yaml"
    plain.write_text(HINTED[: HINTED.index("display:")], encoding="utf-8")
    saved = after(hinted.start(seed=1), 2)
    assert load(plain).digest == hinted.digest
    assert load(plain).resume(saved.to_json()).moves() == saved.moves()


@pytest.mark.parametrize(
    "name", in_tiers([name for name, _ in names()], quick=["hearts"], whole=["hearts", "backgammon"])
)
def test_views_show_every_piece_once(name: str) -> None:
    """Whatever is hinted of a shipped game: every order has all places, and every point of a board is a pile with a name of its own."""
    for state in walked(game(name), 1, 12).states:
        for view in (state.view(seat) for seat in (*game(name).seats, None)):
            assert all(sorted(pile.order) == list(range(pile.count)) for pile in view.piles)
            keys = {pile.key for pile in view.piles}
            for board in view.boards:
                assert {*board.points, *board.bar, *board.off} <= keys
                assert len(set(board.labels)) == len(board.points) == len(board.labels)


@pytest.mark.whole
def test_no_hint_tells_what_is_hidden(hinted: Game) -> None:
    """Pieces that a seat never saw are exchanged, and nothing changes in what it sees, whatever the hints ask for."""
    compared = 0
    for seed in range(1, 5):
        history = walked(hinted, seed, 3)
        for seat in hinted.seats:
            for other, _, _ in exchanged(history, seat, seed):
                for one, two in zip(history.states, other.states, strict=True):
                    views = [state.view(seat) for state in (one, two)]
                    assert views[0].piles == views[1].piles
                    assert views[0].state == views[1].state
                compared += 1
    assert compared > 4


@pytest.mark.parametrize(
    "name", in_tiers([name for name, _ in names()], quick=["belote"], whole=["klondike", "barbu", "crapette"])
)
def test_hints_are_worked_out_without_what_is_hidden(name: str) -> None:
    """Of a shipped game: nothing that not everybody sees is among what hints look at."""
    own = game(name).compiled
    for state in walked(game(name), 2, 8).states:
        known = public(own, state.core, lambda n, at, count, piece: sees(own, n, at, count, piece, ABSENT))
        for seen, pile in zip(known.setting.piles, state.view(None).piles, strict=False):
            assert [piece >= 0 for piece in seen] == [piece.sign is not None for piece in pile.pieces]


@pytest.mark.parametrize(
    "name", in_tiers([name for name, _ in names()], quick=["backgammon"], whole=["klondike", "barbu", "crapette"])
)
def test_compiled_hints_are_what_their_formulas_mean(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
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
    assert tried or not list(game(name).ruleset.display.formulas)


@pytest.mark.parametrize("name", in_tiers(FEW, quick=["hearts"], whole=FEW[::2]))
def test_what_a_move_changes_is_not_hidden(name: str) -> None:
    """No pile is left out that the next move takes from or puts on, unless the rules hide it."""
    states, namer = walked(game(name), 1, 40).states, game(name).namer
    compared = 0
    for one, two in pairwise(states):
        if one.place != two.place or one.is_over:
            continue  # more than the move has happened
        lie = {pile.key: pile.layout for pile in one.view(one.to_act).piles}
        for number in range(len(one.core.piles) - 1):
            if len(one.core.piles[number]) != len(two.core.piles[number]):
                assert lie[namer.key(number)] != "hidden" or namer.family(number).layout == "hidden"
                compared += 1
    assert compared
