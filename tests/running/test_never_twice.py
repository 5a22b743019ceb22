"""`never_twice`: what it remembers, and which moves make it forget."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import State, load


def rooms(folder: Path, left: str) -> State:
    path = folder / "rooms.yaml"
    path.write_text(RULES.format(left=left), encoding="utf-8")
    return load(str(path)).position(
        {"at": "game / play", "to_act": "A", "piles": {"left": ["AS", None], "right": ["2S", None]}}
    )


@pytest.mark.parametrize(
    ("left", "after_ringing", "after_the_right"),
    [("", True, True), (", until: [ring]", True, False), (", until: [shift right]", False, True)],
    ids=["any other move", "ring", "shift right"],
)
def test_only_the_named_moves_make_a_guard_forget(
    tmp_path: Path, left: str, after_ringing: bool, after_the_right: bool
) -> None:
    state = rooms(tmp_path, left).play("shift-left 1 -> 2")
    back = "shift-left 2 -> 1"
    assert not any(m.id == back for m in state.moves())
    assert any(m.id == back for m in state.play("ring").moves()) is after_ringing
    assert any(m.id == back for m in state.play("shift-right 1 -> 2").moves()) is after_the_right


def test_guards_of_one_decision_remember_apart_and_so_do_states(tmp_path: Path) -> None:
    start = rooms(tmp_path, "")
    moved = start.play("shift-right 1 -> 2")
    assert not any(m.id == "shift-right 2 -> 1" for m in moved.moves())
    assert not any(m.id == "shift-right 2 -> 1" for m in moved.play("ring").moves())
    assert any(m.id == "shift-right 2 -> 1" for m in moved.play("shift-left 1 -> 2").moves())
    assert any(m.id == "shift-right 1 -> 2" for m in start.moves())
    assert not any(m.id == "shift-right 2 -> 1" for m in moved.moves())
