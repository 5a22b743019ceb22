"""Pictures of positions of games of every sort, kept in `docs/pictures` and looked at. After a wanted change, run with UPDATE_GOLDEN=1 and look at what
changed."""

import os
import random
from pathlib import Path
from typing import Any

import pytest
from games import game
from rules import read_cases
from tiers import in_tiers

from hoyle.pictures.theme import find_theme

PLACE = Path(__file__).parents[2] / "docs" / "pictures"
KEPT = dict(read_cases("pictures/kept")["pictures"])


@pytest.mark.parametrize("name", in_tiers(KEPT, ["klondike", "backgammon"], ["cribbage", "yams"]))
def test_a_picture_is_as_it_was(name: str) -> None:
    made, kept = picture(name, **KEPT[name]), PLACE / f"{name}.svg"
    if os.environ.get("UPDATE_GOLDEN"):
        PLACE.mkdir(exist_ok=True)
        kept.write_text(made, encoding="utf-8", newline="\n")
    assert made == kept.read_text(encoding="utf-8")


def picture(
    name: str, moves: int, width: int = 800, lang: str = "en", tone: Any = "light", four: bool = False, seed: int = 1
) -> str:
    """After so many moves at random, as the first seat sees it."""
    state, chance = game(name).start(seed), random.Random(seed)
    for _ in range(moves):
        state = state.play(chance.choice(state.moves()))
    return state.picture(game(name).seats[0], lang, find_theme(tone, four), width) + "\n"
