"""Whole numbers as people write them, wherever one may be typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.diagnostics import Refused
from interpreter.language.digits import whole

LONG = "9" * 5000
NO_NUMBERS = ("", "-", "--1", "+1", "²", "٣", "1.0", "1e3", " 1", "1_000", "0x1", "9" * 19, LONG, f"-{LONG}")


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("007", 7), ("-12", -12), ("9" * 18, 10**18 - 1), *((text, None) for text in NO_NUMBERS)],
)
def test_a_text_is_a_whole_number_or_none(text: str, number: int | None) -> None:
    assert whole(text) == number


PACKS = """
ruleset: 1
game: packs
title: {en: Packs, fr: Jeux}
use: [french]
options: {decks: {range: 1..3, default: 1, en: packs, fr: jeux}}
players: {count: 2..3, seats: [A, B, C]}
pieces: {card: {of: [ranks, suits], copies: decks, from: pack}}
piles: {pack: {face: down}}
flow: {game: {shuffle: {shuffle: pack}}}
result: {best: 0}
"""


@pytest.fixture
def ruleset(tmp_path: Path) -> Path:
    path = tmp_path / "packs.yaml"
    path.write_text(PACKS, encoding="utf-8")
    return path


@pytest.mark.whole
def test_options_and_players_are_such_numbers(ruleset: Path) -> None:
    assert load(ruleset, {"decks": "2", "players": "3"}).options == {"decks": 2, "players": 3}
    for option in ("decks", "players"):
        for text in ("", "٣", "1.0", LONG, f"-{LONG}"):
            with pytest.raises(Refused) as refused:
                load(ruleset, {option: text})
            assert {d.code for d in refused.value.diagnostics} <= {"R611", "R610"}
