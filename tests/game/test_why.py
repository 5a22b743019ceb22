"""Why a move is refused: one sentence in both languages, and the values of the position that decide it."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Any

import games
import pytest
import yaml
from mutations import plain
from rules import change_rules, load_rules, read_cases
from spaces import spaced

from interpreter import Game, IllegalMove, load
from interpreter.game.why import alike, why_seen

CASES = Path(__file__).parent / "why.yaml"
TESTS = CASES.parents[1]
OWN = {place.stem for folder in ("scenes", "rules") for place in CASES.parent.glob(f"{folder}/*.yaml")}


class Whole(yaml.SafeDumper):
    """Writes each case in full."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


@cache
def game(name: str) -> Game:
    if name in ("turns", "_game"):
        return load(TESTS / ("compiling/flow/turns.yaml" if name == "turns" else "checking/diagnostics/_game.yaml"))
    return load_rules(f"game/{name}") if name in OWN else games.game(name)


@cache
def cases() -> list[dict[str, Any]]:
    return list(plain(CASES.read_text(encoding="utf-8")))


def found_in(case: dict[str, Any]) -> dict[str, Any]:
    """Also checks that playing the move is refused for the same reason."""
    state = game(case["game"]).position(case["position"], seed=1)
    why = state.why(case["move"])
    assert not why.legal
    with pytest.raises(IllegalMove) as refused:
        state.play(case["move"])
    assert why.summary() in str(refused.value) or refused.value.diagnostics[0].code == "R803"
    return {
        "en": why.summary("en"),
        "fr": spaced(why.summary("fr")),
        "failing": why.failing and why.failing.name,
        "hangs_on": [f"{formula} = {value}" for _, formula, value in why.failing.parts] if why.failing else [],
    }


@pytest.mark.parametrize("first", range(10))
def test_a_refusal_has_one_reason(first: int) -> None:
    """UPDATE_GOLDEN=1 renews `why.yaml`, in one process."""
    every = cases()
    for number in range(first, len(every), 10):
        case = every[number]
        found = found_in(case)
        if os.environ.get("UPDATE_GOLDEN"):
            every[number] = {key: case[key] for key in ("game", "position", "move")} | found
        assert found == {key: every[number][key] for key in found}, case["move"]
    if os.environ.get("UPDATE_GOLDEN"):
        text = yaml.dump(every, Dumper=Whole, allow_unicode=True, sort_keys=False, width=120)
        CASES.write_text(text, encoding="utf-8")


@pytest.mark.whole
def test_a_move_is_named_in_words_or_as_it_was_typed() -> None:
    state = game("market").position({"at": "last", "to_act": "A", "piles": {"hand of A": "a c"}}, seed=1)
    asked = {text: (state.why(text).text("en"), state.why(text).text("fr")) for text in ("name a", "pick", "xyzzy")}
    assert asked == {"name a": ("name a", "nommer a"), "pick": ("pick", "choisir"), "xyzzy": ("xyzzy", "xyzzy")}


def test_a_legal_move_is_explained_by_its_rule() -> None:
    state = game("fishing").position({"at": "turn", "to_act": "A", "piles": {"hand of A": "3S"}})
    why = state.why("lay-down 3S")
    assert (why.legal, why.failing, why.summary("fr")) == (True, None, "Qui peut prendre ne pose pas. [F1]")
    nothing = why_seen(state.game.compiled, state.core, "lay-down 3S", [])
    assert (nothing.move, nothing.known, nothing.legal) == ("lay-down 3S", False, False)
    assert nothing.nearest == ("lay-down 3S",)
    over = game("fishing").playout(1)
    assert not over.why("lay-down 3S").known and not over.why("").known


@pytest.mark.whole
def test_equal_pieces_and_other_questions_are_told_apart() -> None:
    """`is not empty` is one question: its value is not that of the `is empty` in it."""
    state = games.game("grabuge").start(4)
    assert all(state.why(move.id).legal for move in state.moves())
    parts = games.game("klondike").start(1).value("waste is not empty or foundation of spades is not empty").parts
    assert [(formula, value) for _, formula, value in parts][1:] == [
        ("waste is not empty", "false"),
        ("foundation of spades is not empty", "false"),
    ]
    why = games.game("president").start(1).why("play 1 xyz")
    assert "three, four" in why.summary("en") and "trois, quatre" in why.summary("fr")


