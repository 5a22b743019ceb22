"""docs/architecture.md and docs/games.md say what pyproject.toml, the folders and the rulesets say."""

import os
import re
import tomllib

import pytest
from games import names
from games_page import page
from shells import ROOT

PACKAGE = ROOT / "interpreter" / "hoyle"
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def layers() -> list[set[str]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = (one for one in settings["tool"]["importlinter"]["contracts"] if one["type"] == "layers")
    return [set(re.findall(r"\w+", row)) for row in contract["layers"]]


@pytest.mark.quick
def test_the_page_shows_the_layers_that_are_checked() -> None:
    drawing = TEXT.partition("<!-- layers -->\n```\n")[2].partition("\n```")[0]
    shown = [set(re.findall(r"\w+", line.partition("  ")[0])) for line in drawing.splitlines()]
    assert shown == [layer - {"__main__"} for layer in layers() if layer != {"__main__"}]


@pytest.mark.quick
def test_each_room_has_its_row() -> None:
    rooms = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    table = TEXT.partition("\n## Rooms\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == rooms


@pytest.mark.quick
def test_the_modules_it_names_are_there() -> None:
    named = set(re.findall(r"`(?:interpreter/hoyle/)?(\w+(?:/\w+)+\.(?:py|c))`", TEXT))
    assert {name for name in named if not (PACKAGE / name).exists() and not (ROOT / name).exists()} == set()


PAGE = ROOT / "docs" / "games.md"


@pytest.mark.slow
def test_the_page_of_the_games_is_up_to_date() -> None:
    if os.environ.get("UPDATE_GOLDEN"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()


def test_the_page_of_the_games_has_every_game() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name, is_variant in names() if (f"`{name}` (" if is_variant else f"(`{name}`)") not in text] == []
