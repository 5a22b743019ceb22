"""Obligations over some moves of a decision, beside moves with other bindings."""

from __future__ import annotations

from pathlib import Path

from interpreter import load


def test_what_another_move_is_bound_to_is_absent_where_it_is_of_another_kind(tmp_path: Path) -> None:
    file = tmp_path / "cards-and-dice.yaml"
    file.write_text(RULES, encoding="utf-8")
    start = {"at": "game / laid", "to_act": "A", "piles": {"pack": "2H 3S", "cup": "6"}}
    assert [move.id for move in load(str(file)).position(start).moves()] == ["lay 2H", "place 6"]
