"""Positions: how pieces are counted, and that whatever is wrong with one is told at its place and at once."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from games import game

from interpreter import load
from interpreter.diagnostics import Refused, Source
from interpreter.game.game import Game
from interpreter.game.positions import to_position
from interpreter.reading.yaml_tree import load as tree


@pytest.fixture(scope="module")
def hearts() -> Game:
    return game("hearts")


@pytest.fixture(scope="module")
def backgammon() -> Game:
    return game("backgammon")


def codes(game: Game, text: str) -> list[str]:
    with pytest.raises(Refused) as refused:
        game.position(tree(Source("p.yaml", text)))
    return [d.code for d in refused.value.diagnostics]


@pytest.mark.parametrize("written", ["3 white", "white*3", "white white white", "white, white, white", "2 white white"])
def test_so_many_pieces(backgammon: Game, written: str) -> None:
    state = backgammon.position({"piles": {"arrow at 6": written}})
    assert sum(map(len, state.core.piles)) == 3


@pytest.mark.parametrize(
    "written",
    ["4C*²", "² 4C", "4C*x", "4C*-1", "4C*", "*", "x" * 5000, "9" * 5000, f"{'9' * 5000} 4C", f"4C*{'9' * 5000}"],
)
def test_what_is_no_piece(hearts: Game, written: str) -> None:
    assert set(codes(hearts, f'piles: {{hand of A: "{written}"}}')) <= {"R704", "R705", "R706"}


@pytest.mark.parametrize(
    "name", ["hand of A at " + "9" * 5000, "hand at ²", "x" * 300, "hand of " + "A" * 5000, "", "of", " "]
)
def test_what_is_no_pile(hearts: Game, name: str) -> None:
    assert set(codes(hearts, f'piles: {{"{name}": 4C}}')) <= {"R703", "R016", "R021"}


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "just a text",
        "piles: [4C]",
        "piles: {hand of A: {4C: {}}}",
        "piles: {hand of A: [[4C]]}",
        "piles: {hand of A: 1.5}",
        "state: [1]",
        "state: 5",
        "state: {taken of A: {x: {}}}",
        "options: [1]",
        "options: {shooting: {}}",
        "at: [play]",
        "to_act: {A: B}",
        "seed: x",
        "game: ../elsewhere",
        "nonsense: 1",
    ],
)
def test_what_is_no_position(hearts: Game, text: str) -> None:
    assert codes(hearts, text)


@pytest.mark.parametrize(
    "written",
    ["?*1000 " * 2000, *(pytest.param(sign * 200_000, marks=pytest.mark.whole) for sign in ("4C ", "zz ", "? "))],
)
def test_no_more_is_read_than_could_be_right(hearts: Game, written: str) -> None:
    begun = time.process_time()
    assert len(codes(hearts, f"piles: {{hand of A: {written}}}")) <= 20
    assert time.process_time() - begun < 2


def test_a_position_that_stands_nowhere_has_values_and_no_moves(hearts: Game) -> None:
    state = hearts.position({"piles": {"hand of A": "2C"}})
    assert state.value("count(hand of A)").plain == 1
    assert state.view("A").moves == ()
    for ask in (state.moves, lambda: state.play("play 2C")):
        with pytest.raises(Refused) as refused:
            ask()
        assert [d.code for d in refused.value.diagnostics] == ["R712"]
    assert not state.why("play 2C").known


@pytest.mark.parametrize("seed", ["x", None, 1.5, [1]])
def test_a_seed_is_a_whole_number(hearts: Game, seed: Any) -> None:
    for begin in (hearts.start, hearts.playout):
        with pytest.raises(TypeError, match="a seed is a whole number"):
            begin(seed)


def test_pieces_without_signs_are_written_by_their_names() -> None:
    game = load(Path(__file__).parents[1] / "checking" / "diagnostics" / "_game.yaml")
    text = "at: turn / play\nto_act: A\npiles: {hand of A: four hearts Two Spades, hand of B: [ace hearts], heap: 1 ace spades}"
    state = game.position(tree(Source("p.yaml", text)))
    held = to_position(game.compiled, state.core, everything=True)["piles"]
    assert held["hand of A"] == "four hearts two spades"
    assert held["heap"] == "ace spades"
    assert game.position(tree(Source("p.yaml", text))).core.key() == state.core.key()
    assert codes(game, "piles: {heap: ace}") == ["R705"]


def test_a_piece_without_a_sign_is_a_value_by_its_name(tmp_path: Path) -> None:
    small = Path(__file__).parents[1] / "checking" / "diagnostics" / "_game.yaml"
    text = small.read_text(encoding="utf-8").replace("state:\n", "state:\n  kept: {kind: card, optional: true}\n")
    (tmp_path / "kept.yaml").write_text(text, encoding="utf-8")
    state = load(tmp_path / "kept.yaml").position({"state": {"kept": "Ace Hearts"}})
    assert state.value("kept").plain == "ace hearts"




def test_signs_of_several_words(tmp_path: Path) -> None:
    (tmp_path / "bag.yaml").write_text(BAG, encoding="utf-8")
    game = load(tmp_path / "bag.yaml")
    state = game.position({"piles": {"bag": "big red big big red ace"}})
    assert [game.compiled.namer.signs[piece >> 1] for piece in state.core.piles[0]] == ["big red", "big", "big red ace"]


def test_pieces_that_lie_face_down_where_others_lie_face_up(tmp_path: Path) -> None:
    (tmp_path / "bag.yaml").write_text(BAG, encoding="utf-8")
    game = load(tmp_path / "bag.yaml")
    written = to_position(game.compiled, game.start().core, everything=True)["piles"]
    assert written == {"bag": "big big red big red ace |"}
    assert to_position(game.compiled, game.position({"piles": written}).core, everything=True)["piles"] == written


FIVE = ", ".join(f"{name}: {{by: A, run: inner}}" for name in ("one", "two", "three", "four", "five"))


@pytest.fixture(scope="module")
def somewhere(tmp_path_factory: pytest.TempPathFactory) -> Game:
    path = tmp_path_factory.mktemp("somewhere") / "somewhere.yaml"
    path.write_text(SOMEWHERE.replace("FIVE", FIVE), encoding="utf-8")
    return load(path)


@pytest.mark.parametrize(
    ("seat", "scores"), [("A", {"A": 0, "B": 1}), ("B", {"A": 1, "B": 0}), (None, {"A": 0, "B": 1})]
)
def test_a_step_somebody_does_leads_to_who_decides_after_it(
    somewhere: Game, seat: str | None, scores: dict[str, int]
) -> None:
    """Whoever acts in the end, and not in the step where the position stands."""
    state = somewhere.position({"at": "turn / gift", **({"to_act": seat} if seat else {})})
    assert (state.to_act, state.scores) == (seat or "A", scores)


def test_a_place_that_could_be_one_of_several(somewhere: Game) -> None:
    with pytest.raises(Refused) as refused:
        somewhere.position({"at": "ask"})
    (told,) = refused.value.diagnostics
    places = [f"game / {name} / inner / ask" for name in ("one", "two", "three", "four")]
    assert (told.code, told.notes) == ("R711", (*places,))  # enough to see how it is said


@pytest.mark.parametrize("seed", range(5))
def test_a_throw_is_given_by_the_dice_that_lie_ready(seed: int) -> None:
    state = game("yams").position({"at": "turn / throw", "to_act": "A", "piles": {"cup": "6 6 6 2 3"}}, seed)
    thrown = next(event for event in state.events if event.kind == "roll").data["roll"]
    assert sorted(thrown) == ["2", "3", "6", "6", "6"]


@pytest.mark.parametrize(("knocker", "other"), ["AB", "BA"])
def test_who_acts_around_a_place_follows_from_who_acts_there(knocker: str, other: str) -> None:
    """The opponent of whoever knocked answers, though nothing in the position but his name says who that is."""
    piles = {f"deadwood of {knocker}": "3S", f"hand of {other}": "KD"}
    at = {"at": "showdown / against", "to_act": other, "state": {"knocker": knocker}, "piles": piles}
    state = game("gin-rummy").position(at)
    assert state.place.endswith("showdown / against")
    assert state.to_act == other
