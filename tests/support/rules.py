"""Rulesets that only tests use, `tests/ROOM/rules/NAME.yaml`, with their words for other languages; cases and files of tests."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from hoyle import Game, load

TESTS = Path(__file__).parents[1]


def find_rules(name: str) -> Path:
    """Returns the file of `ROOM/NAME`, among the rules or the scenes of the room."""
    room, _, stem = name.partition("/")
    places = [TESTS / room / folder / f"{stem}.yaml" for folder in ("rules", "scenes")]
    return next(place for place in places if place.exists())


def write_rules(name: str, folder: Path, changes: Mapping[str, str]) -> Path:
    """Copies a ruleset into a folder with some texts replaced. Each must occur in it."""
    file = find_rules(name)
    text = file.read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text, f"`{old}` does not occur in {file.name}"
        text = text.replace(old, new)
    for words in file.parent.glob(f"{file.stem}.*.yaml"):
        (folder / words.name).write_text(words.read_text(encoding="utf-8"), encoding="utf-8")
    path = folder / file.name
    path.write_text(text, encoding="utf-8")
    return path


def change_rules(name: str, folder: Path, changes: Mapping[str, str]) -> Game:
    return load(write_rules(name, folder, changes))


@cache
def load_rules(name: str) -> Game:
    """Loads a ruleset as it is, once in a process."""
    return load(find_rules(name))


@cache
def read_cases(name: str) -> dict[str, list[Any]]:
    """Reads `ROOM/cases/NAME.yaml`: lists of cases, by their subjects."""
    room, _, stem = name.partition("/")
    text = (TESTS / room / "cases" / f"{stem}.yaml").read_text(encoding="utf-8")
    return dict(yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)))


def gathering_at(folder: Path, changes: Mapping[str, str] | None = None) -> str:
    return str(write_rules("series/gathering", folder, changes or {}))


def watched_at(folder: Path) -> Path:
    return write_rules("cli/watched", folder, {})


def write_anew(place: Path, text: str) -> Path:
    """A text for a file that is there already, and was read before. It is removed first: a file that is cut short and filled again is
    brought to the disk at once by some file systems, which takes longer than to check a ruleset. What is no text stands in it as surrogates."""
    place.unlink(missing_ok=True)
    place.write_bytes(text.encode("utf-8", "surrogateescape"))
    return place
