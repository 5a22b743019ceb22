"""Whole numbers as people write them, wherever one may be typed."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.diagnostics import Refused
from interpreter.language.digits import whole

NO_NUMBERS = [
    "",
    "-",
    "--1",
    "+1",
    "²",
    "٣",
    "1.0",
    "1e3",
    " 1",
    "1_000",
    "0x1",
    "9" * 19,
    "9" * 5000,
    "-" + "9" * 5000,
]


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("007", 7), ("-12", -12), ("9" * 18, 10**18 - 1)])
def test_numbers(text: str, number: int) -> None:
    assert whole(text) == number


@pytest.mark.parametrize("text", NO_NUMBERS)
def test_what_is_none(text: str) -> None:
    assert whole(text) is None


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


@pytest.fixture(scope="module")
def ruleset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("digits") / "packs.yaml"
    path.write_text(PACKS, encoding="utf-8")
    return path


def test_options_that_are_numbers(ruleset: Path) -> None:
    assert load(ruleset, {"decks": "2", "players": "3"}).options == {"decks": 2, "players": 3}


@pytest.mark.parametrize("text", [t for t in NO_NUMBERS if t.strip() == t])
@pytest.mark.parametrize("option", ["decks", "players"])
def test_options_that_are_none(option: str, text: str, ruleset: Path) -> None:
    with pytest.raises(Refused) as refused:
        load(ruleset, {option: text})
    assert {d.code for d in refused.value.diagnostics} <= {"R611", "R610"}