AT = {"at": "game / play", "to_act": "A", "piles": {"waste": "8S 3D", "column": ["KH", "8H | 9C"]}}
HOLE = {"at": "hole / play", "to_act": "A", "piles": {"column": ["8S 3D", "KC"], "waste": "9C", "stock": "?*3"}}


@pytest.mark.parametrize(
    ("name", "position", "asked", "english", "french"),
    [
        ("golf", HOLE, "8♠", "3♦ lies on 8♠; only the top of column 1 may be taken.", "3♦ est par-dessus 8♠"),
        ("klondike", AT, "8♠", "8♠ is nowhere to be seen.", "8♠ ne se voit nulle part."),
        ("klondike", AT, "8♥", "8♥ is nowhere to be seen.", "8♥ ne se voit nulle part."),
        ("barbu", {}, "8♠", "No move takes 8♠ from your hand now.", "Main : aucun coup n'y prend 8♠ maintenant."),
        ("hearts", {}, "2♣", "There is no move with 2♣ alone here.", "Aucun coup ne concerne 2♣ seul ici."),
    ],
)
def test_a_piece_without_a_move_is_explained(
    name: str, position: dict[str, Any], asked: str, english: str, french: str
) -> None:
    state = games.game(name).position(position) if position else games.game(name).start(1)
    answer = state.why(asked, state.to_act)
    assert english in answer.summary("en") and french in spaced(answer.summary("fr"))
    assert answer.known and not answer.legal


@pytest.mark.whole
@pytest.mark.parametrize(
    ("name", "several"), [("backgammon", False), ("hearts", True), ("freecell", False), ("crapette", True)]
)
def test_states_that_look_alike_are_tried_once(name: str, several: bool) -> None:
    """A player who sees everything has one state."""
    state = games.game(name).start(1)
    found = alike(state.game.compiled, state.core, state.core.actor)
    assert (len(found) > 1) is several and len({core.key() for core in found}) == len(found)


AMONG_REASONS = {
    "at": "all / turn / one",
    "to_act": "A",
    "piles": {"hand of A": "7H", "heap at 2": "KS 9D", "unnamed": "3C"},
    "state": {"trump": "clubs", "said": 4, "taken of B": 3},
}


@pytest.mark.whole
@pytest.mark.parametrize("part", range(4))
def test_values_are_named_as_players_know_them(part: int, tmp_path: Path) -> None:
    """Values without a name in the language are left out."""
    for case in read_cases("game/reasons")["grounds"][part::4]:
        state = change_rules("game/reasons", tmp_path, {"FORMULA": case["formula"]}).position(AMONG_REASONS)
        for found in (state.why("lay 7H -> 2"), state.why("lay 7H -> 2", "A")):
            assert found.failing is not None
            texts = [spaced(text) for one in found.failing.grounds if (text := dict(one)["fr"])]
            assert texts == case["french"], case


# ---- obligations with `each` -----------------------------------------------------------------------------------------


def test_each_number_and_piece_is_weighed_alone() -> None:
    """Which way a piece lies makes no difference."""
    state = game("giving").position({"at": "game / once", "to_act": "N"}, 1)
    assert [move.id for move in state.moves()] == ["give 2", "give 4", "keep 1", "keep 3"]
    assert state.why("keep 3").legal
    assert state.why("keep 2").summary() == "What can be given is not kept. [§1] — instead: `give 2`"
    piles = {"hand of N": "2S 3S", "lower": "2S 4S"}
    state = game("giving").position({"at": "game / then", "to_act": "N", "piles": piles}, 1)
    assert sorted(move.id for move in state.moves()) == ["drop 3S", "raise 2S", "raise 4S"]
    assert state.why("drop 3S").legal and not state.why("drop 2S").legal


def test_points_of_a_side_are_told_by_its_words() -> None:
    state = game("giving").position({"at": "game / once", "to_act": "N"}, 1).play("give 2")
    assert state.scores == {"north_south": 2, "east_west": 0}
    assert "North and South +2 given" in [event.text() for event in state.events]
