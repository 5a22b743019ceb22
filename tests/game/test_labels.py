"""Where the words of the members of families stand, by which displays name them."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter import load
from interpreter.game.labels import key_spaces

SCENES = Path(__file__).parent / "scenes"


@pytest.mark.parametrize(
    ("name", "family", "spaces"),
    [
        ("cabinet", "suited", (("tables/suits",),)),
        ("cabinet", "meeting", (("seats",),)),
        ("cabinet", "shelf", ((),)),
        ("cabinet", "wish", (("seats",), ("tables/suits",))),
        ("cabinet", "grid", ((), ("seats",))),
        ("cabinet", "total", ()),
        ("together", "lane", (("seats",),)),
    ],
)
def test_numbers_are_their_own_words(name: str, family: str, spaces: tuple[tuple[str, ...], ...]) -> None:
    found = key_spaces(load(SCENES / f"{name}.yaml").ruleset)
    assert found[family] == spaces


def test_a_side_is_called_by_its_words_wherever_seats_are() -> None:
    seats = load("belote").labels("fr")["seats"]
    assert (seats["AC"], seats["BD"], seats["A"]) == ("A et C", "B et D", "A")
