"""The page of the games is what the rulesets tell."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from games_page import page, write

PAGE = Path(__file__).parents[2] / "docs" / "games.md"


@pytest.mark.whole
def test_the_page_of_the_games_is_up_to_date() -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        write(PAGE)
    assert PAGE.read_text(encoding="utf-8") == page()
