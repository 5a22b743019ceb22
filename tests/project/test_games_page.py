"""`docs/games.md` is what the rulesets say."""

import os

import pytest
from games import names
from games_page import page
from shells import ROOT

PAGE = ROOT / "docs" / "games.md"


@pytest.mark.slow
def test_the_page_of_the_games_is_up_to_date() -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_page_of_the_games_has_every_game() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name, is_variant in names() if (f"`{name}` (" if is_variant else f"(`{name}`)") not in text] == []
