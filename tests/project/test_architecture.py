"""docs/architecture.md says what pyproject.toml and the folders say: the layers, the rooms and the modules."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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
