"""`never_twice`: what it remembers, and which moves make it forget."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import State, load

RULES = """
ruleset: 1
game: rooms
title: {{en: Rooms, fr: Chambres}}
use: [french]
players: {{count: 1, seats: [A]}}
pieces:
  card: {{of: [ranks, suits], where: "card.rank in (ace, two)", from: box}}
piles:
  box: {{}}
  left: {{columns: 2}}
  right: {{columns: 2}}
state:
  bells: {{range: 0..3}}
moves:
  shift left: {{rule: {{at: 1, en: A, fr: A}}, take: left, put: left}}
  shift right: {{rule: {{at: 1, en: B, fr: B}}, take: right, put: right}}
  ring:
    rule: {{at: 1, en: C, fr: C}}
    if: {{bells left: bells < 3}}
    then: {{rung: {{set: {{bells: bells + 1}}}}}}
obligations:
  left once: {{rule: {{at: 1, en: D, fr: D}}, never_twice: left, over: [shift left]{left}}}
  right once: {{rule: {{at: 1, en: E, fr: E}}, never_twice: right, over: [shift right], until: [shift left]}}
flow:
  game: {{play: {{by: A, play: [shift left, shift right, ring], obey: [left once, right once]}}}}
result: {{best: bells}}
"""


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
