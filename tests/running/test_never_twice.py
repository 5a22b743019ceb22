"""`never_twice`: which places it remembers, and which moves make it forget them."""

from __future__ import annotations

from pathlib import Path

import pytest
from rules import change_rules

from interpreter import State


def rooms(folder: Path, left: str) -> State:
    piles = {"left": ["AS", None], "right": ["2S", None]}
    game = change_rules("running/rooms", folder, {"{left}": left})
    return game.position({"at": "game / play", "to_act": "A", "piles": piles})


def has(state: State, ident: str) -> bool:
    return any(move.id == ident for move in state.moves())


@pytest.mark.parametrize(
    ("left", "after_ringing", "after_the_right"),
    [(", until: [ring]", True, False), ("", True, True), (", until: [shift right]", False, True)],
    ids=["ring", "any other move", "shift right"],
)
def test_only_the_named_moves_make_it_forget(
    tmp_path: Path, left: str, after_ringing: bool, after_the_right: bool
) -> None:
    state = rooms(tmp_path, left).play("shift-left 1 -> 2")
    assert not has(state, "shift-left 2 -> 1")
    assert has(state.play("ring"), "shift-left 2 -> 1") is after_ringing
    assert has(state.play("shift-right 1 -> 2"), "shift-left 2 -> 1") is after_the_right


def test_obligations_and_states_remember_separately(tmp_path: Path) -> None:
    start = rooms(tmp_path, "")
    moved = start.play("shift-right 1 -> 2")
    assert not has(moved, "shift-right 2 -> 1")
    assert not has(moved.play("ring"), "shift-right 2 -> 1")
    assert has(moved.play("shift-left 1 -> 2"), "shift-right 2 -> 1")
    assert has(start, "shift-right 1 -> 2")
    assert not has(moved, "shift-right 2 -> 1")
