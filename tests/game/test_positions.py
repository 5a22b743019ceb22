"""Positions: how they are read and written back, and that each mistake in one is reported at its place."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from games import game
from rules import change_rules, load_rules, read_cases

from interpreter import load
from interpreter.diagnostics import Refused, Source
from interpreter.game.game import Game, State
from interpreter.game.positions import as_node, to_position
from interpreter.reading.yaml_tree import load as tree

SMALL = Path(__file__).parents[1] / "checking" / "diagnostics" / "_game.yaml"


@pytest.fixture
def keys() -> Game:
    return load_rules("game/keys")


def whole(state: State) -> dict[str, Any]:
    return to_position(state.game.compiled, state.core, everything=True)


def codes(game: Game, position: Any) -> list[str]:
    with pytest.raises(Refused) as refused:
        game.position(tree(Source("p.yaml", position)) if isinstance(position, str) else position)
    return [d.code for d in refused.value.diagnostics]


WHOLE: dict[str, Any] = {
    "game": "keys",
    "options": {"mode": "short", "size": 2},
    "at": "game / round / turn / card",
    "to_act": "B",
    "piles": {"pack": "2S | 3S", "hand of B": "KC KD", "row at 2": "4S 5H", "heap": "6S 7S"},
    "state": {"dealer": "C", "won of long": 3, "marks of 4 of B": 2, "trump": "hearts", "open": True},
}


def test_a_position_is_written_back_as_it_was_read(keys: Game) -> None:
    state = keys.position(WHOLE)
    assert whole(state) == WHOLE
    assert [m.id for m in state.moves()][:2] == ["lay KC -> 1", "lay KC -> 2"]
    assert to_position(keys.compiled, state.core, "B")["piles"]["hand of B"] == "KC KD"
    public = to_position(keys.compiled, state.core, None)["piles"]
    assert (public["hand of B"], public["pack"], public["heap"]) == ("? ?", "? | 3S", "? 7S")
    shown = {(v.name, v.member): v.value for v in state.view(None).state}
    assert [m for n, m in shown if n == "marks"] == [f"{i} of {p}" for i in (3, 4, 5) for p in "ABC"]
    values = [shown[key] for key in (("won", "long"), ("won", "short"), ("marks", "4 of B"), ("trump", None))]
    assert values == [3, 0, 2, "hearts"]


def test_piles_and_state_may_be_written_together(keys: Game) -> None:
    for case in read_cases("game/positions")["written together"]:
        ((section, _),) = case["given"].items()
        written = whole(keys.position({"at": "last", **case["given"]}))[section]
        if section == "state":
            assert written == case["found"]
        for name, pieces in case["found"].items() if section == "piles" else ():
            there = written[name].replace("| ", "").split()
            assert all(p in ("?", w) for p, w in zip(pieces.split(), there, strict=True)), case


def test_a_position_is_at_a_place_with_an_actor(keys: Game) -> None:
    for case in read_cases("game/positions")["places"]:
        state = keys.position(case["position"])
        assert (state.to_act, state.place) == (case["actor"], case["place"])


def test_turns_go_on_from_the_actor(keys: Game) -> None:
    """With C as the dealer, B is the last of the round."""
    state = keys.position({"at": "turn", "to_act": "B", "state": {"dealer": "C"}}).play("stop")
    assert (state.to_act, state.place) == ("A", "game / last")


def test_options_of_a_position_choose_its_game(keys: Game) -> None:
    state = keys.position({"options": {"mode": "long"}, "at": "last"})
    assert (state.game.options["mode"], keys.options["mode"]) == ("long", "short")
    assert keys.position({"options": {"mode": "short"}, "at": "last"}).game is keys


def test_a_mistake_is_reported_at_its_place(keys: Game) -> None:
    for case in read_cases("game/positions")["mistakes"]:
        with pytest.raises(Refused) as refused:
            keys.position(case["position"])
        (found, *_) = refused.value.diagnostics
        assert found.code == case["code"] and found.span is not None, case
        assert case["message"] in f"{found.message}; {found.help}"


def test_all_mistakes_are_reported_at_once(keys: Game) -> None:
    wrong = {"piles": {"heap": "2X 3Y"}, "state": {"one": 1, "won of long": 10}}
    assert codes(keys, wrong) == ["R705", "R705", "R707", "R708"]
    assert as_node({"at": "turn"}).pairs["at"][1].span.text == '"turn"'


@pytest.mark.whole
@pytest.mark.parametrize(
    "text",
    [
        *("piles: {hand of A: {4C: {}}}", "state: {taken of A: {x: {}}}", "[]", "just a text", "piles: [4C]"),
        *("piles: {hand of A: [[4C]]}", "piles: {hand of A: 1.5}", "state: [1]", "state: 5", "options: [1]"),
        *("options: {shooting: {}}", "at: [play]", "to_act: {A: B}", "seed: x", "game: ../elsewhere", "nonsense: 1"),
    ],
)
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    assert codes(game("hearts"), text)


@pytest.mark.parametrize(
    ("name", "pieces"),
    [
        *(("hand of A", written) for written in ("4C*²", "² 4C", "4C*x", "4C*-1", "4C*", "*", "x" * 5000)),
        *(("hand of A", written) for written in ("9" * 5000, f"{'9' * 5000} 4C", f"4C*{'9' * 5000}")),
        *((name, "4C") for name in ("hand at ²", "hand of A at " + "9" * 5000, "x" * 300, "hand of " + "A" * 5000)),
        *((name, "4C") for name in ("", "of", " ")),
    ],
    ids=range(17),
)
def test_odd_pieces_and_piles_are_refused(name: str, pieces: str) -> None:
    found = set(codes(game("hearts"), f'piles: {{"{name}": "{pieces}"}}'))
    assert found <= ({"R704", "R705", "R706"} if name == "hand of A" else {"R703", "R016", "R021"})


@pytest.mark.whole
@pytest.mark.parametrize("written", ["?*1000 " * 2000, *(sign * 50_000 for sign in ("4C ", "zz ", "? "))], ids=range(4))
def test_no_more_is_read_than_could_be_right(written: str) -> None:
    begun = time.process_time()
    assert len(codes(game("hearts"), f"piles: {{hand of A: {written}}}")) <= 20
    assert time.process_time() - begun < 2


@pytest.mark.parametrize("written", ["2 white white", "white, white, white", "3 white", "white*3", "white white white"])
def test_pieces_are_counted(written: str) -> None:
    state = game("backgammon").position({"piles": {"arrow at 6": written}})
    assert sum(map(len, state.core.piles)) == 3


def test_a_position_without_a_place_has_values_and_no_moves() -> None:
    state = game("hearts").position({"piles": {"hand of A": "2C"}})
    assert state.value("count(hand of A)").plain == 1
    assert state.view("A").moves == ()
    for ask in (state.moves, lambda: state.play("play 2C")):
        with pytest.raises(Refused) as refused:
            ask()
        assert [d.code for d in refused.value.diagnostics] == ["R712"]
    assert not state.why("play 2C").known


@pytest.mark.parametrize("seed", ["x", None, 1.5, [1]])
def test_a_seed_is_a_whole_number(keys: Game, seed: Any) -> None:
    for begin in (keys.start, keys.playout):
        with pytest.raises(TypeError, match="a seed is a whole number"):
            begin(seed)


def test_pieces_without_signs_are_written_by_their_names(tmp_path: Path) -> None:
    text = SMALL.read_text(encoding="utf-8").replace("state:\n", "state:\n  kept: {kind: card, optional: true}\n")
    (tmp_path / "kept.yaml").write_text(text, encoding="utf-8")
    kept = load(tmp_path / "kept.yaml")
    hands = {"hand of A": "four hearts Two Spades", "hand of B": ["ace hearts"], "heap": "1 ace spades"}
    state = kept.position({"at": "turn / play", "to_act": "A", "piles": hands, "state": {"kept": "Ace Hearts"}})
    written = whole(state)
    assert written["piles"]["hand of A"] == "four hearts two spades"
    assert written["piles"]["heap"] == "ace spades"
    assert kept.position(written).core.key() == state.core.key()
    assert state.value("kept").plain == "ace hearts"
    assert codes(kept, "piles: {heap: ace}") == ["R705"]


def test_signs_of_several_words_and_faces_are_read_and_written() -> None:
    bag = load_rules("game/bag")
    state = bag.position({"piles": {"bag": "big red big big red ace"}})
    assert [bag.compiled.namer.signs[piece >> 1] for piece in state.core.piles[0]] == ["big red", "big", "big red ace"]
    written = whole(bag.start())["piles"]
    assert written == {"bag": "big big red big red ace |"}, "they lie face down"
    assert whole(bag.position({"piles": written}))["piles"] == written


@pytest.fixture
def somewhere(tmp_path: Path) -> Game:
    asked = ", ".join(f"{name}: {{by: A, run: inner}}" for name in ("one", "two", "three", "four", "five"))
    return change_rules("game/somewhere", tmp_path, {"FIVE": asked})


@pytest.mark.parametrize(
    ("seat", "scores"), [("B", {"A": 1, "B": 0}), (None, {"A": 0, "B": 1}), ("A", {"A": 0, "B": 1})]
)
def test_a_position_at_a_step_runs_to_the_next_decision(
    somewhere: Game, seat: str | None, scores: dict[str, int]
) -> None:
    """`to_act` is who decides there, not who acts in the step."""
    state = somewhere.position({"at": "turn / gift", **({"to_act": seat} if seat else {})})
    assert (state.to_act, state.scores) == (seat or "A", scores)


def test_an_ambiguous_place_is_refused_with_four_choices(somewhere: Game) -> None:
    with pytest.raises(Refused) as refused:
        somewhere.position({"at": "ask"})
    (told,) = refused.value.diagnostics
    places = [f"game / {name} / inner / ask" for name in ("one", "two", "three", "four")]
    assert (told.code, told.notes) == ("R711", (*places,))


@pytest.mark.whole
def test_a_throw_is_given_by_the_dice_that_lie_ready() -> None:
    position = {"at": "turn / throw", "to_act": "A", "piles": {"cup": "6 6 6 2 3"}}
    for seed in range(3):
        state = game("yams").position(position, seed)
        thrown = next(event for event in state.events if event.kind == "roll").data["roll"]
        assert sorted(thrown) == ["2", "3", "6", "6", "6"]


@pytest.mark.whole
@pytest.mark.parametrize(("knocker", "other"), ["BA", "AB"])
def test_the_actor_around_a_place_follows_from_the_actor_there(knocker: str, other: str) -> None:
    """The opponent of the knocker answers: only `to_act` says who knocked."""
    piles = {f"deadwood of {knocker}": "3S", f"hand of {other}": "KD"}
    at = {"at": "showdown / against", "to_act": other, "state": {"knocker": knocker}, "piles": piles}
    state = game("gin-rummy").position(at)
    assert state.place.endswith("showdown / against")
    assert state.to_act == other
